/** The circle inside which nothing changes: most fixes lie in it, and cost no more than one comparison. */
import { metresEast, metresNorth, wrapped } from "./metres.ts"
import type { Positions } from "./Place.ts"

/** The largest radius: up to it the earth is flat enough. */
export const LARGEST_CIRCLE = 50_000

/** A circle around a position that changes in place; with radius 0 it holds nothing. */
export class Circle {
  /** Latitude, longitude, radius; metres of a degree east and north. */
  readonly #numbers = new Float64Array(5)

  get latitude(): number {
    return this.#numbers[0]!
  }
  get longitude(): number {
    return this.#numbers[1]!
  }
  get radius(): number {
    return this.#numbers[2]!
  }

  set(latitude: number, longitude: number, radius: number): void {
    this.#numbers[0] = latitude
    this.#numbers[1] = longitude
    this.#numbers[2] = radius
    this.#numbers[3] = metresEast(latitude)
    this.#numbers[4] = metresNorth(latitude)
  }

  holds({ latitudes, longitudes }: Positions, index: number): boolean {
    const x = wrapped(longitudes[index]! - this.#numbers[1]!) * this.#numbers[3]!
    const y = (latitudes[index]! - this.#numbers[0]!) * this.#numbers[4]!
    const radius = this.#numbers[2]!
    return x * x + y * y < radius * radius
  }
}
