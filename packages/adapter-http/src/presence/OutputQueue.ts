/** The subscribers with messages to write. They are written to in turn, in time slices. */
import type { Subscriber } from "./Subscriber.ts"
import { SLICE_MS } from "./slices.ts"

export class OutputQueue {
  private readonly queued = new Set<Subscriber>()
  private isScheduled = false
  /** Runs a task in a later turn of the event loop. */
  private readonly schedule: (task: () => void) => void

  constructor(schedule: (task: () => void) => void) {
    this.schedule = schedule
  }

  /** Adds a subscriber, which is written to in a later turn of the event loop. */
  add(subscriber: Subscriber): void {
    this.queued.add(subscriber)
    this.scheduleRun()
  }

  remove(subscriber: Subscriber): void {
    this.queued.delete(subscriber)
  }

  /** Writes to the queued subscribers for a slice of time, and to the rest in later turns of the event loop. */
  private readonly run = (): void => {
    this.isScheduled = false
    const until = performance.now() + SLICE_MS
    // A subscriber that is added again while it is written to is visited after the others.
    for (const subscriber of this.queued) {
      this.queued.delete(subscriber)
      subscriber.flush()
      if (performance.now() >= until) break
    }
    if (this.queued.size > 0) this.scheduleRun()
  }

  private scheduleRun(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    this.schedule(this.run)
  }
}
