import { PresenceFeed, Timestamp } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

/** How often a server forgets events, and how many at once. */
const EVERY = Duration.minutes(10)
const EVENTS_AT_ONCE = 5_000

/**
 * Forgets events of the feeds that were told longer ago than the retention, at an interval while the scope is open. Servers on the
 * same storage may all do so. A failure is logged, and the next attempt is made at its time.
 */
export const layerFeedRetention = (retention: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { forget } = yield* PresenceFeed
      const forgetAll = Effect.gen(function* () {
        const before = Timestamp((yield* Clock.currentTimeMillis) - Duration.toMillis(retention))
        while ((yield* forget(before, EVENTS_AT_ONCE)) === EVENTS_AT_ONCE) yield* Effect.yieldNow
      }).pipe(
        Effect.catchTag("StoreError", ({ operation, cause }) =>
          Effect.logError(`presence events were not forgotten: ${operation}`, cause)
        )
      )
      yield* Effect.forkScoped(Effect.repeat(forgetAll, Schedule.spaced(EVERY)))
    })
  )
