/** The circle inside which nothing changes: most fixes lie in it, and cost no more than one comparison. */
import { LOOSEST, poorReach } from "./entrances.ts"
import type { FixColumns } from "./FixColumns.ts"
import { metresEast, metresNorth, wrapped } from "./metres.ts"
import type { Observation } from "./Observation.ts"
import { Place } from "./Place.ts"

/** The largest radius, in metres: up to it the earth is flat enough. */
export const LARGEST_CIRCLE = 50_000

/**
 * A median of positions inside a circle lies inside one whose radius is this many times as large: it is taken in each
 * direction apart. The rest is for what the earth is not flat.
 */
const MEDIAN_REACH = 1.03 * Math.SQRT2

/** How old a fix can be to take part in a decision. */
const DECISIVE = 200_000

/** How far from a centre anything lies that may decide an entrance, in metres. */
export const reachOf = (seen: Observation, centre: Place): number => {
  const { fixes, recent } = seen
  const newest = fixes.count - 1
  const toRecent = recent.from < 0 ? 0 : centre.metresToPlace(recent)
  return LOOSEST + toRecent + centre.metresTo(fixes, newest) + poorReach(seen)
}

/**
 * The circle around the place of rest, or the newest fix, for fixes on the level of that. With radius 0 it holds nothing: a fix anywhere
 * may change something.
 */
export class SafeCircle {
  readonly #last = new Place()

  /** Latitude, longitude, radius; metres of a degree east and north; level. */
  readonly #numbers = new Float64Array(6)

  get latitude(): number {
    return this.#numbers[0]!
  }
  get longitude(): number {
    return this.#numbers[1]!
  }
  get radius(): number {
    return this.#numbers[2]!
  }

  holds({ latitudes, levels, longitudes }: FixColumns, index: number): boolean {
    const x = wrapped(longitudes[index]! - this.#numbers[1]!) * this.#numbers[3]!
    const y = (latitudes[index]! - this.#numbers[0]!) * this.#numbers[4]!
    const radius = this.#numbers[2]!
    return x * x + y * y < radius * radius && Object.is(levels[index], this.#numbers[5])
  }

  /** The centre of the next circle. */
  centreOf({ fixes, rest }: Observation): Place {
    if (rest.isResting) return rest
    this.#last.set(fixes.latitudes[fixes.count - 1]!, fixes.longitudes[fixes.count - 1]!, 0)
    return this.#last
  }

  /** The distance within which nothing is decided. */
  set distance(metres: number) {
    this.#numbers[2] = Math.max(0, metres / MEDIAN_REACH)
  }

  /** Sets the circle from its distance, if all fixes that take part in decisions lie in it. */
  update({ fixes }: Observation, centre: Place): void {
    const numbers = this.#numbers
    numbers[0] = centre.latitude
    numbers[1] = centre.longitude
    numbers[3] = metresEast(numbers[0])
    numbers[4] = metresNorth(numbers[0])
    numbers[5] = fixes.levels[fixes.count - 1]!
    for (let i = fixes.count - 1; i >= 0 && fixes.times[i]! > fixes.newest - DECISIVE; i--) {
      if (!this.holds(fixes, i)) numbers[2] = 0
    }
  }

  /** Nothing is safe. */
  clear(): void {
    this.#numbers[2] = 0
  }
}
