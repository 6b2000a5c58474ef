/**
 * Runs several servers over one PostgreSQL behind a balancer, and shows that they are one service: through races, kills and
 * load nothing acknowledged is lost and nothing happens twice, or it fails. It tells what each number of them does.
 */
import { Effect } from "effect"
import { readArguments } from "./scale/Arguments.ts"
import { scale } from "./scale/scale.ts"
import { report } from "./scale/table.ts"
import { runCommand } from "./shared/runCommand.ts"

runCommand(
  Effect.gen(function* () {
    const wanted = yield* readArguments(process.argv.slice(2))
    const scaled = yield* scale(wanted, "durable", (line) => console.error(line))
    console.log(`\n${report(scaled)}`)
    return scaled.faults.length === 0 && scaled.found === scaled.acknowledged ? 0 : 1
  })
)
