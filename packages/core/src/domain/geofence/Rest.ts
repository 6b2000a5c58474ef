/** Where a device rests, if it does: a mean of many fixes, which is far better than each. */
import { metresBetween, wrapped } from "./metres.ts"
import type { Middle, RecentFixes } from "./RecentFixes.ts"
import type { SavedRest } from "./saved.ts"
import type { GeofenceSettings } from "./settings.ts"

export class Rest {
  isResting = false
  latitude = 0
  longitude = 0
  /** The mean accuracy of its fixes, in metres. */
  accuracy = 0
  /** For how long it is averaged, in milliseconds. */
  duration = 0
  readonly #settings: GeofenceSettings
  readonly #early: Middle = { latitude: 0, longitude: 0, accuracy: 0 }
  readonly #late: Middle = { latitude: 0, longitude: 0, accuracy: 0 }

  constructor(settings: GeofenceSettings) {
    this.#settings = settings
  }

  toJSON(): SavedRest | null {
    return this.isResting ? [this.latitude, this.longitude, this.accuracy, this.duration] : null
  }

  restore([latitude, longitude, accuracy, duration]: SavedRest): void {
    Object.assign(this, { isResting: true, latitude, longitude, accuracy, duration })
  }

  /** The standard error of the place, in metres: errors that are alike for a while count once. */
  get error(): number {
    const { correlation, toldAccuracy } = this.#settings
    return (this.accuracy / toldAccuracy) * Math.sqrt((2 * correlation) / (2 * correlation + this.duration))
  }

  /** Takes the newest fix, and the middle of the last ones where these are enough. */
  see(fixes: RecentFixes, last: Middle | undefined, longestSilence: number): void {
    const { restAfter, restLeft, restMemory, toldAccuracy } = this.#settings
    const i = fixes.count - 1
    const elapsed = i > 0 ? fixes.times[i]! - fixes.times[i - 1]! : 0
    if (this.isResting) {
      const limit = (restLeft * Math.max(this.accuracy, last?.accuracy ?? 0)) / toldAccuracy
      const left = last && metresBetween(this.latitude, this.longitude, last.latitude, last.longitude) > limit
      if (left || elapsed > restMemory) this.isResting = false
      else this.#include(fixes, i, elapsed, limit)
      if (this.isResting) return
    }
    const from = fixes.spanning(restAfter, longestSilence)
    if (from >= 0) this.#begin(fixes, from)
  }

  #include(fixes: RecentFixes, i: number, elapsed: number, limit: number): void {
    const latitude = fixes.latitudes[i]!
    const longitude = fixes.longitudes[i]!
    if (metresBetween(this.latitude, this.longitude, latitude, longitude) > limit) return
    this.duration = Math.min(this.duration + elapsed, this.#settings.restMemory)
    const part = Math.min(1, elapsed / this.duration)
    this.latitude += part * (latitude - this.latitude)
    this.longitude = wrapped(this.longitude + part * wrapped(longitude - this.longitude))
    this.accuracy += part * (fixes.accuracies[i]! - this.accuracy)
  }

  /** The device rests if its fixes of a time lie around one place: not elsewhere in the later half of it. */
  #begin(fixes: RecentFixes, from: number): void {
    const { restSpread, toldAccuracy } = this.#settings
    const half = (from + fixes.count) >> 1
    const early = this.#early
    const late = this.#late
    fixes.middle(from, half, early)
    fixes.middle(half, fixes.count, late)
    this.accuracy = (early.accuracy + late.accuracy) / 2
    const apart = metresBetween(early.latitude, early.longitude, late.latitude, late.longitude)
    if (apart > (restSpread * this.accuracy) / toldAccuracy) return
    this.isResting = true
    this.latitude = (early.latitude + late.latitude) / 2
    this.longitude = wrapped(early.longitude + wrapped(late.longitude - early.longitude) / 2)
    this.duration = fixes.newest - fixes.times[from]!
  }
}
