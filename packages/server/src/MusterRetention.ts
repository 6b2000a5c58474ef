import { Musters } from "@sojourn/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

/** How often a server forgets musters. */
const EVERY = Duration.minutes(10)

/**
 * Forgets musters that ended longer ago than the retention, with all that they keep of people, at an interval while the scope is open.
 * Servers on the same storage may all do so. A failure is logged, and the next attempt is made at its time.
 */
export const layerMusterRetention = (retention: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { forget } = yield* Musters
      const forgetAll = forget(retention).pipe(
        Effect.tap((forgotten) => (forgotten > 0 ? Effect.logInfo(`${forgotten} musters forgotten`) : Effect.void)),
        Effect.catchTag("StoreError", ({ operation, cause }) =>
          Effect.logError(`musters were not forgotten: ${operation}`, cause)
        )
      )
      yield* Effect.forkScoped(Effect.repeat(forgetAll, Schedule.spaced(EVERY)))
    })
  ).pipe(Layer.provide(Musters.layer))
