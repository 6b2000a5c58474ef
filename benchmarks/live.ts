/**
 * `npm run live`: moves a crowd in front of a server with subscribers of `GET /presence/stream`, and measures the delay of events and
 * what they cost. It fails when a subscriber misses an event, receives one twice or a wrong one, or a movement is lost.
 */
import { Effect } from "effect"
import { faultsOf, measure, SCENES, tableOf } from "./live/scenes.ts"
import { command, positive } from "./shared/command.ts"

const USAGE = `usage: npm run live -- [scenes...] [--seconds N] [-- flags of the server]

  scenes     ${SCENES.map(({ name }) => name).join(", ")} (default: all)
  --seconds  how long movements arrive in each (default 20)`

command(USAGE, { seconds: { type: "string" } }, ({ values, positionals, flags }) => {
  const seconds = positive(values.seconds ?? "20")
  const unknown = positionals.find((name) => !SCENES.some((scene) => scene.name === name))
  if (unknown !== undefined) throw new Error(`there is no scene ${JSON.stringify(unknown)}`)
  const scenes = SCENES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  return Effect.gen(function* () {
    const measured = yield* Effect.forEach(scenes, (scene) => {
      console.error(scene.name)
      return measure(scene, seconds, flags)
    })
    console.log(`\n${tableOf(measured)}`)
    const faults = measured.flatMap(faultsOf)
    for (const fault of faults) console.error(fault)
    return faults.length === 0 ? 0 : 1
  })
})
