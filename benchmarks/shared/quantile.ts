/** The quantile `share` of numbers in ascending order, such as the 99th percentile of latencies with 0.99; 0 where there are none. */
export const quantile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
