/** A source of choices that a seed decides: the same seed, the same choices. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** The source of one of many runs under a seed. */
  static of(seed: number, run: number): Random {
    return new Random(Math.imul(seed ^ Math.imul(run + 1, 0x9e3779b1), 0x85ebca6b))
  }

  /** mulberry32: small, and good enough to choose test cases. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** A number from 0 up to, and without, 1. */
  fraction(): number {
    return this.#next() / 4294967296
  }

  /** A number between these, every one as likely. */
  between(least: number, most: number): number {
    return least + this.fraction() * (most - least)
  }

  /** A number of the normal distribution with mean 0 and standard deviation 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction())
  }

  /** A whole number from 0 up to, and without, the limit. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  /** True this often: 0 never, 1 always. */
  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  /** One of these values; one that stands in the list twice is met twice as often. */
  pick<A>(values: ReadonlyArray<A>): A {
    if (values.length === 0) throw new RangeError("there is nothing to choose from")
    return values[this.below(values.length)] as A
  }

  /** The value, or nothing: `probability` is that of the value. */
  maybe<A>(probability: number, value: () => A): A | undefined {
    return this.chance(probability) ? value() : undefined
  }

  /** One of these values, each met as often as its weight says. */
  weighted<A>(values: ReadonlyArray<readonly [weight: number, value: A]>): A {
    let rest = this.below(values.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, value] of values) {
      rest -= weight
      if (rest < 0) return value
    }
    throw new RangeError("there is nothing to choose from")
  }
}

/** One of the choices of `Random.weighted`, made when it is chosen. */
export const option = <A>(weight: number, make: () => A): readonly [weight: number, make: () => A] => [weight, make]
