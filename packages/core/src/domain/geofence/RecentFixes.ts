/** The last fixes, in the order of their times. */
import { wrapped } from "./metres.ts"
import type { Place } from "./Place.ts"
import type { GeofenceFix } from "./types.ts"

/** How many fixes are kept, and for how long: what a decision and its timestamp look back at. */
const MOST = 64
export const KEPT = 240_000

/** For how long the last fix is kept until another one follows: both may decide together. */
const PAIRED = 1_800_000

/** The best accuracy that is believed, in metres: devices claim better ones than there are. */
const BEST_ACCURACY = 3

/** How many fixes in a row must be too late, one after the other, to show that the clock was set back. */
const AGREEING = 3

/** A fix as four numbers. */
export type PlainFix = readonly [timestamp: number, latitude: number, longitude: number, accuracy: number]

const plain = ({ coords, timestamp }: GeofenceFix): PlainFix => [
  timestamp,
  coords.latitude,
  coords.longitude,
  Math.max(BEST_ACCURACY, coords.accuracy)
]

/** What became of a fix: the newest, an older one that was put in order, dropped, or the first on a clock that was set back. */
export type Placed = "newest" | "ordered" | "dropped" | "anew"

export class RecentFixes {
  count = 0
  /** The index of the fix that was added last. */
  placed = 0
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

  get oldest(): number {
    return this.count === 0 ? -Infinity : this.times[0]!
  }

  get last() {
    return { latitude: this.latitudes[this.count - 1]!, longitude: this.longitudes[this.count - 1]! }
  }

  /** Takes a fix. */
  add({ coords, timestamp }: GeofenceFix): Placed {
    const newest = this.count === 0 ? -Infinity : this.times[this.count - 1]!
    if (timestamp < newest - this.#lateness) return this.#addLate(plain({ coords, timestamp }))
    if (this.#isKnown(timestamp)) return "dropped"
    if (this.late.length > 0) this.late = []
    this.#makeSpace(timestamp > newest ? timestamp : newest)
    let at = this.count
    while (at > 0 && this.times[at - 1]! > timestamp) at--
    this.#makeRoom(at)
    this.placed = at
    this.times[at] = timestamp
    this.latitudes[at] = coords.latitude
    this.longitudes[at] = coords.longitude
    this.accuracies[at] = coords.accuracy < BEST_ACCURACY ? BEST_ACCURACY : coords.accuracy
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

  /** Replaces all fixes by these, which are in order. */
  restore(fixes: ReadonlyArray<PlainFix>): void {
    this.count = 0
    for (const [timestamp, latitude, longitude, accuracy] of fixes.slice(-MOST)) {
      this.times[this.count] = timestamp
      this.latitudes[this.count] = latitude
      this.longitudes[this.count] = longitude
      this.accuracies[this.count] = accuracy
      this.count++
    }
  }

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

  /** Whether a silence longer than this parts the newest fix from the one before. */
  arePair(silence: number): boolean {
    return this.count > 1 && this.times[this.count - 1]! - this.times[this.count - 2]! > silence
  }

  /** The first of the newest fixes that no silence of `longest` parts. */
  unbroken(longest: number): number {
    let i = this.count - 1
    while (i > 0 && this.times[i]! - this.times[i - 1]! <= longest) i--
    return i
  }

  /** The median of the fixes from an index up to another, in each direction, and the mean of their accuracies. */
  middle(from: number, to: number, into: Place): void {
    const { accuracies, latitudes, longitudes } = this
    const reference = longitudes[to - 1]!
    let accuracy = 0
    for (let i = from; i < to; i++) accuracy += accuracies[i]!
    const latitude = this.#median(from, to, latitudes, 0)
    const longitude = wrapped(reference + this.#median(from, to, longitudes, reference))
    into.set(latitude, longitude, accuracy / (to - from))
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
    while (old < this.count && this.times[old]! < newest - (old === this.count - 1 ? PAIRED : KEPT)) old++
    if (old > 0) this.#shift(old, 0)
    if (this.count === MOST) for (let i = MOST / 2 - 1; i > 0; i -= 2) this.#shift(i, i - 1)
  }

  #makeRoom(at: number): void {
    if (at < this.count) this.#shift(at, at + 1)
    else this.count++
  }

  /** Moves the fixes from an index on to another. */
  #shift(from: number, to: number): void {
    this.times.copyWithin(to, from, this.count)
    this.latitudes.copyWithin(to, from, this.count)
    this.longitudes.copyWithin(to, from, this.count)
    this.accuracies.copyWithin(to, from, this.count)
    this.count += to - from
  }
}
