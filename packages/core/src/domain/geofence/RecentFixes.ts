/** The last fixes: which of them are kept, and how those are treated that arrive late. */
import { FixColumns, MAX_FIXES, type PlainFix } from "./FixColumns.ts"
import type { GeofenceFix } from "./types.ts"

/** For how long fixes are kept, in milliseconds: what a decision and its timestamp look back at. */
export const MAX_AGE = 240_000

/** For how long the last fix is kept until another one follows: both may decide together. */
const MAX_LAST_AGE = 1_800_000

/** The best accuracy that is believed, in metres: devices claim better ones than there are. */
const BEST_ACCURACY = 3

/** How many fixes in a row must be too late, one after the other, to show that the clock was set back. */
const AGREEING = 3

const plain = ({ coords, timestamp, level }: GeofenceFix): PlainFix => {
  const fix = [timestamp, coords.latitude, coords.longitude, Math.max(BEST_ACCURACY, coords.accuracy)] as const
  return level === undefined ? fix : [...fix, level]
}

/** What became of a fix: the newest, an older one that was put in order, dropped, or the first on a clock that was set back. */
type Placed = "newest" | "ordered" | "dropped" | "anew"

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

  add(fix: GeofenceFix): Placed {
    const { coords, timestamp, level } = fix
    const { newest } = this
    if (timestamp < newest - this.#lateness) return this.#addLate(plain(fix))
    if (this.#isKnown(timestamp)) return "dropped"
    if (this.late.length > 0) this.late = []
    this.#makeSpace(timestamp > newest ? timestamp : newest)
    let at = this.count
    while (at > 0 && this.times[at - 1]! > timestamp) at--
    this.insert(at, timestamp, coords.latitude, coords.longitude, Math.max(BEST_ACCURACY, coords.accuracy), level)
    this.placed = at
    return timestamp > newest ? "newest" : "ordered"
  }

  #isKnown(timestamp: number): boolean {
    for (let i = this.count - 1; i >= 0 && this.times[i]! >= timestamp; i--)
      if (this.times[i] === timestamp) return true
    return false
  }

  /** All fixes that follow one that is too late may agree with it that the clock was set back. */
  #addLate(fix: PlainFix): Placed {
    const last = this.late.at(-1)
    this.late = last === undefined || fix[0] > last[0] ? [...this.late, fix] : [fix]
    if (this.late.length < AGREEING) return "dropped"
    this.restore(this.late)
    this.placed = this.count - 1
    this.late = []
    return "anew"
  }

  /** Drops fixes that are too old, and when there are still too many, every second one of the older half. */
  #makeSpace(newest: number): void {
    let old = 0
    while (old < this.count && this.times[old]! < newest - (old === this.count - 1 ? MAX_LAST_AGE : MAX_AGE)) old++
    if (old > 0) this.shift(old, 0)
    if (this.count === MAX_FIXES) for (let i = MAX_FIXES / 2 - 1; i > 0; i -= 2) this.shift(i, i - 1)
  }
}
