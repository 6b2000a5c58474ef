/** Supervises PostgreSQL: restarts the postmaster when it ends, and rotates its log. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describeEnding } from "./Child.ts"
import type { EmbeddedPostgresError } from "./Errors.ts"
import * as Log from "./Log.ts"
import * as Server from "./Server.ts"
import type { Listening } from "./Settings.ts"

/** The current postmaster's process id, and the number of restarts so far. */
export interface State {
  processId: number
  restarts: number
}

const FIRST_DELAY = Duration.millis(50)
const LONGEST_DELAY = Duration.seconds(10)

/** The uptime after which a failure no longer counts towards the backoff, in milliseconds. */
const WELL = 60_000

const watchLog = (context: Server.LaunchContext) =>
  Effect.sync(() => Log.rotate(context.directory)).pipe(
    // Rotation fails while the disk is full, and is tried again.
    Effect.catchCause((cause) => Effect.logWarning("The log of PostgreSQL could not be rotated", cause)),
    Effect.delay("1 minute"),
    Effect.forever
  )

/**
 * Whether a start failed because processes of a killed postmaster still use its shared memory. On systems where they cannot
 * be found, the only remedy is to retry until they have ended.
 */
const isHeldByRemains = (error: EmbeddedPostgresError) =>
  error._tag === "StartFailed" && error.log.includes("pre-existing shared memory block")

/**
 * Keeps PostgreSQL running until it is interrupted. When PostgreSQL ends by itself, it is restarted on the same data, with
 * an exponential backoff from 50 milliseconds to 10 seconds. It recovers without intervention, such as after a full disk.
 *
 * `onReady` runs after every start. Fails only when the first start fails.
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
