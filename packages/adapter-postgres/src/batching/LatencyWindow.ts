/** Decides whether batches mostly wait or mostly work. A `BatchQueue` dispatches several at once only while they wait. */

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
