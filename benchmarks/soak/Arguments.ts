/** The command line of `npm run soak`. */
import { parseArgs } from "node:util"
import type { Effect } from "effect"
import { positive, reading, withFlags, type WrongArguments } from "../shared/Arguments.ts"
import type { Soak } from "./soak.ts"

export const USAGE = `usage: npm run soak -- [length] [--rate N] [-- flags of the server]

  length   how long, as in 30m or 20s (default 30m); the server is looked at each minute, or twenty times if it is shorter
  --rate   how many movements arrive a second (default half of what the server is capable of, which is measured first)`

const SECONDS = { s: 1, m: 60, h: 3600 } as const

const secondsOf = (text: string) => {
  const [, number, unit] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? []
  if (unit === undefined) throw new Error(`${JSON.stringify(text)} is no length of time, such as 30m`)
  return Number(number) * SECONDS[unit as keyof typeof SECONDS]
}

/** Reads the command line. */
export const readArguments = (all: ReadonlyArray<string>): Effect.Effect<Soak, WrongArguments> =>
  reading(USAGE, () => {
    const { args, flags } = withFlags(all)
    const { positionals, values } = parseArgs({ args, options: { rate: { type: "string" } }, allowPositionals: true })
    if (positionals.length > 1) throw new Error("one length is enough")
    const seconds = secondsOf(positionals[0] ?? "30m")
    return {
      seconds,
      every: Math.min(60, Math.max(1, seconds / 20)),
      perSecond: values.rate === undefined ? undefined : positive(values.rate, /^\d{1,6}$/),
      flags
    }
  })
