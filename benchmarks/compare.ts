/**
 * Measures the server's bundle beside services written by hand, on one PostgreSQL, and writes a chart. It fails where
 * anybody answers what they should not, and judges no figure.
 */
import { Cause, Effect, Exit } from "effect"
import { readArguments } from "./compare/Arguments.ts"
import { Incorrect } from "./compare/check.ts"
import { compare } from "./compare/compare.ts"
import { publish } from "./compare/publish.ts"
import { LoadFailed } from "./load/Load.ts"

const program = Effect.gen(function* () {
  const { comparison, out } = yield* readArguments(process.argv.slice(2))
  const compared = yield* compare(comparison, (line) => console.error(line))
  console.log(`\n${publish(comparison, compared, out)}`)
  return 0
})

/** Whoever is measured was at fault, and not the measuring. */
const isFault = (error: unknown) => error instanceof Incorrect || error instanceof LoadFailed

const ended = program.pipe(
  Effect.catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    return Effect.succeed(isFault(error) ? 1 : 2)
  })
)

const interrupted = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort())

const exit = await Effect.runPromiseExit(ended, { signal: interrupted.signal })
process.exitCode = Exit.isSuccess(exit) ? exit.value : 130
if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) console.error(Cause.pretty(exit.cause))
