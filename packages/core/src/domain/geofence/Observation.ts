/** What the rules of a geofence look at, gathered once for each fix, and the measures that entrances and exits share. */
import { areApart, type Fence } from "./Fence.ts"
import { FenceIndex } from "./FenceIndex.ts"
import { HeldFixes } from "./HeldFixes.ts"
import { Evidence, Place } from "./Place.ts"
import { MAX_AGE, RecentFixes } from "./RecentFixes.ts"
import { Rest } from "./Rest.ts"
import type { SavedObservation } from "./saved.ts"
import type { GeofenceSettings } from "./settings.ts"

/** After a silence of this length the fixes before it say nothing of where the device is now. */
export const LONGEST_SILENCE = 90_000

/** Areas narrower than this are entered by fixes of this accuracy all the same. */
const SMALL_AREA = 20

/** The fastest that a device is expected to move between two fixes, in metres per second: a fix further off may be wrong. */
const FASTEST = 2

/** A device moved if its fixes lie this many standard deviations apart. */
export const MOVED = 4

/** Of how many premises that the device has left the time is kept: a state stays small. */
const MAX_LEFT = 20

/** When the device entered premises, or left them last. */
interface Presence {
  readonly isInside: boolean
  readonly at: number
}

export class Observation {
  index = new FenceIndex([])
  /** Which fences the device is inside of, by their index: 1 or 0. */
  insides: Uint8Array = new Uint8Array(0)
  readonly settings: GeofenceSettings
  readonly presence = new Map<string, Presence>()
  readonly fixes: RecentFixes
  readonly held: HeldFixes
  readonly rest: Rest
  readonly recent = new Evidence()
  readonly longer = new Evidence()
  readonly #at = new Place()

  constructor(settings: GeofenceSettings) {
    this.settings = settings
    this.fixes = new RecentFixes(settings.lateness)
    this.held = new HeldFixes(settings)
    this.rest = new Rest(settings)
  }

  restore({ fixes, late, presence, rest, scatter, ...hold }: SavedObservation): void {
    for (const [key, isInside, at] of presence) this.presence.set(key, { isInside, at })
    this.fixes.replace(fixes)
    this.held.restore(hold)
    if (scatter) this.rest.scatter = scatter
    this.fixes.late = [...late]
    if (rest) this.rest.restore(rest)
  }

  toJSON(): SavedObservation {
    return {
      presence: Array.from(this.presence, ([key, { isInside, at }]) => [key, isInside, at] as const),
      fixes: this.fixes.toArray(),
      late: this.fixes.late,
      rest: this.rest.toJSON(),
      ...(this.rest.scatter[1] > 0 && { scatter: this.rest.scatter }),
      ...this.held.toJSON()
    }
  }

  setFences(fences: ReadonlyArray<Fence>): void {
    this.index = new FenceIndex(fences)
    this.insides = Uint8Array.from(fences, ({ key }) => (this.isInside(key) ? 1 : 0))
  }

  /** The clock was set back: the last fixes are the first on it. What was left by the clock before says nothing of times by this one. */
  turnBack(): void {
    this.rest.isResting &&= this.rest.holds(this.fixes)
    for (const [key, { isInside, at }] of this.presence) {
      if (!isInside && at > this.fixes.oldest) this.presence.set(key, { isInside, at: this.fixes.oldest - 1 })
    }
  }

  isInside(key: string): boolean {
    return this.presence.get(key)?.isInside === true
  }

  change(fence: Fence, isInside: boolean, at: number): void {
    // The last change comes last.
    this.presence.delete(fence.key)
    this.presence.set(fence.key, { isInside, at })
    this.#forget()
    this.insides[this.index.fences.indexOf(fence)] = isInside ? 1 : 0
  }

  /** Keeps the last of the premises that were left: all fixes of their visits are gone. */
  #forget(): void {
    const left = [...this.presence].filter(([, { isInside }]) => !isInside)
    for (const [key, { at }] of left.slice(0, -MAX_LEFT)) if (!(at >= this.fixes.oldest)) this.presence.delete(key)
  }

  /** Gathers the evidence of the last fixes for entrances, and for rest where the newest of them was just added. */
  look({ hasNewest }: { readonly hasNewest: boolean }): void {
    const recent = this.#gather(this.settings.entranceSpan, this.recent)
    if (hasNewest) this.rest.see(this.fixes, recent, LONGEST_SILENCE)
  }

  /** Gathers the evidence of the last fixes for exits. */
  lookLonger(): void {
    this.#gather(this.settings.exitSpan, this.longer)
  }

  #gather(span: number, into: Evidence): Evidence | undefined {
    into.from = this.fixes.spanning(span, LONGEST_SILENCE)
    if (into.from < 0) return undefined
    this.fixes.middle(into.from, this.fixes.count, into)
    return into
  }

  /** The standard deviation that an accuracy stands for, in metres. */
  sigma(accuracy: number): number {
    return this.rest.sigmaOf(accuracy)
  }

  isAccurate(fence: Fence, accuracy: number): boolean {
    return accuracy <= this.settings.worstAccuracy && accuracy <= Math.max(SMALL_AREA, fence.side)
  }

  /** Whether a fix is on another level than a fence. */
  isOffLevel(fence: Fence, index: number): boolean {
    return areApart(this.fixes.levels[index]!, fence.level)
  }

  /** The distance of a fix to the border of a fence, as `metresToBorder` measures it: infinite on another level. */
  metresTo(fence: Fence, index: number, farthest?: number): number {
    if (this.isOffLevel(fence, index)) return Infinity
    this.#at.set(this.fixes.latitudes[index]!, this.fixes.longitudes[index]!, 0)
    return this.#at.metresToBorder(fence, farthest)
  }

  /** Whether a fix, the newest if none is named, lies so many standard deviations inside. */
  isDeepInside(fence: Fence, deviations: number, index = this.fixes.count - 1): boolean {
    const accuracy = this.fixes.accuracies[index]!
    const depth = deviations * this.sigma(accuracy)
    return this.isAccurate(fence, accuracy) && this.metresTo(fence, index) <= -depth
  }

  isFarOutside(fence: Fence, index: number): boolean {
    const { exitMargin, exitResting } = this.settings
    return this.metresTo(fence, index) > exitMargin + exitResting * this.sigma(this.fixes.accuracies[index]!)
  }

  /** Whether the newest fix lies elsewhere than the one before, beyond what errors explain. */
  hasMoved(): boolean {
    return this.#metresFromLast() > (MOVED / 2) * this.#sigmaOfLastTwo()
  }

  /** Whether the newest fix is near enough to the one before: an outlier is not. */
  isCredible(): boolean {
    const { count, times } = this.fixes
    const elapsed = times[count - 1]! - times[count - 2]!
    if (count < 2 || elapsed > MAX_AGE) return true
    return this.#metresFromLast() <= (FASTEST * elapsed) / 1000 + 2 * this.#sigmaOfLastTwo()
  }

  #metresFromLast(): number {
    return this.fixes.metresBetween(this.fixes.count - 2, this.fixes.count - 1)
  }

  #sigmaOfLastTwo(): number {
    const { accuracies, count } = this.fixes
    return this.sigma(accuracies[count - 2]! + accuracies[count - 1]!)
  }
}
