/** The subscribers with messages to write. They are written to in turn, in time slices. */
import type { Subscriber } from "./Subscriber.ts"
import { SLICE_MS } from "./slices.ts"

/**
 * Makes what adds a subscriber to a new queue.
 * @param schedule runs a task in a later turn of the event loop.
 */
export const makeOutputQueue = (schedule: (task: () => void) => void): ((subscriber: Subscriber) => void) => {
  const queued = new Set<Subscriber>()
  let isScheduled = false
  /** Writes for a slice of time, and the rest in later turns of the event loop. */
  const run = () => {
    const until = performance.now() + SLICE_MS
    // A subscriber that is added again while it is written to is visited after the others.
    for (const subscriber of queued) {
      queued.delete(subscriber)
      subscriber.flush()
      if (performance.now() >= until) break
    }
    isScheduled = queued.size > 0
    if (isScheduled) schedule(run)
  }
  return (subscriber) => {
    queued.add(subscriber)
    if (isScheduled) return
    isScheduled = true
    schedule(run)
  }
}
