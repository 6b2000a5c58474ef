/**
 * Lets a crowd move in front of a server with subscribers of `GET /presence/stream`, and measures how long events take, what they cost,
 * and that each subscriber receives each event once. It fails when one is lost, told twice or told wrongly.
 */
import { Effect } from "effect"
import { readArguments } from "./live/Arguments.ts"
import { counters } from "./live/counters.ts"
import { live } from "./live/live.ts"
import { musters } from "./live/musters.ts"
import { faultsOf, report } from "./live/report.ts"
import { webhooks } from "./live/webhooks.ts"
import { runCommand } from "./shared/runCommand.ts"

runCommand(
  Effect.gen(function* () {
    const wanted = yield* readArguments(process.argv.slice(2))
    const measured = yield* live(wanted, (line) => console.error(line))
    if (measured.length > 0) console.log(`\n${report(measured)}`)
    if (wanted.hasCounters) console.log(`\n${yield* counters}`)
    if (wanted.hasWebhooks) console.log(`\n${yield* webhooks((line) => console.error(line))}`)
    if (wanted.hasMusters) console.log(`\n${yield* musters((line) => console.error(line))}`)
    const faults = measured.flatMap(faultsOf)
    for (const fault of faults) console.error(fault)
    return faults.length === 0 ? 0 : 1
  })
)
