/** Failures of background work, which are counted and logged while the work goes on. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const failures = Metric.counter("sojourn_background_failures_total", {
  description: "Failures of background work, or of its part for one organization, that are not for lack of the storage",
  incremental: true
})

/** How often the same failure is logged, in milliseconds: some work is repeated several times a second. */
const LOG_INTERVAL_MS = 60_000

/** When each failure was logged last. */
const loggedAt = new Map<string, number>()

/** Counts that background work failed, and logs it from time to time. */
export const reportFailure = (what: string, cause: unknown): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* Metric.update(failures, 1)
    const at = yield* Clock.currentTimeMillis
    const last = loggedAt.get(what)
    if (last !== undefined && at >= last && at < last + LOG_INTERVAL_MS) return
    loggedAt.set(what, at)
    yield* Effect.logError(`${what} failed: the rest of the work goes on`, cause)
  })

/** Recovers from a defect with a value: the defect would end a loop of background work for all organizations. */
export const insteadOfDefect =
  <B>(what: string, value: B) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, E, R> =>
    Effect.catchDefect(effect, (defect) => Effect.as(reportFailure(what, defect), value))
