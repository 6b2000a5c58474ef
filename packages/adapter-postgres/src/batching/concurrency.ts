/** When a batch is dispatched, and how many may be in flight at once. */
import type { InFlightBatch } from "./InFlightBatch.ts"

export interface ConcurrencyLimits {
  /** While batches are quick. */
  readonly concurrency: number
  /** While batches are slow, or full ones wait. */
  readonly concurrencyWhenSlow: number
  /** How many items a full batch has. */
  readonly largestBatch: number
}

/** How many late batches may be in flight beside the others. */
const MAX_LATE_BATCHES = 7

/**
 * May another batch be dispatched? Beside others a full one, which would not become larger; and while batches are slow one that has as many
 * items as they have on average: fewer would share a commit else.
 */
export const mayDispatch = (
  { concurrency, concurrencyWhenSlow, largestBatch }: ConcurrencyLimits,
  inFlight: ReadonlySet<InFlightBatch>,
  areSlow: boolean,
  pending: number
): boolean => {
  let onTime = 0
  let carried = 0
  for (const { state, members } of inFlight) {
    if (state !== "on time") continue
    onTime++
    carried += members.length
  }
  if (inFlight.size >= concurrency + MAX_LATE_BATCHES) return false
  if (onTime < concurrency) return true
  return onTime < concurrencyWhenSlow && (pending >= largestBatch || (areSlow && pending * onTime >= carried))
}
