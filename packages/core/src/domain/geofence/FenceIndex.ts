/** Finds the fences near a position by their bounds alone. */
import type { Fence } from "./Fence.ts"
import { metresEast, metresNorth, wrapped } from "./metres.ts"
import type { Place } from "./Place.ts"

export class FenceIndex {
  readonly fences: ReadonlyArray<Fence>
  /** The indexes of the fences that were found, outer before inner, in the first `count` elements. */
  readonly near: Int32Array
  count = 0
  /** West, east, south and north of each fence: a scan reads nothing else. */
  readonly #bounds: Float64Array
  /** The distance of the nearest fence that was not found, and how far {@link find} looks: numbers that are passed are objects. */
  readonly #distances = new Float64Array(2)

  constructor(fences: ReadonlyArray<Fence>) {
    this.fences = fences
    this.near = new Int32Array(fences.length)
    this.#bounds = Float64Array.from(fences.flatMap(({ east, north, south, west }) => [west, east, south, north]))
  }

  /** No fence that was not found is nearer than this, in metres. */
  get nearest(): number {
    return this.#distances[0]!
  }

  set reach(metres: number) {
    this.#distances[1] = metres
  }

  /** Finds the fences whose bounds are at most `reach` metres away, and those that are marked. */
  find(place: Place, isMarked: Uint8Array): void {
    const { latitude, longitude } = place
    const bounds = this.#bounds
    const reach = this.#distances[1]!
    const east = metresEast(latitude)
    const north = metresNorth(latitude)
    let nearest = Infinity
    this.count = 0
    for (let fence = 0, i = 0; i < bounds.length; fence++, i += 4) {
      const below = bounds[i + 2]! - latitude
      const above = latitude - bounds[i + 3]!
      const dy = below > 0 ? below * north : above > 0 ? above * north : 0
      let distance = dy
      if (dy > reach && dy >= nearest && isMarked[fence] === 0) continue
      if (longitude < bounds[i]! || longitude > bounds[i + 1]!) {
        const west = Math.abs(wrapped(bounds[i]! - longitude))
        const right = Math.abs(wrapped(bounds[i + 1]! - longitude))
        const dx = (west < right ? west : right) * east
        distance = Math.sqrt(dx * dx + dy * dy)
      }
      if (distance <= reach || isMarked[fence] === 1) this.near[this.count++] = fence
      else if (distance < nearest) nearest = distance
    }
    this.#distances[0] = nearest
  }
}
