/**
 * Lets a crowd move in front of a server with subscribers of `GET /presence/stream`, and measures how long events take, what they cost,
 * and that each subscriber receives each event once. It fails when one is lost, told twice or told wrongly.
 */
import { Effect } from "effect"
import { readArguments } from "./live/Arguments.ts"
import { live } from "./live/live.ts"
import { faultsOf, report } from "./live/report.ts"
import { runCommand } from "./shared/runCommand.ts"

runCommand(
  Effect.gen(function* () {
    const measured = yield* live(yield* readArguments(process.argv.slice(2)), (line) => console.error(line))
    console.log(`\n${report(measured)}`)
    const faults = measured.flatMap(faultsOf)
    for (const fault of faults) console.error(fault)
    return faults.length === 0 ? 0 : 1
  })
)
