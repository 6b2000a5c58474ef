/**
 * Loads a server at half of what it is capable of for a long time, says each minute what it takes, and fails where memory or
 * descriptors grow, anything is refused or fails, or a movement is lost.
 */
import { Effect } from "effect"
import { runCommand } from "./shared/runCommand.ts"
import { readArguments } from "./soak/Arguments.ts"
import { lineOf, report } from "./soak/report.ts"
import { soak } from "./soak/soak.ts"

runCommand(
  Effect.gen(function* () {
    const wanted = yield* readArguments(process.argv.slice(2))
    const tell = (sample: Parameters<typeof lineOf>[0], isFirst: boolean) => console.log(lineOf(sample, isFirst))
    const { text, isWell } = report(yield* soak(wanted, tell, (line) => console.error(line)))
    console.log(`\n${text}`)
    return isWell ? 0 : 1
  })
)
