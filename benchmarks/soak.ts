/**
 * `npm run soak`: loads a server at half of its capacity for a long time, and prints a sample each minute. It fails when memory or
 * descriptors grow, anything is refused or fails, or a movement is lost.
 */
import { Effect } from "effect"
import { command, positive, requireWords } from "./shared/command.ts"
import { soak } from "./soak/soak.ts"

const USAGE = `usage: npm run soak -- [length] [--rate N] [-- flags of the server]

  length  how long, such as 20s, 30m or 2h (default 30m)
  --rate  movements a second (default: half of the capacity, which is measured first)`

const SECONDS = { s: 1, m: 60, h: 3600 }

const secondsOf = (text: string): number => {
  const [, number, unit] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? []
  if (unit === undefined) throw new Error(`${JSON.stringify(text)} is no length of time, such as 30m`)
  return Number(number) * SECONDS[unit as keyof typeof SECONDS]
}

command(USAGE, { rate: { type: "string" } }, ({ values, positionals, flags }) => {
  requireWords({ positionals, flags: [] }, 1)
  const seconds = secondsOf(positionals[0] ?? "30m")
  const every = Math.min(60, Math.max(1, seconds / 20))
  const perSecond = values.rate === undefined ? undefined : positive(values.rate)
  return Effect.gen(function* () {
    const { acknowledged, faults } = yield* soak({ seconds, every, perSecond, flags }, (line) => console.log(line))
    for (const fault of faults) console.log(fault)
    const { entrances, exits } = acknowledged
    console.log(
      `${entrances + exits} movements acknowledged: ${faults.length === 0 ? "flat, and no error" : "not well"}`
    )
    return faults.length === 0 ? 0 : 1
  })
})
