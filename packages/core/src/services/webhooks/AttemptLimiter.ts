/** Bounds the deliveries of webhooks that begin at one moment, so that dead receivers delay the others only briefly. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"

/** How many attempts count at once. */
export const MAX_ATTEMPTS = 100

/** How long an attempt without an answer counts. */
export const COUNTED_FOR = Duration.millis(100)

/** Runs an attempt once it may begin. */
export type LimitAttempt = <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Makes a limit on how many attempts begin at once, which bounds memory and lets connections be used again. An attempt counts until its
 * answer, for 100 ms at most: slow and dead receivers delay others no longer than this, however long they are waited for.
 */
export const makeAttemptLimiter = (): LimitAttempt => {
  const permits = Semaphore.makeUnsafe(MAX_ATTEMPTS)
  return (attempt) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(attempt)
      yield* Effect.timeoutOption(Fiber.await(fiber), COUNTED_FOR)
      return fiber
    }).pipe(permits.withPermit, Effect.flatMap(Fiber.join))
}
