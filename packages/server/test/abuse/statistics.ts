/** A nonparametric test for a difference between two sets of times. */

export interface Comparison {
  /** The median of the second set less the median of the first, in the unit of the samples. */
  readonly difference: number
  /** The p-value of the difference of ranks (Mann-Whitney U, two-sided, normal approximation). */
  readonly p: number
  /** The probability that a sample of the second set is larger than one of the first: 0.5 without a difference. */
  readonly auc: number
}

const median = (sorted: ReadonlyArray<number>): number => {
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const ascending = (samples: ReadonlyArray<number>) => samples.toSorted((one, other) => one - other)

/** The probability that a standard normal variable is farther from 0 than z (Abramowitz and Stegun, 7.1.26, on the complement). */
const twoSided = (z: number): number => {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  return sum * Math.exp(-x * x)
}

/** Compares two sets of samples. */
export const compare = (first: ReadonlyArray<number>, second: ReadonlyArray<number>): Comparison => {
  const all = [
    ...first.map((value) => ({ value, isSecond: false })),
    ...second.map((value) => ({ value, isSecond: true }))
  ].toSorted((one, other) => one.value - other.value)
  const [n, m] = [first.length, second.length]
  let rankSum = 0
  let ties = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]!.value === all[from]!.value) to++
    const count = to - from
    const rank = (from + 1 + to) / 2
    for (let at = from; at < to; at++) if (all[at]!.isSecond) rankSum += rank
    ties += count ** 3 - count
    from = to
  }
  const u = rankSum - (m * (m + 1)) / 2
  const total = n + m
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  return {
    difference: median(ascending(second)) - median(ascending(first)),
    p: deviation === 0 ? 1 : twoSided((u - (n * m) / 2) / deviation),
    auc: u / (n * m)
  }
}
