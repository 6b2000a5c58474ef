/** Random choices that a seed determines. */
export interface Randomness {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  /** A whole number from `least` to `most`. */
  readonly between: (least: number, most: number) => number
  readonly happens: (probability: number) => boolean
  readonly one: <A>(choices: ReadonlyArray<A>) => A
  /** A separate generator, whose choices do not depend on the order in which others choose. */
  readonly fork: () => Randomness
}

/** The mulberry32 generator. */
export const randomness = (seed: number): Randomness => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    one: (choices) => {
      if (choices.length === 0) throw new Error("nothing to choose from")
      return choices[between(0, choices.length - 1)]!
    },
    fork: () => randomness(between(0, 2 ** 32 - 1))
  }
}
