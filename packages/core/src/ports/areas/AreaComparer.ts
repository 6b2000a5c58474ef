/** The port for checks of areas, which take long. A server runs them on another thread. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type AreaCheck, type AreaFault, checkAreas } from "../../domain/areas/AreaChecks.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** Checks areas. */
export interface AreaChecking {
  /**
   * Finds the first fault of areas, with the time that the check computed, without waits. Checks may wait for each other. One that has computed for
   * longer than `limit` ends with a `TimeoutError` before its next comparison. A check that has begun is not interrupted.
   */
  readonly firstFault: (
    check: AreaCheck,
    limit: Duration.Duration
  ) => Effect.Effect<[elapsed: Duration.Duration, fault: AreaFault | undefined], Cause.TimeoutError | StoreError>
}

/**
 * The implementation of the checks. By default they run on the calling thread: each comparison holds the event loop, for a few milliseconds
 * with areas of 1,000 points. A host whose callers are not trusted provides one with threads, as `@sojourn/server` does.
 */
export const AreaComparer = Context.Reference<AreaChecking>("@sojourn/core/AreaComparer", {
  defaultValue: () => ({
    firstFault: Effect.fnUntraced(function* (check, limit) {
      const steps = checkAreas(check)
      let computed = Duration.zero
      do {
        yield* Effect.yieldNow
        const [elapsed, step] = yield* Effect.timed(Effect.sync(() => steps.next()))
        computed = Duration.sum(computed, elapsed)
        if (step.done === true) return [computed, step.value]
      } while (Duration.isLessThanOrEqualTo(computed, limit))
      return yield* new Cause.TimeoutError()
    })
  })
})
