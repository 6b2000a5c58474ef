/**
 * Limits the concurrency of writes that share no statement. So many of them have a connection at once, of equal ordering keys one: the others wait in front
 * of the pool, and leave its connections to readings and batches. A transaction that waits for the lock of its organization's row holds up no
 * other organization.
 */
import { Effect, Exit } from "effect"
import { type PendingItem, pendingItemOf, PendingQueue, type QueueKeys } from "./PendingQueue.ts"

/** How many writes may wait; those of one fairness key may have half of it. */
const MOST_PENDING = 10_000

/** Runs a write once the limit admits it. */
export type RunLimited<Refusal> = <A, E>(keys: QueueKeys, write: Effect.Effect<A, E>) => Effect.Effect<A, E | Refusal>

/** Makes a limiter that runs `concurrency` writes at once. A write fails with `overloaded` where too many wait. */
export const makeConcurrencyLimiter = <Refusal>(
  concurrency: number,
  overloaded: Refusal,
  mostPending = MOST_PENDING
): RunLimited<Refusal> => {
  const pending = new PendingQueue(mostPending)
  const orderingKeys = new Set<string>()
  let free = concurrency

  const dispatch = () => {
    while (free > 0 && pending.size > 0) {
      const [next] = pending.take(1, orderingKeys)
      if (next === undefined) return
      free--
      next.outcome = Exit.void
      next.answer!(Exit.void)
    }
  }

  /** Waits until the write is admitted, which is its outcome: the fiber may be interrupted before it goes on. */
  const wait = (item: PendingItem) =>
    Effect.callback<void, Refusal>((resume) => {
      item.answer = resume as never
      if (!pending.add(item)) resume(Effect.fail(overloaded))
      else dispatch()
    })

  const leave = (item: PendingItem) =>
    Effect.sync(() => {
      item.answer = undefined
      if (item.outcome === undefined) return
      free++
      if (item.keys.orderingKey !== undefined) orderingKeys.delete(item.keys.orderingKey)
      dispatch()
    })

  return (keys, write) =>
    Effect.acquireUseRelease(
      Effect.sync(() => pendingItemOf(undefined, keys, undefined, undefined)),
      (item) => Effect.andThen(wait(item), write),
      leave
    )
}
