/** Where a device rests, if it does: a mean of many fixes, which is far better than each. */
import { wrapped } from "./metres.ts"
import { type Evidence, Place } from "./Place.ts"
import type { RecentFixes } from "./RecentFixes.ts"
import type { SavedRest } from "./saved.ts"
import type { GeofenceSettings } from "./settings.ts"

export class Rest extends Place {
  isResting = false
  readonly #duration = new Float64Array(1)
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

  restore([latitude, longitude, accuracy, duration]: SavedRest): void {
    this.isResting = true
    this.#duration[0] = duration
    this.set(latitude, longitude, accuracy)
  }

  /** The standard error of the place, in metres: errors that are alike for a while count once. */
  get error(): number {
    const { correlation, reportedAccuracy } = this.#settings
    return (this.accuracy / reportedAccuracy) * Math.sqrt((2 * correlation) / (2 * correlation + this.duration))
  }

  /** Takes the newest fix, and the middle of the last ones where these are enough. */
  see(fixes: RecentFixes, last: Evidence | undefined, longestSilence: number): void {
    const { restAfter, restMemory } = this.#settings
    const i = fixes.count - 1
    if (this.isResting) {
      const isSilent = i === 0 || fixes.times[i]! - fixes.times[i - 1]! > restMemory
      const isLeft = fixes.endsSilence(longestSilence)
        ? this.#isFar(fixes, i - 1, last)
        : last && this.#isLeft(fixes, last)
      if (isSilent || isLeft) this.isResting = false
      else if (this.metresTo(fixes, i) <= this.#limit(last)) this.#include(fixes, i)
      if (this.isResting) return
    }
    const from = fixes.spanning(restAfter, longestSilence)
    if (from >= 0) this.#begin(fixes, from)
    // A rest that the newest fixes have left already is none.
    if (this.isResting && last && this.#isLeft(fixes, last)) this.isResting = false
  }

  /** How far from the place of rest errors reach, in metres. */
  #limit(last: Evidence | undefined): number {
    const { restLeft, reportedAccuracy } = this.#settings
    const accuracy = last && last.accuracy > this.accuracy ? last.accuracy : this.accuracy
    return (restLeft * accuracy) / reportedAccuracy
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

  #include(fixes: RecentFixes, i: number): void {
    const elapsed = fixes.times[i]! - fixes.times[i - 1]!
    this.#duration[0] = Math.min(this.duration + elapsed, this.#settings.restMemory)
    const part = Math.min(1, elapsed / this.duration)
    const { accuracy, latitude, longitude } = this
    this.set(
      latitude + part * (fixes.latitudes[i]! - latitude),
      wrapped(longitude + part * wrapped(fixes.longitudes[i]! - longitude)),
      accuracy + part * (fixes.accuracies[i]! - accuracy)
    )
  }

  /** The device rests if its fixes of a time lie around one place: not elsewhere in the later half of it. */
  #begin(fixes: RecentFixes, from: number): void {
    const { restSpread, reportedAccuracy } = this.#settings
    const half = (from + fixes.count) >> 1
    const early = this.#early
    const late = this.#late
    fixes.middle(from, half, early)
    fixes.middle(half, fixes.count, late)
    const accuracy = (early.accuracy + late.accuracy) / 2
    if (early.metresToPlace(late) > (restSpread * accuracy) / reportedAccuracy) return
    this.isResting = true
    const longitude = wrapped(early.longitude + wrapped(late.longitude - early.longitude) / 2)
    this.set((early.latitude + late.latitude) / 2, longitude, accuracy)
    this.#duration[0] = fixes.newest - fixes.times[from]!
  }
}
