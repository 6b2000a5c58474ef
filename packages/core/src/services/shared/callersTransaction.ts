/** Transactions of callers that the operations of stores are part of. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Whether the calling fiber is in a transaction that its operations on the stores are part of. Such a fiber shares no run and no cache with
 * others, which do not see its writes, and waits for no limit, whose holders may wait for its locks. Stores that take part in transactions
 * provide it; false without them.
 */
export const IsInTransaction = Context.Reference<Effect.Effect<boolean>>("@sojourn/core/IsInTransaction", {
  defaultValue: () => Effect.succeed(false)
})

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
