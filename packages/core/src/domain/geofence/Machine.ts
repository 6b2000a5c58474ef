/** The state machine of a geofence: fixes and times in, transitions out. */
import { crossings, exchange } from "./crossings.ts"
import { enters, isInsideAlone, isOnLevel, LOOSEST, SPARSE, startsInside } from "./entrances.ts"
import { isOutsideAlone, leaves } from "./exits.ts"
import { type Fence, makeFences } from "./Fence.ts"
import { type Fault, isTime, readFix, TIMESTAMP } from "./fix.ts"
import { LONGEST_SILENCE, Observation } from "./Observation.ts"
import { LARGEST_CIRCLE, reachOf, SafeCircle } from "./SafeCircle.ts"
import { readState, readTimes, savedTime, type SavedState } from "./saved.ts"
import type { GeofenceSettings } from "./settings.ts"
import type { GeofenceArea, GeofenceCircle, GeofenceFix, GeofenceState, GeofenceTransition } from "./types.ts"

/** How long a single fix must remain without another, before time alone lets it decide. */
const SINGLE_ENTRANCE = 10_000
const SINGLE_EXIT = 60_000

/** A fix that is dated farther from the device's own clock is of another one. */
const MAX_CLOCK_ERROR = 30 * 86_400_000

/** Where the machine keeps times: the last reported, the device's own since it was made, the last tick, and the last before the newest fix. */
const LAST = 0
const NOW = 1
const TICK = 2
const TICK_BEFORE = 3

const NONE: ReadonlyArray<GeofenceTransition> = Object.freeze([])

/** Whether what was seen shows that the device has crossed the border of a fence. */
type Rule = (seen: Observation, fence: Fence) => boolean

const never: Rule = () => false

export class Machine {
  #sequence = 0
  readonly #ignored = { accuracy: 0, timestamp: 0, coordinates: 0, level: 0 }
  readonly #clock = Float64Array.of(-Infinity, NaN, -Infinity, -Infinity)
  readonly #read = new Float64Array(6)
  readonly #settings: GeofenceSettings
  readonly #seen: Observation
  readonly #safe = new SafeCircle()

  constructor(areas: ReadonlyArray<GeofenceArea>, settings: GeofenceSettings, saved: unknown) {
    this.#settings = settings
    const fences = makeFences(areas)
    this.#seen = new Observation(settings)
    const state = readState(saved)
    if (state !== undefined) this.#restore(state)
    this.#setFences(fences)
  }

  #restore(state: SavedState): void {
    this.#sequence = state.sequence
    const counts = typeof state.ignored === "number" ? [0, state.ignored] : state.ignored
    const [accuracy = 0, timestamp = 0, coordinates = 0, level = 0] = counts
    Object.assign(this.#ignored, { accuracy, timestamp, coordinates, level })
    this.#clock[LAST] = state.now ?? -Infinity
    if (state.ticks) this.#clock.set(readTimes(state.ticks), TICK)
    this.#seen.restore(state)
  }

  #setFences(fences: ReadonlyArray<Fence>): void {
    this.#seen.setFences(fences)
    this.#safe.clear()
    if (this.#seen.fixes.count === 0) return
    // The next fix decides what has changed: this finds the circle alone.
    this.#seen.look({ hasNewest: false })
    this.#decide(never, never)
  }

  push(fix: GeofenceFix): ReadonlyArray<GeofenceTransition> {
    const read = this.#read
    const fault = readFix(fix, read)
    if (fault !== undefined) return this.#ignore(fault)
    const timestamp = read[TIMESTAMP]!
    if (Math.abs(timestamp - this.#clock[NOW]!) > MAX_CLOCK_ERROR) return this.#ignore("timestamp")
    const seen = this.#seen
    const isFirst = seen.fixes.count === 0 && seen.presence.size === 0
    const verdict = seen.held.take(read, seen.fixes, seen.rest, seen.insides)
    if (verdict !== "passed") {
      this.#clock[TICK_BEFORE] = this.#clock[TICK]!
      if (timestamp > this.#clock[LAST]!) this.#clock[LAST] = timestamp
      return verdict === "held" ? NONE : this.#release()
    }
    const placed = seen.fixes.take(read)
    if (placed === "dropped") return this.#ignore("timestamp")
    this.#clock[TICK_BEFORE] = this.#clock[TICK]!
    if (placed === "anew") seen.turnBack()
    if (placed === "anew" || timestamp > this.#clock[LAST]!) this.#clock[LAST] = timestamp
    if (isFirst) return this.#decide(startsInside, never)
    seen.look({ hasNewest: placed === "newest" })
    if (this.#safe.holds(seen.fixes, seen.fixes.placed)) return NONE
    return this.#decide(enters, leaves)
  }

  /** Lets the fixes count that were held back. */
  #release(): ReadonlyArray<GeofenceTransition> {
    const seen = this.#seen
    seen.rest.isResting = false
    seen.held.release(seen.fixes)
    seen.look({ hasNewest: true })
    return this.#decide(enters, leaves)
  }

  tick(now: number): ReadonlyArray<GeofenceTransition> {
    if (!isTime(now)) return NONE
    this.#clock.fill(now, LAST, TICK_BEFORE)
    const { fixes, held } = this.#seen
    if (held.count > 0) return held.isReleasedAfter(this.#silence(held.newest)) ? this.#release() : NONE
    const { count, times } = fixes
    const silence = this.#silence(fixes.newest)
    if (count === 0 || silence < SINGLE_ENTRANCE) return NONE
    const spacing = count > 1 ? times[count - 1]! - times[count - 2]! : 0
    if (silence < Math.min(2 * spacing, SPARSE) || !this.#seen.isCredible()) return NONE
    this.#seen.look({ hasNewest: false })
    const isLeft = silence >= Math.max(SINGLE_EXIT, spacing > LONGEST_SILENCE ? 0 : 2 * spacing)
    return this.#decide(isInsideAlone, isLeft ? isOutsideAlone : never)
  }

  /** The time since the newest fix. Another clock than the device's may have dated it: then it is at most that since the tick before it. */
  #silence(newest: number): number {
    return this.#clock[TICK]! - Math.max(newest, this.#clock[TICK_BEFORE]!)
  }

  inside() {
    return this.#seen.index.fences.flatMap(({ key, premises }) => {
      const presence = this.#seen.presence.get(key)
      return presence?.isInside ? [{ ...premises, since: presence.at }] : []
    })
  }

  nextCheck(): GeofenceCircle | undefined {
    const { fixes } = this.#seen
    if (fixes.count === 0) return undefined
    const { latitude, longitude, radius } = this.#safe
    if (this.#seen.held.count > 0) return { ...fixes.last, radius: 0 }
    return radius > 0 ? { latitude, longitude, radius } : { ...fixes.last, radius }
  }

  stale(): boolean {
    const { fixes, held } = this.#seen
    const newest = Math.max(fixes.newest, held.newest)
    return fixes.count > 0 && this.#clock[LAST]! - newest > this.#settings.staleAfter
  }

  ignored(): number {
    return Object.values(this.#ignored).reduce((sum, count) => sum + count, 0)
  }

  ignoredFor() {
    return { ...this.#ignored }
  }

  update(areas: ReadonlyArray<GeofenceArea>): ReadonlyArray<GeofenceTransition> {
    const { fixes, index, presence } = this.#seen
    const fences = makeFences(areas)
    const kept = new Set(fences.map(({ key }) => key))
    const gone = index.fences.filter(({ key }) => !kept.has(key) && this.#seen.isInside(key)).reverse()
    const transitions = gone.map((fence) => this.#change(fence, false, this.#clock[LAST]!))
    // What is gone may come back: until then the fixes of its last visit show no other one.
    for (const [key, { at }] of presence) {
      if (!kept.has(key) && !(at >= fixes.oldest)) presence.delete(key)
    }
    this.#setFences(fences)
    return transitions
  }

  toJSON(): GeofenceState & SavedState {
    return {
      version: 1,
      sequence: this.#sequence,
      ignored: this.ignored() === 0 ? 0 : Object.values(this.#ignored),
      now: savedTime(this.#clock[LAST]!),
      ...(this.#clock[TICK]! > -Infinity && { ticks: Array.from(this.#clock.subarray(TICK), savedTime) }),
      ...this.#seen.toJSON()
    }
  }

  #ignore(fault: Fault): ReadonlyArray<GeofenceTransition> {
    this.#ignored[fault]++
    return NONE
  }

  /** Changes what these rules say has changed. Exits come inner to outer, entrances outer to inner. */
  #decide(isEntered: Rule, isLeft: Rule): ReadonlyArray<GeofenceTransition> {
    const seen = this.#seen
    const { index, insides } = seen
    seen.lookLonger()
    const centre = this.#safe.centreOf(seen)
    index.reach = reachOf(seen, centre)
    index.find(centre, insides)
    let radius = Math.min(LARGEST_CIRCLE, index.nearest - LOOSEST)
    let entered: Array<Fence> | undefined
    let left: Array<Fence> | undefined
    for (let i = 0; i < index.count; i++) {
      const fence = index.fences[index.near[i]!]!
      const isInside = insides[index.near[i]!] === 1
      if (isInside && isLeft(seen, fence)) (left ??= []).push(fence)
      if (!isInside && isOnLevel(seen, fence) && isEntered(seen, fence)) (entered ??= []).push(fence)
      if (seen.isOffLevel(fence, seen.fixes.count - 1)) {
        // Fixes of this level do not enter it, and may leave it anywhere.
        if (isInside) radius = 0
        continue
      }
      const distance = centre.metresToBorder(fence, radius + LOOSEST)
      radius = Math.min(radius, isInside ? -distance : distance - LOOSEST)
    }
    this.#safe.distance = left || entered ? 0 : radius
    this.#safe.update(seen, centre)
    return left === undefined && entered === undefined ? NONE : this.#changeAll(left ?? [], entered ?? [])
  }

  #changeAll(allLeft: ReadonlyArray<Fence>, allEntered: ReadonlyArray<Fence>): ReadonlyArray<GeofenceTransition> {
    const seen = this.#seen
    const { left, entered } = exchange(seen, allLeft, allEntered)
    if (left.length + entered.length === 0) return NONE
    const { rest } = seen
    // A device that has left what it rested in rests no more.
    if (rest.isResting && left.some((fence) => rest.metresToBorder(fence) <= LOOSEST)) rest.isResting = false
    return crossings(seen, left, entered).map(({ fence, isEntrance, at }) => this.#change(fence, isEntrance, at))
  }

  /** Times of one premises never run backwards. */
  #change(fence: Fence, isEntrance: boolean, at: number): GeofenceTransition {
    const timestamp = Math.max(at, this.#seen.presence.get(fence.key)?.at ?? -Infinity)
    this.#seen.change(fence, isEntrance, timestamp)
    const movement = isEntrance ? "entrance" : "exit"
    return { movement, ...fence.premises, timestamp, sequence: ++this.#sequence }
  }
}
