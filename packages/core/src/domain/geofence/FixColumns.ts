/** Fixes in the order of their times, in columns: fixes come every second on a phone and should leave no garbage. */
import { ACCURACY, LATITUDE, LEVEL, LONGITUDE, TIMESTAMP } from "./fix.ts"
import { metresBetween, wrapped } from "./metres.ts"
import type { Place } from "./Place.ts"

/** How many fixes are kept. */
export const MAX_FIXES = 64

/** A fix as four numbers, or five where it has a level. */
export type PlainFix = readonly [
  timestamp: number,
  latitude: number,
  longitude: number,
  accuracy: number,
  level?: number
]

/** A fix of {@link readFix} to be kept. */
export const plain = (fix: ArrayLike<number>): PlainFix => {
  const known = [fix[TIMESTAMP]!, fix[LATITUDE]!, fix[LONGITUDE]!, fix[ACCURACY]!] as const
  return Number.isNaN(fix[LEVEL]) ? known : [...known, fix[LEVEL]!]
}

export class FixColumns {
  count = 0
  readonly times = new Float64Array(MAX_FIXES)
  readonly latitudes = new Float64Array(MAX_FIXES)
  readonly longitudes = new Float64Array(MAX_FIXES)
  readonly accuracies = new Float64Array(MAX_FIXES)
  /** NaN for a fix without a level. */
  readonly levels = new Float64Array(MAX_FIXES)
  readonly #sorted = new Float64Array(MAX_FIXES)
  readonly #middle = new Float64Array(1)

  get newest(): number {
    return this.count === 0 ? -Infinity : this.times[this.count - 1]!
  }

  get oldest(): number {
    return this.count === 0 ? -Infinity : this.times[0]!
  }

  get last() {
    return { latitude: this.latitudes[this.count - 1]!, longitude: this.longitudes[this.count - 1]! }
  }

  /** Replaces all fixes by these, which are in order. */
  replace(fixes: ReadonlyArray<PlainFix>): void {
    this.count = 0
    for (const fix of fixes.slice(-MAX_FIXES)) this.insert(this.count, fix)
  }

  metresBetween(index: number, other: number): number {
    const { latitudes, longitudes } = this
    return metresBetween(latitudes[index]!, longitudes[index]!, latitudes[other]!, longitudes[other]!)
  }

  toArray(): Array<PlainFix> {
    return Array.from({ length: this.count }, (_, i) => {
      const { accuracies, latitudes, levels, longitudes, times } = this
      return plain([times[i]!, latitudes[i]!, longitudes[i]!, accuracies[i]!, levels[i]!])
    })
  }

  /** The first of the fewest newest fixes that span this time; -1 if there are none without a silence of `longest`. */
  spanning(span: number, longest: number): number {
    const { times, newest } = this
    for (let i = this.count - 2; i >= 0; i--) {
      if (times[i + 1]! - times[i]! > longest) return -1
      if (newest - times[i]! >= span) return i
    }
    return -1
  }

  /** Whether the newest fix came after a silence longer than this, in milliseconds. */
  endsSilence(silence: number): boolean {
    return this.count > 1 && this.times[this.count - 1]! - this.times[this.count - 2]! > silence
  }

  /** The first of the newest fixes that follow each other without a silence of `longest`. */
  unbroken(longest: number): number {
    let i = this.count - 1
    while (i > 0 && this.times[i]! - this.times[i - 1]! <= longest) i--
    return i
  }

  /** The median of the fixes from an index up to another, in each direction, and the mean of their accuracies. */
  middle(from: number, to: number, into: Place): void {
    const { accuracies, latitudes, longitudes } = this
    let accuracy = 0
    for (let i = from; i < to; i++) accuracy += accuracies[i]!
    this.#median(from, to, latitudes)
    const latitude = this.#middle[0]!
    this.#median(from, to, longitudes)
    into.set(latitude, wrapped(this.#middle[0]!), accuracy / (to - from))
  }

  /** Leaves the median of degrees in a field: a number that is returned is an object. */
  #median(from: number, to: number, values: Float64Array): void {
    const sorted = this.#sorted
    const reference = values[to - 1]!
    const count = to - from
    for (let i = 0; i < count; i++) {
      const value = wrapped(values[from + i]! - reference)
      let at = i
      for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!
      sorted[at] = value
    }
    this.#middle[0] = reference + (sorted[(count - 1) >> 1]! + sorted[count >> 1]!) / 2
  }

  /** Whether there is a fix of exactly the same time. */
  isKnown(fix: Float64Array): boolean {
    const timestamp = fix[TIMESTAMP]!
    for (let i = this.count - 1; i >= 0 && this.times[i]! >= timestamp; i--)
      if (this.times[i] === timestamp) return true
    return false
  }

  /** Adds a fix in the order of times. Returns its index. */
  protected add(fix: ArrayLike<number | undefined>): number {
    let at = this.count
    while (at > 0 && this.times[at - 1]! > fix[TIMESTAMP]!) at--
    this.insert(at, fix)
    return at
  }

  protected insert(at: number, fix: ArrayLike<number | undefined>): void {
    if (at < this.count) this.shift(at, at + 1)
    else this.count++
    this.times[at] = fix[TIMESTAMP]!
    this.latitudes[at] = fix[LATITUDE]!
    this.longitudes[at] = fix[LONGITUDE]!
    this.accuracies[at] = fix[ACCURACY]!
    this.levels[at] = fix[LEVEL] ?? NaN
  }

  /** Drops every second fix of the older half. */
  protected thin(): void {
    for (let i = (this.count >> 1) - 1; i > 0; i -= 2) this.shift(i, i - 1)
  }

  /** Moves the fixes from an index on to another. */
  protected shift(from: number, to: number): void {
    this.times.copyWithin(to, from, this.count)
    this.latitudes.copyWithin(to, from, this.count)
    this.longitudes.copyWithin(to, from, this.count)
    this.accuracies.copyWithin(to, from, this.count)
    this.levels.copyWithin(to, from, this.count)
    this.count += to - from
  }
}
