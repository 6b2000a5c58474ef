/**
 * Measures the server's bundle beside services written by hand, on one PostgreSQL, and writes a chart. It fails where
 * a candidate answers wrongly, and judges no figure.
 */
import { Effect } from "effect"
import { readArguments } from "./compare/Arguments.ts"
import { Incorrect } from "./compare/check.ts"
import { compare } from "./compare/compare.ts"
import { publish } from "./compare/publish.ts"
import { LoadFailed } from "./load/Load.ts"
import { runCommand } from "./shared/runCommand.ts"

const program = Effect.gen(function* () {
  const { comparison, out } = yield* readArguments(process.argv.slice(2))
  const compared = yield* compare(comparison, (line) => console.error(line))
  console.log(`\n${publish(comparison, compared, out)}`)
  return 0
})

/** Whether the candidate was at fault, rather than the measurement. */
const isFault = (error: unknown) => error instanceof Incorrect || error instanceof LoadFailed

runCommand(
  Effect.catchIf(program, isFault, (error) => {
    console.error(error instanceof Error ? error.message : error)
    return Effect.succeed(1)
  })
)
