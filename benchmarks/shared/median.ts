/** The middle one of some numbers; half of them are at most as large. */
export const median = (numbers: ReadonlyArray<number>): number => {
  if (numbers.length === 0) throw new Error("nothing has no median")
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
