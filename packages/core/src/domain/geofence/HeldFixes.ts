/**
 * Fixes that are held back: those of a device at rest that lie elsewhere all at once. Positioning by access points does so indoors, for
 * minutes, and claims a good accuracy. They count once the device is seen to move, or when they last longer than such a jump.
 */
import { FixColumns, type PlainFix } from "./FixColumns.ts"
import { ACCURACY, LATITUDE, LONGITUDE, MOTION, TIMESTAMP } from "./fix.ts"
import { metresBetween } from "./metres.ts"
import { Place } from "./Place.ts"
import type { RecentFixes } from "./RecentFixes.ts"
import type { Rest } from "./Rest.ts"
import { readTimes, savedTime, type SavedHold } from "./saved.ts"
import type { GeofenceSettings } from "./settings.ts"

/** How many fixes are held. */
const MAX_HELD = 24

/** How many fixes the begin and the end of a way are the middle of. */
const END = 3

/** After this time without a fix a device may have walked. */
const GAP_MS = 90_000

/** After this time a device may have walked as far as it jumps. */
const SPARSE_MS = 30_000

/** Such a fix is expected no farther than a walk of this time, and held for a while where it lies farther. */
const STEP_MS = 20_000

/** The speed, in metres per second, and the part of the error of a walk out between two fixes: an invented exit is worse than a late one. */
const STEP_SPEED = 1.4
const STEP_SIGMA = 0.6

/** For so long a device is expected to walk between two fixes. */
const LONGEST_WALK_MS = 45_000

/** For so long an outlier interrupts a walk. */
const OUTLIER_MS = 10_000

/** Fixes of a shorter time show no way. */
const LEAST_WAY_MS = 30_000

/** For how long a device that jumped is expected to do so again. */
const JUMP_MEMORY_MS = 86_400_000

/** What becomes of a fix: it counts, it is held back, or it ends that, and all that were held back count. */
type Verdict = "passed" | "held" | "released"

const HELD_FOR = 0
const JUMPED_AT = 1
const WALKABLE = 2
const MOVES = 3

export class HeldFixes extends FixColumns {
  /** For how long fixes are held, when the last jump ended, whether the device may have walked there, and how many fixes have sensed motion. */
  readonly #numbers = Float64Array.of(0, -Infinity, 0, 0)
  readonly #settings: GeofenceSettings
  readonly #from = new Place()
  readonly #to = new Place()

  constructor(settings: GeofenceSettings) {
    super()
    this.#settings = settings
  }

  restore({ held = [], hold }: { readonly held?: ReadonlyArray<PlainFix>; readonly hold?: SavedHold }): void {
    this.replace(held)
    if (hold) this.#numbers.set(readTimes(hold).slice(0, this.#numbers.length))
  }

  toJSON(): { readonly held?: ReadonlyArray<PlainFix>; readonly hold?: SavedHold } {
    if (this.count === 0 && this.#numbers[JUMPED_AT] === -Infinity) return {}
    const hold = Array.from(this.#numbers, savedTime)
    return { ...(this.count > 0 && { held: this.toArray() }), hold }
  }

  /** Judges a fix by the place of rest, the last fixes that counted, and the fences that the device is inside of. */
  take(fix: Float64Array, fixes: RecentFixes, rest: Rest, insides: Uint8Array): Verdict {
    const timestamp = fix[TIMESTAMP]!
    if (this.count === 0 && (!rest.isResting || timestamp <= fixes.newest)) return "passed"
    if (timestamp < this.newest - this.#settings.lateness) return this.#end()
    const sigma = Math.max(rest.sigma, rest.sigmaOf(fix[ACCURACY]!))
    const distance = rest.metresToFix(fix)
    if (this.count === 0 && distance <= this.#settings.jumpFrom * sigma) return "passed"
    const fromHeld = this.#metresFromHeld(fix)
    if (this.count > 0 && distance <= this.#settings.jumpNear * sigma && distance < fromHeld) {
      if (this.count > 1) this.#numbers[JUMPED_AT] = timestamp
      return this.#end()
    }
    if (this.count === 0 && distance > this.#reach(sigma)) return "passed"
    const { latitudes, longitudes, count, newest } = fixes
    const way = metresBetween(latitudes[count - 1]!, longitudes[count - 1]!, fix[LATITUDE]!, fix[LONGITUDE]!)
    const elapsed = timestamp - newest
    // Of fixes that were held only few in a row are outliers.
    const walked =
      this.count === 0 ? (elapsed > GAP_MS ? 0 : elapsed) : Math.max(0, timestamp - this.newest) + OUTLIER_MS
    const isWalk =
      way <= this.#walk(Math.min(walked, this.count === 0 && walked > SPARSE_MS ? STEP_MS : LONGEST_WALK_MS), sigma)
    if (isWalk && way < fromHeld) return this.#end()
    if (this.count > 0 && this.isKnown(fix)) return "held"
    if (this.count === 0) {
      this.#numbers[MOVES] = 0
      this.#numbers[HELD_FOR] = 0
      const isStep = elapsed <= GAP_MS && insides.includes(1)
      const reach = isStep ? this.#walk(elapsed, STEP_SIGMA * sigma, STEP_SPEED) : this.#walk(elapsed, sigma)
      this.#numbers[WALKABLE] = elapsed > SPARSE_MS && way <= reach ? 1 : 0
    }
    const isLeap = this.#hold(fix, sigma)
    return this.#isMoved(rest, sigma, isLeap) || this.#isOver(0) ? "released" : "held"
  }

  /** Whether this time since the newest fix, in milliseconds, releases the fixes. */
  isReleasedAfter(silence: number): boolean {
    return this.#isOver(this.#isStill(this.#numbers[MOVES]!) ? 0 : silence)
  }

  /** Whether sensors that detect rest contradict a move: not where the device may have moved before. */
  #isStill(motion: number): boolean {
    return motion < 0 && this.#numbers[WALKABLE] === 0
  }

  /** Hands the fixes over. */
  release(to: RecentFixes): void {
    for (const fix of this.toArray()) to.take(Float64Array.from([...fix, NaN, NaN]))
    this.#end()
  }

  #end(): Verdict {
    this.count = 0
    return "passed"
  }

  /** How far from the place of rest a jump leads. */
  #reach(sigma: number): number {
    return this.#settings.jumpReach + this.#settings.jumpNear * sigma
  }

  /** How far a device may have come on foot, by fixes with this error. */
  #walk(elapsed: number, sigma: number, speed = this.#settings.walk): number {
    const { correlation, jumpDeviations } = this.#settings
    const noise = sigma * Math.sqrt(2 * (1 - Math.exp(-elapsed / correlation)))
    return (speed * elapsed) / 1000 + jumpDeviations * noise
  }

  /** The distance of a fix from the nearer one of the last two that are held: the last may be an outlier. */
  #metresFromHeld(fix: Float64Array): number {
    const { count, latitudes, longitudes } = this
    let nearest = Infinity
    for (let i = Math.max(0, count - 2); i < count; i++) {
      nearest = Math.min(nearest, metresBetween(latitudes[i]!, longitudes[i]!, fix[LATITUDE]!, fix[LONGITUDE]!))
    }
    return nearest
  }

  /** Holds a fix. Returns whether it lies apart from the others, where it may be an outlier. */
  #hold(fix: Float64Array, sigma: number): boolean {
    const numbers = this.#numbers
    const elapsed = this.count === 0 ? 0 : Math.max(0, fix[TIMESTAMP]! - this.newest)
    if (!this.#isStill(fix[MOTION]!)) numbers[HELD_FOR] = numbers[HELD_FOR]! + elapsed
    numbers[MOVES] = fix[MOTION]! > 0 ? Math.max(0, numbers[MOVES]!) + 1 : fix[MOTION]!
    if (this.count === MAX_HELD) this.thin()
    const at = this.add(fix)
    // The device jumped again: a way begins anew.
    const isLeap = at > 0 && !this.#follows(at - 1, at, sigma)
    if (at < 2) return isLeap
    if (this.#follows(at - 2, at - 1, sigma)) return isLeap
    if (this.#follows(at - 2, at, sigma) && this.metresBetween(at - 2, at) < this.metresBetween(at - 1, at)) {
      this.shift(at, at - 1)
      return false
    }
    numbers[HELD_FOR] = elapsed
    this.shift(at - 1, 0)
    return isLeap
  }

  /** Whether one held fix is on a way from another. */
  #follows(from: number, to: number, sigma: number): boolean {
    return this.metresBetween(from, to) <= this.#walk(this.times[to]! - this.times[from]!, sigma, this.#settings.ride)
  }

  /** Whether the fixes show a way: they lie on it, out of reach of jumps, or the device's sensors detect it. */
  #isMoved(rest: Rest, sigma: number, isLeap: boolean): boolean {
    const { count } = this
    const { jumpWay, jumpWayDeviations } = this.#settings
    if (this.#numbers[MOVES]! > 1) return true
    if (count < 2 || isLeap) return false
    const reach = this.#reach(sigma)
    if (rest.metresTo(this, count - 1) > reach && rest.metresTo(this, count - 2) > reach) return true
    if (this.newest - this.oldest < LEAST_WAY_MS) return false
    const end = Math.min(END, count >> 1)
    this.middle(0, end, this.#from)
    this.middle(count - end, count, this.#to)
    return this.#from.metresToPlace(this.#to) > jumpWay + jumpWayDeviations * sigma
  }

  #isOver(more: number): boolean {
    const { jumpLongest, jumpLongestWalkable } = this.#settings
    const hasJumped = Math.abs(this.newest - this.#numbers[JUMPED_AT]!) < JUMP_MEMORY_MS
    const longest = hasJumped || this.#numbers[WALKABLE] === 0 ? jumpLongest : jumpLongestWalkable
    return this.#numbers[HELD_FOR]! + more >= longest
  }
}
