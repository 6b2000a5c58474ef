/** Of how many batches, the last ones, it is known how they went. */
const REMEMBERED = 32

/** What a batch takes at most where nothing is to wait for, in milliseconds, beside the work for its members. */
const WORK = 1

/** How many of them may be quick where batches are slow: some write nothing, and have no disk to wait for. */
const MOST_QUICK = 4

/** How batches go lately. */
export class Pace {
  private readonly wasQuick = Array.from({ length: REMEMBERED }, () => true)
  private quick = REMEMBERED
  private nth = 0

  /** Takes note of a batch that came back after so many milliseconds, in which the work for its members may have taken these. */
  took(milliseconds: number, work: number): void {
    const isQuick = milliseconds < WORK + work
    this.quick += Number(isQuick) - Number(this.wasQuick[this.nth])
    this.wasQuick[this.nth] = isQuick
    this.nth = (this.nth + 1) % REMEMBERED
  }

  /** Do batches wait for most of their time, for a disk or on their way? Then others beside them keep nobody from anything. */
  get isSlow(): boolean {
    return this.quick <= MOST_QUICK
  }
}
