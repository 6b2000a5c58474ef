import { Sweeps, type Swept } from "@sojourn/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

/** What a sweep did, in numbers; nothing, when there was nothing to do. */
const tell = ({ abandoned, forgotten, failures }: Swept) =>
  Effect.gen(function* () {
    if (abandoned > 0 || forgotten > 0)
      yield* Effect.logInfo(`swept: ${abandoned} stays abandoned, ${forgotten} accesses forgotten`)
    for (const { operation, cause } of failures) yield* Effect.logError(`sweep failed: ${operation}`, cause)
  })

/**
 * Sweeps by stay policies every so often for as long as it is built, whoever else does on the same storage. A sweep that
 * fails is told of, and the next one comes in its time.
 */
export const layerSweeping = (every: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { sweep } = yield* Sweeps
      // A timer may be a little early by the clock: a server's own last turn must not be in its way.
      const turn = sweep(Duration.times(every, 0.9)).pipe(
        Effect.matchEffect({
          onFailure: ({ operation, cause }) => Effect.logError(`sweep failed: ${operation}`, cause),
          onSuccess: tell
        })
      )
      yield* Effect.sleep(every).pipe(Effect.andThen(Effect.repeat(turn, Schedule.spaced(every))), Effect.forkScoped)
    })
  ).pipe(Layer.provide(Sweeps.layer))
