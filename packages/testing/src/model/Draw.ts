/** Choices that fast-check drew as numbers before the run, and that a command makes when it runs. */
export class Draw {
  private nth = 0
  private readonly numbers: ReadonlyArray<number>

  constructor(numbers: ReadonlyArray<number>) {
    this.numbers = numbers
  }

  /** A whole number from 0 up to, and without, the limit. The numbers are used again where a command needs more. */
  below(limit: number): number {
    const lap = Math.floor(this.nth / this.numbers.length) + 1
    return Math.floor((((this.numbers[this.nth++ % this.numbers.length]! * lap) % 2 ** 31) / 2 ** 31) * limit)
  }

  chance(probability: number): boolean {
    return this.below(1000) < probability * 1000
  }

  /** One of these values; one that stands in the list twice is met twice as often. */
  pick<A>(values: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>): A {
    return values[this.below(values.length)] as A
  }

  /** One of the first values that there are, if the chance has it; else one of the others. */
  prefer<A>(probability: number, preferred: ReadonlyArray<A>, others: ReadonlyArray<A>): A {
    return this.pick(preferred.length > 0 && this.chance(probability) ? preferred : others)
  }

  maybe<A>(probability: number, value: () => A): A | undefined {
    return this.chance(probability) ? value() : undefined
  }

  /** Makes one of these, each as often as its weight says. */
  weighted<A>(choices: ReadonlyArray<readonly [weight: number, make: () => A]>): A {
    let rest = this.below(choices.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, make] of choices) {
      rest -= weight
      if (rest < 0) return make()
    }
    throw new RangeError("there is nothing to choose from")
  }
}
