/** The last fixes: which of them are kept, and how those are treated that arrive late. */
import { FixColumns, MAX_FIXES, type PlainFix, plain } from "./FixColumns.ts"
import { TIMESTAMP } from "./fix.ts"

/** For how long fixes are kept, in milliseconds: what a decision and its timestamp look back at. */
export const MAX_AGE = 240_000

/** For how long the last fix is kept until another one follows: both may decide together. */
const MAX_LAST_AGE = 1_800_000

/** How many fixes in a row must be too late, one after the other, to show that the clock was set back. */
const AGREEING = 3

/** What became of a fix: the newest, an older one that was put in order, dropped, or the first on a clock that was set back. */
export type Placed = "newest" | "ordered" | "dropped" | "anew"

export class RecentFixes extends FixColumns {
  /** The index of the fix that was added last. */
  placed = 0
  /** Fixes in a row that were too late. */
  late: Array<PlainFix> = []
  readonly #lateness: number

  constructor(lateness: number) {
    super()
    this.#lateness = lateness
  }

  take(fix: Float64Array): Placed {
    const timestamp = fix[TIMESTAMP]!
    const { newest } = this
    if (timestamp < newest - this.#lateness) return this.#addLate(plain(fix))
    if (this.isKnown(fix)) return "dropped"
    if (this.late.length > 0) this.late = []
    this.#makeSpace(fix)
    this.placed = this.add(fix)
    return timestamp > newest ? "newest" : "ordered"
  }

  /** All fixes that follow one that is too late may agree with it that the clock was set back. */
  #addLate(fix: PlainFix): Placed {
    const last = this.late.at(-1)
    this.late = last === undefined || fix[0] > last[0] ? [...this.late, fix] : [fix]
    if (this.late.length < AGREEING) return "dropped"
    this.replace(this.late)
    this.placed = this.count - 1
    this.late = []
    return "anew"
  }

  /** Drops fixes that are too old, and when there are still too many, every second one of the older half. */
  #makeSpace(fix: Float64Array): void {
    const newest = Math.max(this.newest, fix[TIMESTAMP]!)
    let old = 0
    while (old < this.count && this.times[old]! < newest - (old === this.count - 1 ? MAX_LAST_AGE : MAX_AGE)) old++
    if (old > 0) this.shift(old, 0)
    if (this.count === MAX_FIXES) this.thin()
  }
}
