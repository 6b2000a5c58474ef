/** Measures the rules of the core one by one, and tells what a movement costs the core in all. */
// First of all: it compiles schemas that were not used before.
import { run, USUAL } from "./micro/run.ts"
import { Effect } from "effect"
import { readArguments } from "./micro/Arguments.ts"
import { costTable, pairCost } from "./micro/table.ts"
import { runCommand } from "./shared/runCommand.ts"

runCommand(
  Effect.gen(function* () {
    const filter = yield* readArguments(process.argv.slice(2))
    const costs = yield* run(filter, USUAL)
    console.log(costTable(costs))
    const pair = pairCost(costs)
    if (pair !== undefined) console.log(`\n${pair}`)
    return 0
  })
)
