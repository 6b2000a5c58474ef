/** Runs a benchmark as a command: exit codes, errors, and signals. */
import { Cause, Effect, Exit } from "effect"

/**
 * Runs a command to its exit code: what it answers, 2 where it fails, which it says on stderr, and 130 where it is
 * interrupted. Everything that it started ends before it.
 */
export const runCommand = (command: Effect.Effect<number, unknown>): void => {
  const ended = Effect.catch(command, (error) => {
    console.error(error instanceof Error ? error.message : error)
    return Effect.succeed(2)
  })
  const interrupted = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort())
  void Effect.runPromiseExit(ended, { signal: interrupted.signal }).then((exit) => {
    if (Exit.isSuccess(exit)) {
      process.exitCode = exit.value
    } else {
      const isInterrupted = Cause.hasInterruptsOnly(exit.cause)
      process.exitCode = isInterrupted ? 130 : 2
      if (!isInterrupted) console.error(Cause.pretty(exit.cause))
    }
  })
}
