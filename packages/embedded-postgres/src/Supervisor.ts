/** Runs PostgreSQL on a data directory, and starts it again when it ends by itself. */
import { Deferred, Effect, Schedule, type Scope } from "effect"
import type { DirectoryInUse, DirectoryUnusable, StartFailed } from "./Errors.ts"
import * as Server from "./Server.ts"
import type { Listening } from "./Settings.ts"

/** The time between the end of PostgreSQL and the next start. */
const RESTART_DELAY = "1 second"

/**
 * Starts PostgreSQL and keeps it running until the scope ends. Returns the process id of the current postmaster. It recovers
 * without intervention, such as after a full disk. Fails only when the first start fails.
 */
export const keepRunning = Effect.fnUntraced(function* (
  context: Server.LaunchContext,
  listening: Listening
): Effect.fn.Return<() => number, DirectoryInUse | DirectoryUnusable | StartFailed, Scope.Scope> {
  let processId = 0
  const started = yield* Deferred.make<void, DirectoryInUse | DirectoryUnusable | StartFailed>()
  const run = Effect.gen(function* () {
    const { child, ended } = yield* Server.start(context, listening)
    processId = child.pid
    yield* Deferred.succeed(started, undefined)
    return `PostgreSQL in ${context.directory.path} ended by itself (${yield* ended})`
  }).pipe(
    Effect.scoped,
    Effect.catch((error) =>
      Effect.flatMap(Deferred.fail(started, error), (isFirst) =>
        isFirst ? Effect.interrupt : Effect.succeed(error.message)
      )
    ),
    Effect.flatMap((what) => Effect.logWarning(`${what}: starting it again`))
  )
  yield* Effect.forkScoped(Effect.repeat(run, Schedule.spaced(RESTART_DELAY)))
  yield* Deferred.await(started)
  return () => processId
})
