/** The state machine of a geofence: fixes and times in, transitions out. */
import { crossings } from "./crossings.ts"
import { enters, isInsideAlone, isOnLevel, LOOSEST, SPARSE, startsInside } from "./entrances.ts"
import { isOutsideAlone, leaves } from "./exits.ts"
import { type Fence, makeFences, metresToBorder } from "./Fence.ts"
import { isFix, isTime } from "./fix.ts"
import { LONGEST_SILENCE, Observation } from "./Observation.ts"
import { LARGEST_CIRCLE, reachOf, SafeCircle } from "./SafeCircle.ts"
import { readState, type SavedState } from "./saved.ts"
import type { GeofenceSettings } from "./settings.ts"
import type { GeofenceArea, GeofenceCircle, GeofenceFix, GeofenceState, GeofenceTransition } from "./types.ts"

/** How long a single fix must remain without another, before time alone lets it decide. */
const SINGLE_ENTRANCE = 10_000
const SINGLE_EXIT = 60_000

const NONE: ReadonlyArray<GeofenceTransition> = Object.freeze([])

/** Whether what was seen shows that the device has crossed the border of a fence. */
type Rule = (seen: Observation, fence: Fence) => boolean

const never: Rule = () => false

export class Machine {
  #sequence = 0
  #ignored = 0
  /** The last reported time. */
  readonly #clock = Float64Array.of(-Infinity)
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
    this.#ignored = state.ignored
    this.#clock[0] = state.now ?? -Infinity
    this.#seen.restore(state)
  }

  #setFences(fences: ReadonlyArray<Fence>): void {
    this.#seen.setFences(fences)
    this.#safe.set(0, 0, 0)
    if (this.#seen.fixes.count === 0) return
    // The next fix decides what has changed: this finds the circle alone.
    this.#seen.look({ hasNewest: false })
    this.#decide(never, never)
  }

  push(fix: GeofenceFix): ReadonlyArray<GeofenceTransition> {
    if (!isFix(fix)) return this.#ignore()
    const { timestamp } = fix
    const seen = this.#seen
    const isFirst = seen.fixes.count === 0 && seen.presence.size === 0
    const placed = seen.fixes.add(fix)
    if (placed === "dropped") return this.#ignore()
    if (placed === "anew") seen.rest.isResting = false
    if (placed === "anew" || timestamp > this.#clock[0]!) this.#clock[0] = timestamp
    if (isFirst) return this.#decide(startsInside, never)
    seen.look({ hasNewest: placed === "newest" })
    if (this.#safe.holds(seen.fixes, seen.fixes.placed)) return NONE
    return this.#decide(enters, leaves)
  }

  tick(now: number): ReadonlyArray<GeofenceTransition> {
    if (!isTime(now)) return NONE
    this.#clock[0] = now
    const { count, times, newest } = this.#seen.fixes
    if (count === 0 || now - newest < SINGLE_ENTRANCE) return NONE
    const spacing = count > 1 ? times[count - 1]! - times[count - 2]! : 0
    if (now - newest < Math.min(2 * spacing, SPARSE) || !this.#seen.isCredible()) return NONE
    this.#seen.look({ hasNewest: false })
    const isLeft = now - newest >= Math.max(SINGLE_EXIT, spacing > LONGEST_SILENCE ? 0 : 2 * spacing)
    return this.#decide(isInsideAlone, isLeft ? isOutsideAlone : never)
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
    return radius > 0 ? { latitude, longitude, radius } : { ...fixes.last, radius }
  }

  stale(): boolean {
    const { fixes } = this.#seen
    return fixes.count > 0 && this.#clock[0]! - fixes.newest > this.#settings.staleAfter
  }

  ignored(): number {
    return this.#ignored
  }

  update(areas: ReadonlyArray<GeofenceArea>): ReadonlyArray<GeofenceTransition> {
    const { fixes, index, presence } = this.#seen
    const fences = makeFences(areas)
    const kept = new Set(fences.map(({ key }) => key))
    const gone = index.fences.filter(({ key }) => !kept.has(key) && this.#seen.isInside(key)).reverse()
    const transitions = gone.map((fence) => this.#change(fence, false, this.#clock[0]!))
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
      ignored: this.#ignored,
      now: this.#clock[0] === -Infinity ? null : this.#clock[0]!,
      ...this.#seen.toJSON()
    }
  }

  #ignore(): ReadonlyArray<GeofenceTransition> {
    this.#ignored++
    return NONE
  }

  /** Changes what these rules say has changed. Exits come inner to outer, entrances outer to inner. */
  #decide(isEntered: Rule, isLeft: Rule): ReadonlyArray<GeofenceTransition> {
    const seen = this.#seen
    const { index, insides, rest } = seen
    seen.lookLonger()
    const centre = this.#safe.centreOf(seen)
    index.find(centre, reachOf(seen, centre), insides)
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
      const distance = metresToBorder(fence, centre.latitude, centre.longitude, radius + LOOSEST)
      radius = Math.min(radius, isInside ? -distance : distance - LOOSEST)
    }
    // A device that has left what it rested in rests no more.
    if (rest.isResting && left?.some((fence) => metresToBorder(fence, rest.latitude, rest.longitude) <= 0)) {
      rest.isResting = false
    }
    this.#safe.update(seen, centre, left || entered ? 0 : radius)
    if (left === undefined && entered === undefined) return NONE
    return crossings(seen, left ?? [], entered ?? []).map(({ fence, isEntrance, at }) =>
      this.#change(fence, isEntrance, at)
    )
  }

  /** Times of one premises never run backwards. */
  #change(fence: Fence, isEntrance: boolean, at: number): GeofenceTransition {
    const timestamp = Math.max(at, this.#seen.presence.get(fence.key)?.at ?? -Infinity)
    this.#seen.change(fence, isEntrance, timestamp)
    const movement = isEntrance ? "entrance" : "exit"
    return { movement, ...fence.premises, timestamp, sequence: ++this.#sequence }
  }
}
