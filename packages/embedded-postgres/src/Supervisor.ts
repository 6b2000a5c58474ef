import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describeEnding } from "./Child.ts"
import type { EmbeddedPostgresError } from "./Errors.ts"
import * as Log from "./Log.ts"
import * as Server from "./Server.ts"
import type { Listening } from "./Settings.ts"

/** The server as it is now. */
export interface State {
  processId: number
  restarts: number
}

const FIRST_DELAY = Duration.millis(50)
const LONGEST_DELAY = Duration.seconds(10)

/** A server that ran for so long had started well: what happens to it then is another matter. In milliseconds. */
const WELL = 60_000

const watchLog = (context: Server.LaunchContext) =>
  Effect.sync(() => Log.rotate(context.directory)).pipe(
    // A disk may be full for a while.
    Effect.catchCause((cause) => Effect.logWarning("The log of PostgreSQL could not be rotated", cause)),
    Effect.delay("1 minute"),
    Effect.forever
  )

/**
 * Processes of a postmaster that was killed still hold its memory. Where the system does not tell which they are, there is
 * nothing to do but to wait.
 */
const isHeldByRemains = (error: EmbeddedPostgresError) =>
  error._tag === "StartFailed" && error.log.includes("pre-existing shared memory block")

/**
 * Runs the server until it is interrupted. When PostgreSQL ends by itself, it is started again in the same place: at once,
 * and after ever longer pauses of at most 10 seconds while it does not stay up. A full disk that is emptied is enough.
 *
 * `onReady` hears of every start. Fails when the first start does.
 */
export const keepRunning = (
  context: Server.LaunchContext,
  listening: Listening,
  state: State,
  onReady: Effect.Effect<unknown>
): Effect.Effect<never, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Effect.forkScoped(watchLog(context))
    let delay = FIRST_DELAY
    let isFirst = true
    const deadline = performance.now() + Duration.toMillis(context.options.startTimeout)
    const isFinal = (error: EmbeddedPostgresError) =>
      isFirst && (performance.now() > deadline || !isHeldByRemains(error))
    const run = Effect.gen(function* () {
      const child = yield* Server.start(context, listening)
      const since = performance.now()
      state.processId = child.pid
      if (!isFirst) state.restarts++
      isFirst = false
      yield* onReady
      const ending = yield* child.ended
      if (performance.now() - since > WELL) delay = FIRST_DELAY
      return `PostgreSQL in ${context.directory.path} ended by itself (${describeEnding(ending)})`
    }).pipe(Effect.scoped)
    while (true) {
      const what = yield* Effect.catch(run, (error) =>
        isFinal(error) ? Effect.fail(error) : Effect.succeed(error.message)
      )
      const log = Duration.isLessThan(delay, LONGEST_DELAY) ? Effect.logWarning : Effect.logError
      yield* log(`${what}: starting it again in ${Duration.format(delay)}`)
      yield* Effect.sleep(delay)
      delay = Duration.min(Duration.times(delay, 2), LONGEST_DELAY)
    }
  })
