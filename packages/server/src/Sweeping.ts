import { Sweeps, type Swept } from "@sojourn/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

/** Logs what a sweep did, unless it did nothing. */
const logSwept = ({ abandoned, forgotten, failures }: Swept) =>
  Effect.gen(function* () {
    if (abandoned > 0 || forgotten > 0)
      yield* Effect.logInfo(`swept: ${abandoned} stays abandoned, ${forgotten} accesses forgotten`)
    for (const { operation, cause } of failures) yield* Effect.logError(`sweep failed: ${operation}`, cause)
  })

/**
 * Runs a sweep of the stay policies at an interval while the scope is open. Servers on the same storage share the work. A sweep that
 * fails is logged, and the next one runs at its time.
 */
export const layerSweeping = (every: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { sweep } = yield* Sweeps
      // A timer may fire a little early by the clock: the server's own last sweep must not prevent this one.
      const sweepOnce = sweep(Duration.times(every, 0.9)).pipe(
        Effect.matchEffect({
          onFailure: ({ operation, cause }) => Effect.logError(`sweep failed: ${operation}`, cause),
          onSuccess: logSwept
        })
      )
      yield* Effect.sleep(every).pipe(
        Effect.andThen(Effect.repeat(sweepOnce, Schedule.spaced(every))),
        Effect.forkScoped
      )
    })
  ).pipe(Layer.provide(Sweeps.layer))
