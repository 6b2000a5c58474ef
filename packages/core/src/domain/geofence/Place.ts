/** Positions for the geofence in typed arrays, as fixes come every second on a phone and should leave no garbage. */
import { FARTHEST, type Fence, measure, METRES } from "./Fence.ts"
import { LATITUDE, LONGITUDE } from "./fix.ts"
import { metresEast, metresNorth, wrapped } from "./metres.ts"

/** Metres of a degree. */
const EAST = 5
const NORTH = 6

/** Positions in columns, in degrees. */
export interface Positions {
  readonly latitudes: Float64Array
  readonly longitudes: Float64Array
}

/** A position and the accuracy that it is known with, which change in place: to look at a fix makes no object. */
export class Place {
  /** Numbers in fields may be boxed anew: at rest between areas a fix took 101 bytes with them, and takes 54 so. */
  readonly #numbers = new Float64Array(7)

  get latitude(): number {
    return this.#numbers[0]!
  }
  get longitude(): number {
    return this.#numbers[1]!
  }
  get accuracy(): number {
    return this.#numbers[2]!
  }

  set(latitude: number, longitude: number, accuracy: number): void {
    this.#numbers[0] = latitude
    this.#numbers[1] = longitude
    this.#numbers[2] = accuracy
    this.#numbers[EAST] = metresEast(latitude)
    this.#numbers[NORTH] = metresNorth(latitude)
  }

  /** The distance to the border of a fence, as {@link measure} takes it. */
  metresToBorder(fence: Fence, farthest = Infinity): number {
    this.#numbers[FARTHEST] = farthest
    measure(fence, this.#numbers)
    return this.#numbers[METRES]!
  }

  metresTo({ latitudes, longitudes }: Positions, index: number): number {
    return this.#metres(latitudes[index]!, longitudes[index]!)
  }

  metresToPlace({ latitude, longitude }: Place): number {
    return this.#metres(latitude, longitude)
  }

  metresToFix(fix: Float64Array): number {
    return this.#metres(fix[LATITUDE]!, fix[LONGITUDE]!)
  }

  #metres(latitude: number, longitude: number): number {
    const numbers = this.#numbers
    const x = wrapped(longitude - numbers[1]!) * numbers[EAST]!
    const y = (latitude - numbers[0]!) * numbers[NORTH]!
    return Math.sqrt(x * x + y * y)
  }
}

/** Where the device is by the fixes from an index on; -1 if there are too few. */
export class Evidence extends Place {
  from = -1
}
