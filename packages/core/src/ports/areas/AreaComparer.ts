/** The port for checks of areas, which take long. A server runs them on another thread. */
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type AreaComparison, type AreaConflict, firstConflict, whyMalformed } from "../../domain/areas/AreaChecks.ts"
import type { TrackingAreaFault } from "../../domain/areas/TrackingArea.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** The result of a check with the time that it computed, without waits. */
export type AreaCheck<A> = Effect.Effect<[elapsed: Duration.Duration, result: A], Cause.TimeoutError | StoreError>

/**
 * Checks areas. Checks may wait for each other. One that takes longer than `limit` once it has begun fails with a `TimeoutError`, where
 * the implementation can end it. A check that has begun is not interrupted.
 */
export interface AreaChecking {
  /** Why a text is no well-formed area; undefined when it is one. */
  readonly whyMalformed: (text: string, limit: Duration.Duration) => AreaCheck<TrackingAreaFault | undefined>
  /** The first conflict of an area with others; undefined when there is none. */
  readonly firstConflict: (comparison: AreaComparison, limit: Duration.Duration) => AreaCheck<AreaConflict | undefined>
}

/** Runs a check on the calling thread, after the other fibers that are ready. */
const here = <A>(check: () => A): AreaCheck<A> => Effect.andThen(Effect.yieldNow, Effect.timed(Effect.sync(check)))

/**
 * The implementation of the checks. By default they run on the calling thread: each holds the event loop for a few milliseconds for each
 * area of 1,000 points, and a time limit takes effect after the check. A host whose callers are not trusted provides one with threads, as
 * `@sojourn/server` does.
 */
export const AreaComparer = Context.Reference<AreaChecking>("@sojourn/core/AreaComparer", {
  defaultValue: () => ({
    whyMalformed: (text) => here(() => whyMalformed(text)),
    firstConflict: (comparison) => here(() => firstConflict(comparison))
  })
})
