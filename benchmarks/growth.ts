/**
 * Fills the history with closed stays and tells what a movement, a counter, an access list and a report cost at each size.
 * It fails when movements or counters cost more with a long history than with a short one.
 */
import { Effect } from "effect"
import { readArguments } from "./growth/Arguments.ts"
import { grow, USUAL } from "./growth/grow.ts"
import { layerOwn } from "./growth/Storage.ts"
import { costTable, sizeTable } from "./growth/table.ts"
import { changes, faults, isJudged } from "./growth/Verdict.ts"
import { runCommand } from "./shared/runCommand.ts"

const program = Effect.gen(function* () {
  const sizes = yield* readArguments(process.argv.slice(2))
  const measured = yield* grow({ ...USUAL, sizes }, layerOwn("durable"), (line) => console.error(line))
  console.log(`\n${costTable(measured)}\n\n${sizeTable(measured)}\n`)
  const all = changes(measured)
  const wrong = faults(all)
  for (const fault of wrong) console.log(fault)
  if (!isJudged(all, sizes.length)) console.log("whether costs grow was not judged: it takes two sizes, and Linux")
  else if (wrong.length === 0) console.log("movements and counters cost the same whatever the history")
  return wrong.length === 0 ? 0 : 1
})

runCommand(program)
