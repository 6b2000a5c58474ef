/** How much is tried: SOJOURN_RUNS_FACTOR times as often, from a fixed seed or from SOJOURN_SEED. */
export const SEED = Number(process.env.SOJOURN_SEED ?? 20260301)
export const runs = (count: number) => Math.max(1, Math.round(count * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)))

/** Choices that a seed decides (mulberry32). */
export class Random {
  #state: number

  private constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** The choices of one of many runs under a seed. */
  static of(seed: number, run: number): Random {
    return new Random(Math.imul(seed ^ Math.imul(run + 1, 0x9e3779b1), 0x85ebca6b))
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from 0 up to, and without, the limit. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<A>(values: ReadonlyArray<A>): A {
    if (values.length === 0) throw new RangeError("there is nothing to choose from")
    return values[this.below(values.length)] as A
  }
}
