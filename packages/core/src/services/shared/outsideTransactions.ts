import * as Effect from "effect/Effect"
import { IsInTransaction } from "../../ports/shared/CallersTransaction.ts"

/** Makes the function that runs an effect within a limit, or, in a transaction of the caller, without it. */
export const makeLimitedOutside = Effect.map(
  IsInTransaction,
  (isInTransaction) =>
    <A, E, R, A2 = A, E2 = E, R2 = R>(
      effect: Effect.Effect<A, E, R>,
      limit: (effect: Effect.Effect<A, E, R>) => Effect.Effect<A2, E2, R2>
    ): Effect.Effect<A | A2, E | E2, R | R2> =>
      Effect.flatMap(isInTransaction, (isInside): Effect.Effect<A | A2, E | E2, R | R2> =>
        isInside ? effect : limit(effect)
      )
)
