import { Effect, Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Runs a statement without ever cancelling it: where the fiber is interrupted, what ends the use of its session closes that. A
 * commit that waits for a synchronous standby would be ended by a cancel, on the primary alone: a repeated request finds it there,
 * and a promotion loses it. A host that says nothing would be waited for, until it answers the cancel.
 */
export const neverCancelled = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.flatMap(Effect.forkDetach(Effect.uninterruptible(statement), { startImmediately: true }), Fiber.join)
