import { Histories, type StoreError } from "@sojourn/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

/** How often a server adds events to the buckets of the history. */
const ROLL_UP_EVERY = Duration.minutes(1)

/** How often a server forgets minutes. */
const FORGET_EVERY = Duration.hours(1)

const logged = <A>(what: string, effect: Effect.Effect<A, StoreError>) =>
  Effect.catchTag(effect, "StoreError", ({ operation, cause }) => Effect.logError(`${what}: ${operation}`, cause))

/**
 * Rolls up presence events into the history, and forgets its minutes after the retention, at intervals while the scope is open. Servers
 * on the same storage share the work. A failure is logged, and the next attempt is made at its time.
 */
export const layerHistoryKeeping = (retention: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { rollUp, forgetMinutes } = yield* Histories
      const rolling = logged("presence events were not rolled up", rollUp)
      const forgetting = logged("minutes of presence were not forgotten", forgetMinutes(retention))
      yield* Effect.forkScoped(Effect.repeat(rolling, Schedule.spaced(ROLL_UP_EVERY)))
      yield* Effect.forkScoped(Effect.repeat(forgetting, Schedule.spaced(FORGET_EVERY)))
    })
  ).pipe(Layer.provide(Histories.layer))
