/** The last fixes, in the order of their times. */
import { wrapped } from "./metres.ts"

/** How many fixes are kept, and for how long: what a decision and its timestamp look back at. */
const MOST = 64
const KEPT = 240_000

/** How many fixes in a row must be too late, one after the other, to show that the clock was set back. */
const AGREEING = 3

/** A fix as four numbers. */
export type PlainFix = readonly [timestamp: number, latitude: number, longitude: number, accuracy: number]

/** What became of a fix: the newest, an older one that was put in order, dropped, or the first on a clock that was set back. */
export type Placed = "newest" | "ordered" | "dropped" | "anew"

/** A position, with the accuracy of the fixes that it is the middle of. */
export interface Middle {
  latitude: number
  longitude: number
  accuracy: number
}

export class RecentFixes {
  count = 0
  readonly times = new Float64Array(MOST)
  readonly latitudes = new Float64Array(MOST)
  readonly longitudes = new Float64Array(MOST)
  readonly accuracies = new Float64Array(MOST)
  /** Fixes in a row that were too late. */
  late: Array<PlainFix> = []
  readonly #sorted = new Float64Array(MOST)
  readonly #lateness: number

  constructor(lateness: number) {
    this.#lateness = lateness
  }

  get newest(): number {
    return this.count === 0 ? -Infinity : this.times[this.count - 1]!
  }

  /** Takes a fix. */
  add(timestamp: number, latitude: number, longitude: number, accuracy: number): Placed {
    const { newest } = this
    if (timestamp < newest - this.#lateness) return this.#addLate([timestamp, latitude, longitude, accuracy])
    let at = this.count
    while (at > 0 && this.times[at - 1]! > timestamp) at--
    if (at > 0 && this.times[at - 1] === timestamp) return "dropped"
    if (this.late.length > 0) this.late = []
    this.#makeSpace(Math.max(newest, timestamp))
    at = this.count
    while (at > 0 && this.times[at - 1]! > timestamp) at--
    this.#insert(at, timestamp, latitude, longitude, accuracy)
    return timestamp > newest ? "newest" : "ordered"
  }

  /** All fixes that follow one that is too late may agree with it that the clock was set back. */
  #addLate(fix: PlainFix): Placed {
    const last = this.late.at(-1)
    this.late = last === undefined || fix[0] > last[0] ? [...this.late, fix] : [fix]
    if (this.late.length < AGREEING) return "dropped"
    this.restore(this.late)
    this.late = []
    return "anew"
  }

  /** Replaces all fixes by these, which are in order. */
  restore(fixes: ReadonlyArray<PlainFix>): void {
    this.count = 0
    for (const fix of fixes.slice(-MOST)) this.#insert(this.count, ...fix)
  }

  /** The fixes from an index on. */
  toArray(): Array<PlainFix> {
    return Array.from({ length: this.count }, (_, i) => [
      this.times[i]!,
      this.latitudes[i]!,
      this.longitudes[i]!,
      this.accuracies[i]!
    ])
  }

  /** The first of the fewest newest fixes that span this time; -1 if none do without a silence of `longest`. */
  spanning(span: number, longest: number): number {
    const { times, newest } = this
    for (let i = this.count - 2; i >= 0; i--) {
      if (times[i + 1]! - times[i]! > longest) return -1
      if (newest - times[i]! >= span) return i
    }
    return -1
  }

  /** The first of the newest fixes that no silence of `longest` parts. */
  unbroken(longest: number): number {
    let i = this.count - 1
    while (i > 0 && this.times[i]! - this.times[i - 1]! <= longest) i--
    return i
  }

  /** The median of the fixes from an index up to another, in each direction, and the mean of their accuracies. */
  middle(from: number, to: number, into: Middle): void {
    const { accuracies, latitudes, longitudes } = this
    const reference = longitudes[to - 1]!
    let accuracy = 0
    for (let i = from; i < to; i++) accuracy += accuracies[i]!
    into.accuracy = accuracy / (to - from)
    into.latitude = this.#median(from, to, latitudes, 0)
    into.longitude = wrapped(reference + this.#median(from, to, longitudes, reference))
  }

  #median(from: number, to: number, values: Float64Array, reference: number): number {
    const sorted = this.#sorted
    const count = to - from
    for (let i = 0; i < count; i++) {
      const value = reference === 0 ? values[from + i]! : wrapped(values[from + i]! - reference)
      let at = i
      for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!
      sorted[at] = value
    }
    return (sorted[(count - 1) >> 1]! + sorted[count >> 1]!) / 2
  }

  /** Drops fixes that are too old, and when there are still too many, every second one of the older half. */
  #makeSpace(newest: number): void {
    let old = 0
    while (old < this.count && this.times[old]! < newest - KEPT) old++
    if (old > 0) this.#keep((i) => i >= old)
    if (this.count === MOST) this.#keep((i) => i >= MOST / 2 || i % 2 === 1)
  }

  #keep(isKept: (index: number) => boolean): void {
    let kept = 0
    for (let i = 0; i < this.count; i++) {
      if (!isKept(i)) continue
      this.times[kept] = this.times[i]!
      this.latitudes[kept] = this.latitudes[i]!
      this.longitudes[kept] = this.longitudes[i]!
      this.accuracies[kept] = this.accuracies[i]!
      kept++
    }
    this.count = kept
  }

  #insert(at: number, timestamp: number, latitude: number, longitude: number, accuracy: number): void {
    for (const [column, value] of [
      [this.times, timestamp],
      [this.latitudes, latitude],
      [this.longitudes, longitude],
      [this.accuracies, accuracy]
    ] as const) {
      column.copyWithin(at + 1, at, this.count)
      column[at] = value
    }
    this.count++
  }
}
