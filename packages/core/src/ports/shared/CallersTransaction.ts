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
