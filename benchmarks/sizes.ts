/**
 * Measures what movements, counters and places cost with more and more people inside, organizations, and places. It fails
 * when movements cost more at the largest size than at the smallest.
 */
import { Effect } from "effect"
import { layerOwn } from "./growth/Storage.ts"
import { changes, isJudged } from "./growth/Verdict.ts"
import { runCommand } from "./shared/runCommand.ts"
import { readArguments } from "./sizes/Arguments.ts"
import { sizeTable } from "./sizes/table.ts"
import { grown } from "./sizes/verdict.ts"
import { USUAL, weigh } from "./sizes/weigh.ts"

runCommand(
  Effect.gen(function* () {
    const asked = yield* readArguments(process.argv.slice(2))
    let isWrong = false
    for (const { aspect, sizes } of asked) {
      const weighed = yield* weigh(aspect, sizes, USUAL, layerOwn("durable"), (line) => console.error(line))
      console.log(`\n${sizeTable(aspect.unit, weighed)}\n`)
      const wrong = grown(weighed)
      for (const fault of wrong) console.log(fault)
      if (!isJudged(changes(weighed), sizes.length))
        console.log("whether costs grow was not judged: it takes two sizes, and Linux")
      else if (wrong.length === 0) console.log(`movements cost the same whatever the number of ${aspect.unit}`)
      isWrong ||= wrong.length > 0
    }
    return isWrong ? 1 : 0
  })
)
