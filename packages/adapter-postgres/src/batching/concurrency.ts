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

/** How large a batch that collects becomes, as a part of the one before. With all of it, every caller would come to share one batch, and wait for it. */
const COLLECTED_PART = 0.8

/** How long a batch collects at most, in milliseconds. */
const MAX_COLLECTING_MS = 10

/**
 * In a shared lane: how many items the next batch collects after one of `completed` items that took `age` milliseconds, and for how long at most,
 * also in milliseconds; undefined where it is dispatched at once. Those whom a batch answers mostly come again, but not at the same moment, as each
 * process hands its items over by itself: batches would be as small as what one of them hands over.
 */
export const collectingAfter = (
  completed: number,
  pending: number,
  age: number
): { readonly size: number; readonly within: number } | undefined => {
  const size = COLLECTED_PART * completed
  return completed === 1 || pending >= size ? undefined : { size, within: Math.min(age, MAX_COLLECTING_MS) }
}
