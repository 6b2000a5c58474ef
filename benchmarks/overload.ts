/**
 * Lets more movements arrive than the server answers, at a rate that does not wait for it, and shows what becomes of them: most of
 * its capacity is still answered, rejections are immediate, and nothing acknowledged is lost, or it fails.
 */
import { Effect } from "effect"
import { readArguments } from "./overload/Arguments.ts"
import { overload } from "./overload/overload.ts"
import { isWell, report } from "./overload/report.ts"
import { runCommand } from "./shared/runCommand.ts"

runCommand(
  Effect.gen(function* () {
    const wanted = yield* readArguments(process.argv.slice(2))
    const overloaded = yield* overload(wanted, (line) => console.error(line))
    console.log(`\n${report(overloaded)}`)
    return isWell(overloaded) ? 0 : 1
  })
)
