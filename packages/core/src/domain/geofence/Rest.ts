/** Where a device rests, if it does: a mean of many fixes, which is far better than each. */
import { wrapped } from "./metres.ts"
import { type Evidence, Place } from "./Place.ts"
import type { RecentFixes } from "./RecentFixes.ts"
import type { SavedRest, SavedScatter } from "./saved.ts"
import type { GeofenceSettings } from "./settings.ts"

/** The claimed accuracy is believed as if the device had rested for so long before, in milliseconds. */
const FIRST_SCATTER = 120_000

/** The largest mean square of a device that moves. */
const MOST_MOVING_SCATTER = 4

/** Standard deviations above this, in metres, are of positioning that errs for minutes. */
const LARGE_ERROR = 30

/** After this time a fix is known to be one at rest. */
const SETTLED = 60_000

/** The largest square of an error that counts, in standard deviations as claimed: an outlier is no scatter. */
const MOST_SCATTER = 50

export class Rest extends Place {
  isResting = false
  readonly #duration = new Float64Array(1)
  /** The mean square of errors at rest, in standard deviations as claimed, and the time over which it is one. */
  readonly #scatter = Float64Array.of(1, 0)
  readonly #settings: GeofenceSettings
  readonly #early = new Place()
  readonly #late = new Place()

  constructor(settings: GeofenceSettings) {
    super()
    this.#settings = settings
  }

  /** For how long it is averaged, in milliseconds. */
  get duration(): number {
    return this.#duration[0]!
  }

  toJSON(): SavedRest | null {
    return this.isResting ? [this.latitude, this.longitude, this.accuracy, this.duration] : null
  }

  get scatter(): SavedScatter {
    return [this.#scatter[0]!, this.#scatter[1]!]
  }
  set scatter(scatter: SavedScatter) {
    this.#scatter.set(scatter)
  }

  /** The standard deviation that an accuracy stands for, in metres: larger than claimed where fixes at rest scatter more. */
  sigmaOf(accuracy: number): number {
    // It was learned indoors: on the way errors are smaller.
    const square = this.isResting ? this.#scatter[0]! : Math.min(MOST_MOVING_SCATTER, this.#scatter[0]!)
    return (accuracy / this.#settings.reportedAccuracy) * (square > 1 ? Math.sqrt(square) : 1)
  }

  /** That of the fixes at the place. */
  get sigma(): number {
    return this.sigmaOf(this.accuracy)
  }

  restore([latitude, longitude, accuracy, duration]: SavedRest): void {
    this.isResting = true
    this.#duration[0] = duration
    this.set(latitude, longitude, accuracy)
  }

  /** The standard error of the place, in metres: errors that are alike for a while count once. */
  get error(): number {
    const { sigma } = this
    // Large errors stay alike for longer.
    const correlation = this.#settings.correlation * Math.max(1, (sigma / LARGE_ERROR) ** 2)
    return sigma * Math.sqrt((2 * correlation) / (2 * correlation + this.duration))
  }

  /** Takes the newest fix, and the middle of the last ones where these are enough. */
  see(fixes: RecentFixes, last: Evidence | undefined, longestSilence: number): void {
    const { restAfter, restMemory } = this.#settings
    const i = fixes.count - 1
    if (this.isResting) {
      const isAlone = i === 0 || fixes.times[i]! - fixes.times[i - 1]! > restMemory
      const isLeft = fixes.endsSilence(longestSilence)
        ? this.#isFar(fixes, isAlone ? i : i - 1, last)
        : last && this.#isLeft(fixes, last)
      if (isLeft) this.isResting = false
      else if (this.metresTo(fixes, i) <= this.#limit(last)) this.#include(fixes, i, longestSilence)
      if (this.isResting) return
    }
    const from = fixes.spanning(restAfter, longestSilence)
    if (from >= 0) this.#begin(fixes, from)
    // A rest that the newest fixes have left already is none.
    if (this.isResting && last && this.#isLeft(fixes, last)) this.isResting = false
  }

  /** How far from the place of rest errors reach, in metres. */
  #limit(last: Evidence | undefined): number {
    // Fixes that are more accurate know better.
    const accuracy = last ? Math.max(last.accuracy, this.accuracy / 2) : this.accuracy
    return this.#settings.restLeft * this.sigmaOf(accuracy)
  }

  /** Of two fixes both must lie elsewhere: an outlier moves their middle. */
  #isLeft(fixes: RecentFixes, last: Evidence): boolean {
    const limit = this.#limit(last)
    if (this.metresToPlace(last) <= limit) return false
    return fixes.count - last.from > 2 || this.#isFar(fixes, last.from, last)
  }

  /** Whether a fix and the newest one both lie elsewhere. */
  #isFar(fixes: RecentFixes, index: number, last: Evidence | undefined): boolean {
    const limit = this.#limit(last)
    return this.metresTo(fixes, index) > limit && this.metresTo(fixes, fixes.count - 1) > limit
  }

  /** Whether all fixes lie at the place. */
  holds(fixes: RecentFixes): boolean {
    for (let i = 0; i < fixes.count; i++) if (this.metresTo(fixes, i) > this.#limit(undefined)) return false
    return true
  }

  #include(fixes: RecentFixes, i: number, longest: number): void {
    const elapsed = Math.min(longest, i === 0 ? longest : fixes.times[i]! - fixes.times[i - 1]!)
    // A fix of the last minute may be the first of a way.
    const rested = fixes.spanning(SETTLED, longest)
    if (rested >= 0) this.#scatterBy(this.metresTo(fixes, rested), fixes.accuracies[rested]!, elapsed)
    this.#duration[0] = Math.min(this.duration + elapsed, this.#settings.restMemory)
    const part = Math.min(1, elapsed / this.duration)
    const { accuracy, latitude, longitude } = this
    this.set(
      latitude + part * (fixes.latitudes[i]! - latitude),
      wrapped(longitude + part * wrapped(fixes.longitudes[i]! - longitude)),
      accuracy + part * (fixes.accuracies[i]! - accuracy)
    )
  }

  #scatterBy(metres: number, accuracy: number, elapsed: number): void {
    const scatter = this.#scatter
    const deviations = (metres * this.#settings.reportedAccuracy) / accuracy
    scatter[1] = Math.min(scatter[1]! + elapsed, this.#settings.scatterMemory)
    const part = elapsed / (scatter[1] + FIRST_SCATTER)
    scatter[0] = scatter[0]! + part * (Math.min(MOST_SCATTER, deviations * deviations) / 2 - scatter[0]!)
  }

  /** The device rests if its fixes of a time lie around one place: not elsewhere in the later half of it. */
  #begin(fixes: RecentFixes, from: number): void {
    const half = (from + fixes.count) >> 1
    const early = this.#early
    const late = this.#late
    fixes.middle(from, half, early)
    fixes.middle(half, fixes.count, late)
    const accuracy = (early.accuracy + late.accuracy) / 2
    if (early.metresToPlace(late) > this.#settings.restSpread * this.sigmaOf(Math.min(early.accuracy, late.accuracy)))
      return
    this.isResting = true
    const longitude = wrapped(early.longitude + wrapped(late.longitude - early.longitude) / 2)
    this.set((early.latitude + late.latitude) / 2, longitude, accuracy)
    this.#duration[0] = fixes.newest - fixes.times[from]!
  }
}
