/** When a batch is dispatched, and how many may be in flight at once: more where batches mostly wait than where they mostly work. */
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

/** How many batches the window covers. */
const WINDOW = 32

/** The longest duration of a batch that waits for nothing, in milliseconds, beside the work for its members. */
const BASELINE = 1

/** How many of the window may be quick while batches count as slow: some write nothing, and wait for no disk. */
const MAX_QUICK_BATCHES = 4

/** Classifies the last batches as quick or slow. */
export class LatencyWindow {
  private readonly wasQuick = Array.from({ length: WINDOW }, () => true)
  private quick = WINDOW
  private next = 0

  /** Records the duration of a batch, and how much of it the work for its members may have taken; both in milliseconds. */
  record(milliseconds: number, work: number): void {
    const isQuick = milliseconds < BASELINE + work
    this.quick += Number(isQuick) - Number(this.wasQuick[this.next])
    this.wasQuick[this.next] = isQuick
    this.next = (this.next + 1) % WINDOW
  }

  /** Do batches mostly wait, for a disk or for the network? Concurrent batches then take no processor time from each other. */
  get isSlow(): boolean {
    return this.quick <= MAX_QUICK_BATCHES
  }
}
