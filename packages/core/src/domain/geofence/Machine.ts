/** The state machine of a geofence: fixes and times in, transitions out. */
import { Circle, LARGEST_CIRCLE } from "./Circle.ts"
import { type Fence, makeFences, metresToBorder } from "./Fence.ts"
import { FenceIndex } from "./FenceIndex.ts"
import { metresBetween } from "./metres.ts"
import { Evidence, Place } from "./Place.ts"
import { KEPT, RecentFixes } from "./RecentFixes.ts"
import { Rest } from "./Rest.ts"
import { readState, type SavedState } from "./saved.ts"
import type { GeofenceSettings } from "./settings.ts"
import type { GeofenceArea, GeofenceCircle, GeofenceFix, GeofenceState, GeofenceTransition } from "./types.ts"

/** After a silence of this length the fixes before it say nothing of where the device is now. */
const LONGEST_SILENCE = 90_000

/** Fixes this far apart in time are sparse: to wait for the next one takes too long. */
const SPARSE = 30_000

/** How long a single fix must remain without another, before time alone lets it decide. */
const SINGLE_ENTRANCE = 10_000
const SINGLE_EXIT = 60_000

/** Areas narrower than this are entered by fixes of this accuracy all the same. */
const SMALL_AREA = 20

/** The fastest that a device is expected to move between two fixes, in metres per second: a fix further off may be wrong. */
const FASTEST = 2

/**
 * A median of positions inside a circle lies inside one whose radius is this many times as large: it is taken in each
 * direction apart. The rest is for what the earth is not flat.
 */
const MEDIAN_REACH = 1.03 * Math.SQRT2

/** A device moved if its fixes lie this many standard deviations apart. */
const MOVED = 4

/** How far outside the middle of fixes may lie that are an entrance nevertheless, in metres, however wide their errors. */
const LOOSEST = 10

/** How old a fix can be to take part in a decision. */
const DECISIVE = 200_000

const NONE: ReadonlyArray<GeofenceTransition> = Object.freeze([])

const isDegrees = (value: unknown, most: number): value is number =>
  typeof value === "number" && Math.abs(value) <= most

const isAccuracy = (value: unknown): value is number => typeof value === "number" && value > 0 && value < Infinity

const isTime = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= 8.64e15

/** When the device entered premises, or left them last. */
interface Presence {
  readonly isInside: boolean
  readonly at: number
}

export class Machine {
  #index = new FenceIndex([])
  /** Which fences the device is inside of, by their index: 1 or 0. */
  #insides: Uint8Array = new Uint8Array(0)
  #sequence = 0
  #ignored = 0
  /** The time that was told last. */
  readonly #clock = Float64Array.of(-Infinity)
  readonly #settings: GeofenceSettings
  readonly #presence = new Map<string, Presence>()
  readonly #fixes: RecentFixes
  readonly #rest: Rest
  readonly #recent = new Evidence()
  readonly #longer = new Evidence()
  /** Nothing changes while fixes lie in this circle; its radius is 0 when a fix anywhere may change something. */
  readonly #safe = new Circle()
  /** The newest fix ended a rest: it may be an outlier. */
  #hasRisen = false
  readonly #last = new Place()

  constructor(areas: ReadonlyArray<GeofenceArea>, settings: GeofenceSettings, saved: unknown) {
    this.#settings = settings
    const fences = makeFences(areas)
    this.#fixes = new RecentFixes(settings.lateness)
    this.#rest = new Rest(settings)
    const state = readState(saved)
    if (state !== undefined) this.#restore(state)
    this.#setFences(fences)
  }

  #restore(state: SavedState): void {
    this.#sequence = state.sequence
    this.#ignored = state.ignored
    this.#clock[0] = state.now ?? -Infinity
    for (const [key, isInside, at] of state.presence) this.#presence.set(key, { isInside, at })
    this.#fixes.restore(state.fixes)
    this.#fixes.late = [...state.late]
    if (state.rest) this.#rest.restore(state.rest)
  }

  #setFences(fences: ReadonlyArray<Fence>): void {
    this.#index = new FenceIndex(fences)
    this.#insides = Uint8Array.from(fences, ({ key }) => (this.#isInside(key) ? 1 : 0))
    this.#safe.set(0, 0, 0)
    if (this.#fixes.count === 0) return
    // The next fix decides what has changed: this finds the circle alone.
    this.#look(false)
    this.#decide(NEVER, NEVER)
  }

  push(fix: GeofenceFix): ReadonlyArray<GeofenceTransition> {
    const { latitude, longitude, accuracy } = fix?.coords ?? {}
    const timestamp = fix?.timestamp
    const isFix =
      isDegrees(latitude, 90) &&
      isDegrees(longitude, 180) &&
      isAccuracy(accuracy) &&
      isTime(timestamp) &&
      // Where devices are that know nothing.
      !(latitude === 0 && longitude === 0)
    if (!isFix) return this.#ignore()
    const isFirst = this.#fixes.count === 0 && this.#presence.size === 0
    const placed = this.#fixes.add(fix)
    if (placed === "dropped") return this.#ignore()
    if (placed === "anew") this.#rest.isResting = false
    if (placed === "anew" || timestamp > this.#clock[0]!) this.#clock[0] = timestamp
    if (isFirst) return this.#decide(this.#startsInside, NEVER)
    this.#look(placed === "newest")
    if (this.#safe.holds(this.#fixes, this.#fixes.placed)) return NONE
    return this.#decide(this.#enters, this.#leaves)
  }

  tick(now: number): ReadonlyArray<GeofenceTransition> {
    if (!isTime(now)) return NONE
    this.#clock[0] = now
    const { count, times, newest } = this.#fixes
    if (count === 0 || now - newest < SINGLE_ENTRANCE) return NONE
    const spacing = count > 1 ? times[count - 1]! - times[count - 2]! : 0
    if (now - newest < Math.min(2 * spacing, SPARSE) || !this.#isCredible()) return NONE
    this.#look(false)
    const isLeft = now - newest >= Math.max(SINGLE_EXIT, spacing > LONGEST_SILENCE ? 0 : 2 * spacing)
    return this.#decide(this.#isInsideAlone, isLeft ? this.#isOutsideAlone : NEVER)
  }

  inside() {
    return this.#index.fences.flatMap(({ key, premises }) => {
      const presence = this.#presence.get(key)
      return presence?.isInside ? [{ ...premises, since: presence.at }] : []
    })
  }

  nextCheck(): GeofenceCircle | undefined {
    if (this.#fixes.count === 0) return undefined
    const { latitude, longitude, radius } = this.#safe
    return radius > 0 ? { latitude, longitude, radius } : { ...this.#fixes.last, radius }
  }

  stale(): boolean {
    return this.#fixes.count > 0 && this.#clock[0]! - this.#fixes.newest > this.#settings.staleAfter
  }

  ignored(): number {
    return this.#ignored
  }

  update(areas: ReadonlyArray<GeofenceArea>): ReadonlyArray<GeofenceTransition> {
    const fences = makeFences(areas)
    const kept = new Set(fences.map(({ key }) => key))
    const gone = this.#index.fences.filter(({ key }) => !kept.has(key) && this.#isInside(key)).reverse()
    const transitions = gone.map((fence) => this.#change(fence, false, this.#clock[0]!))
    // What is gone may come back: until then the fixes of its last visit show no other one.
    for (const [key, { at }] of this.#presence) {
      if (!kept.has(key) && !(at >= this.#fixes.oldest)) this.#presence.delete(key)
    }
    this.#setFences(fences)
    return transitions
  }

  toJSON(): GeofenceState & SavedState {
    return {
      version: 1,
      sequence: this.#sequence,
      ignored: this.#ignored,
      now: this.#clock[0] === -Infinity ? null : this.#clock[0]!,
      presence: Array.from(this.#presence, ([key, { isInside, at }]) => [key, isInside, at] as const),
      fixes: this.#fixes.toArray(),
      late: this.#fixes.late,
      rest: this.#rest.toJSON()
    }
  }

  #ignore(): ReadonlyArray<GeofenceTransition> {
    this.#ignored++
    return NONE
  }

  #isInside(key: string): boolean {
    return this.#presence.get(key)?.isInside === true
  }

  /** Gathers what the last fixes tell. */
  #look(isNewest: boolean): void {
    const recent = this.#gather(this.#settings.entranceSpan, this.#recent)
    const wasResting = this.#rest.isResting
    if (isNewest) this.#rest.see(this.#fixes, recent, LONGEST_SILENCE)
    this.#hasRisen = wasResting && !this.#rest.isResting
  }

  #gather(span: number, into: Evidence): Evidence | undefined {
    into.from = this.#fixes.spanning(span, LONGEST_SILENCE)
    if (into.from < 0) return undefined
    this.#fixes.middle(into.from, this.#fixes.count, into)
    return into
  }

  /** Changes what these rules say has changed. Exits come inner to outer, entrances outer to inner. */
  #decide(enters: (fence: Fence) => boolean, leaves: (fence: Fence) => boolean): ReadonlyArray<GeofenceTransition> {
    this.#gather(this.#settings.exitSpan, this.#longer)
    const newest = this.#fixes.count - 1
    const index = this.#index
    const centre = this.#centreOf(newest)
    index.find(centre, this.#reach(centre, newest), this.#insides)
    let radius = Math.min(LARGEST_CIRCLE, index.nearest - LOOSEST)
    let entered: Array<Fence> | undefined
    let left: Array<Fence> | undefined
    for (let i = 0; i < index.count; i++) {
      const fence = index.fences[index.near[i]!]!
      const isInside = this.#insides[index.near[i]!] === 1
      if (isInside && leaves(fence)) (left ??= []).push(fence)
      if (!isInside && enters(fence)) (entered ??= []).push(fence)
      const distance = metresToBorder(fence, centre.latitude, centre.longitude, radius + LOOSEST)
      radius = Math.min(radius, isInside ? -distance : distance - LOOSEST)
    }
    if (left?.some((fence) => this.#restsInside(fence))) this.#rest.isResting = false
    this.#setSafe(centre, left || entered || radius < 0 ? 0 : radius / MEDIAN_REACH)
    return left || entered ? this.#transitions(left ?? [], entered ?? []) : NONE
  }

  /** Where the circle of what is safe lies around: the place of rest, or the newest fix. */
  #centreOf(newest: number): Place {
    if (this.#rest.isResting) return this.#rest
    this.#last.set(this.#fixes.latitudes[newest]!, this.#fixes.longitudes[newest]!, 0)
    return this.#last
  }

  /** How far from the centre anything lies that may decide an entrance. */
  #reach(centre: Place, newest: number): number {
    const toRecent = this.#recent.from < 0 ? 0 : centre.metresToPlace(this.#recent)
    return LOOSEST + toRecent + centre.metresTo(this.#fixes, newest)
  }

  #metresTo(fence: Fence, index: number, farthest?: number): number {
    return metresToBorder(fence, this.#fixes.latitudes[index]!, this.#fixes.longitudes[index]!, farthest)
  }

  /** Sets the circle, if all that takes part in decisions lies in it. */
  #setSafe(centre: Place, radius: number): void {
    const fixes = this.#fixes
    this.#safe.set(centre.latitude, centre.longitude, radius)
    for (let i = fixes.count - 1; i >= 0 && fixes.times[i]! > fixes.newest - DECISIVE; i--) {
      if (!this.#safe.holds(fixes, i)) this.#safe.set(0, 0, 0)
    }
  }

  #transitions(left: ReadonlyArray<Fence>, entered: ReadonlyArray<Fence>): ReadonlyArray<GeofenceTransition> {
    const inner = [...left].reverse()
    const exits = inner.map((fence) => this.#timeOf(fence, false))
    const entrances = entered.map((fence) => this.#timeOf(fence, true))
    // A phone that is inside an area is inside the one around it.
    for (const [i, fence] of inner.entries()) {
      for (let j = 0; j < i; j++) if (liesWithin(inner[j]!, fence)) exits[i] = Math.max(exits[i]!, exits[j]!)
    }
    for (const [i, fence] of entered.entries()) {
      for (let j = i + 1; j < entered.length; j++) {
        if (liesWithin(entered[j]!, fence)) entrances[i] = Math.min(entrances[i]!, entrances[j]!)
      }
    }
    return [
      ...inner.map((fence, i) => this.#change(fence, false, exits[i]!)),
      ...entered.map((fence, i) => this.#change(fence, true, entrances[i]!))
    ]
  }

  /** Times of one premises never run backwards. */
  #change(fence: Fence, isInside: boolean, time: number): GeofenceTransition {
    const { key, premises } = fence
    const timestamp = Math.max(time, this.#presence.get(key)?.at ?? -Infinity)
    this.#presence.set(key, { isInside, at: timestamp })
    const index = this.#index.fences.indexOf(fence)
    this.#insides[index] = isInside ? 1 : 0
    return { movement: isInside ? "entrance" : "exit", ...premises, timestamp, sequence: ++this.#sequence }
  }

  /** The fix that showed it first: it parts the fixes best into those before on one side and those after on the other. */
  #timeOf(fence: Fence, isEntrance: boolean): number {
    const { accuracies, count, times } = this.#fixes
    const since = this.#presence.get(fence.key)?.at ?? -Infinity
    let [sum, most, time] = [0, -Infinity, times[count - 1]!]
    for (let i = count - 1; i >= 0 && times[i]! > since; i--) {
      const limit = accuracies[i]!
      const clipped = Math.max(-limit, Math.min(limit, this.#metresTo(fence, i, limit)))
      sum += isEntrance ? -clipped : clipped
      if (sum > most) {
        most = sum
        time = times[i]!
      }
    }
    return time
  }

  #sigma(accuracy: number): number {
    return accuracy / this.#settings.toldAccuracy
  }

  #isAccurate(fence: Fence, accuracy: number): boolean {
    return accuracy <= this.#settings.worstAccuracy && accuracy <= Math.max(SMALL_AREA, fence.side)
  }

  /** A field, since a function made in `push` would cost each fix a context of 40 bytes. */
  readonly #startsInside = (fence: Fence): boolean => this.#isDeepInside(fence, this.#settings.unknownDepth)

  readonly #enters = (fence: Fence): boolean => {
    const { aloneDepth, entranceDepth, entranceMargin, restEntrance, restOutside, unknownDepth } = this.#settings
    const rest = this.#rest
    if (rest.isResting) {
      const distance = metresToBorder(fence, rest.latitude, rest.longitude)
      if (distance > restOutside * rest.error) return false
      const depth = Math.max(-LOOSEST, restEntrance * rest.error)
      if (distance < -depth && this.#isAccurate(fence, rest.accuracy)) return true
    }
    if (this.#isSparse() && this.#isDeepInside(fence, aloneDepth)) return true
    if (this.#fixes.arePair(LONGEST_SILENCE)) {
      const newest = this.#fixes.count - 1
      return this.#isDeepInside(fence, aloneDepth) && this.#isDeepInside(fence, aloneDepth, newest - 1)
    }
    const recent = this.#recent
    if (recent.from < 0 || !this.#isAccurate(fence, recent.accuracy)) return false
    const deviations = this.#isUnknown() ? unknownDepth : entranceDepth
    const depth = entranceMargin + deviations * this.#sigma(recent.accuracy)
    return this.#liesInside(fence, recent, Math.max(-LOOSEST, depth))
  }

  /** Two fixes have no middle that one of them could not move: both must lie there. */
  #liesInside(fence: Fence, evidence: Evidence, depth: number): boolean {
    const newest = this.#fixes.count - 1
    if (metresToBorder(fence, evidence.latitude, evidence.longitude, -depth) > -depth) return false
    if (newest - evidence.from > 1) return true
    const limit = Math.max(0, -depth)
    return this.#metresTo(fence, evidence.from) <= limit && this.#metresTo(fence, newest) <= limit
  }

  /** Whether it is not known yet if the device moves or rests. */
  #isUnknown(): boolean {
    const { restAfter } = this.#settings
    if (this.#rest.isResting || this.#fixes.spanning(restAfter, LONGEST_SILENCE) >= 0) return false
    const first = this.#fixes.unbroken(LONGEST_SILENCE)
    return this.#recent.metresTo(this.#fixes, first) < MOVED * this.#sigma(this.#recent.accuracy)
  }

  readonly #leaves = (fence: Fence): boolean => {
    const { exitMargin, exitMoving, exitResting, restExit } = this.#settings
    const rest = this.#rest
    if (rest.isResting) {
      const distance = metresToBorder(fence, rest.latitude, rest.longitude)
      if (distance > exitMargin + restExit * rest.error) return true
    }
    const longer = this.#longer
    if (this.#fixes.arePair(LONGEST_SILENCE)) return this.#leavesByPair(fence)
    if (longer.from < 0 || !this.#followsEntrance(fence, longer.from)) return false
    const limit = exitMargin + (rest.isResting ? exitResting : exitMoving) * this.#sigma(longer.accuracy)
    if (metresToBorder(fence, longer.latitude, longer.longitude) <= limit) return false
    const isPair = this.#fixes.count - longer.from === 2
    // Outliers lie apart: where two fixes do so, a third must agree.
    const from = isPair && !this.#isCredible() ? Math.max(0, longer.from - 1) : longer.from
    return this.#areMostlyOutside(fence, from, isPair ? limit : exitMargin)
  }

  /** Between two fixes with a silence in between there is no other: both must lie outside. */
  #leavesByPair(fence: Fence): boolean {
    const newest = this.#fixes.count - 1
    return (
      this.#followsEntrance(fence, newest - 1) &&
      this.#isFarOutside(fence, newest) &&
      this.#isFarOutside(fence, newest - 1)
    )
  }

  #isFarOutside(fence: Fence, index: number): boolean {
    const { exitMargin, exitResting } = this.#settings
    return this.#metresTo(fence, index) > exitMargin + exitResting * this.#sigma(this.#fixes.accuracies[index]!)
  }

  /**
   * Whether the fixes from an index on were taken since the device entered the fence, and those inside it: fixes of the way
   * there lie outside. An entrance later than all fixes is of a clock that was set back since.
   */
  #followsEntrance(fence: Fence, from: number): boolean {
    const { count, fences, near } = this.#index
    let since = -Infinity
    for (let i = 0; i < count; i++) {
      const other = fences[near[i]!]!
      if (this.#insides[near[i]!] !== 1 || !liesWithin(other, fence)) continue
      const { at } = this.#presence.get(other.key)!
      if (at <= this.#fixes.newest) since = Math.max(since, at)
    }
    return this.#fixes.times[from]! >= since
  }

  /** Whether most fixes from an index on lie so far outside: outliers that are half of them move their median. Few must all. */
  #areMostlyOutside(fence: Fence, from: number, least: number): boolean {
    const { count } = this.#fixes
    let outside = 0
    for (let i = from; i < count; i++) if (this.#metresTo(fence, i) > least) outside++
    return count - from > 3 ? outside > (count - from) / 2 : outside === count - from
  }

  /** Whether the place of rest lies inside: a device that has left is not there any more. */
  #restsInside(fence: Fence): boolean {
    return this.#rest.isResting && metresToBorder(fence, this.#rest.latitude, this.#rest.longitude) <= 0
  }

  /** Whether a fix, the newest if none is named, lies so many standard deviations inside. */
  #isDeepInside(fence: Fence, deviations: number, index = this.#fixes.count - 1): boolean {
    const accuracy = this.#fixes.accuracies[index]!
    const depth = deviations * this.#sigma(accuracy)
    return this.#isAccurate(fence, accuracy) && this.#metresTo(fence, index) <= -depth
  }

  readonly #isInsideAlone = (fence: Fence): boolean => {
    const { latitude, longitude, error, isResting } = this.#rest
    const isElsewhere = isResting && metresToBorder(fence, latitude, longitude) > this.#settings.restOutside * error
    return !isElsewhere && this.#isDeepInside(fence, this.#settings.aloneDepth)
  }

  readonly #isOutsideAlone = (fence: Fence): boolean => {
    return !this.#rest.isResting && this.#isFarOutside(fence, this.#fixes.count - 1)
  }

  /** Whether fixes are so far apart in time that one decides, unless it may be an outlier. */
  #isSparse(): boolean {
    const { count, times } = this.#fixes
    const elapsed = count > 1 ? times[count - 1]! - times[count - 2]! : 0
    return !this.#hasRisen && elapsed >= SPARSE && elapsed <= LONGEST_SILENCE && this.#hasMoved() && this.#isCredible()
  }

  /** Whether the newest fix lies elsewhere than the one before, beyond what errors explain. */
  #hasMoved(): boolean {
    const { accuracies, count, latitudes, longitudes } = this.#fixes
    const [i, j] = [count - 2, count - 1]
    const apart = metresBetween(latitudes[i]!, longitudes[i]!, latitudes[j]!, longitudes[j]!)
    return apart > (MOVED / 2) * this.#sigma(accuracies[i]! + accuracies[j]!)
  }

  /** Whether the newest fix is near enough to the one before: an outlier is not. */
  #isCredible(): boolean {
    const { accuracies, count, latitudes, longitudes, times } = this.#fixes
    if (count < 2 || times[count - 1]! - times[count - 2]! > KEPT) return true
    const [i, j] = [count - 2, count - 1]
    const apart = metresBetween(latitudes[i]!, longitudes[i]!, latitudes[j]!, longitudes[j]!)
    const walked = (FASTEST * (times[j]! - times[i]!)) / 1000
    return apart <= walked + 2 * this.#sigma(accuracies[i]! + accuracies[j]!)
  }
}

const NEVER = (): boolean => false

/** Whether a fence may lie inside another, as far as their bounds tell. */
const liesWithin = (inner: Fence, outer: Fence): boolean =>
  inner.west >= outer.west && inner.east <= outer.east && inner.south >= outer.south && inner.north <= outer.north
