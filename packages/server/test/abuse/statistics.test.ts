/** The statistic of `npm run timing`, which must detect a planted difference and nothing else. */
import { describe, expect, it } from "vitest"
import { Random } from "@sojourn/testing"
import { compare } from "./statistics.ts"

/** Response times in milliseconds, most of them near 1, some much longer. */
const answers = (seed: number, count: number, later = 0) => {
  const random = new Random(seed)
  return Array.from(
    { length: count },
    () => 1 + later - 0.3 * Math.log(1 - random.fraction()) * (random.chance(0.02) ? 30 : 1)
  )
}

describe("the comparison of response times", () => {
  it("detects a planted difference of 200 microseconds", () => {
    const { difference, p, auc } = compare(answers(1, 3_000), answers(2, 3_000, 0.2))
    expect(difference).toBeGreaterThan(0.15)
    expect(difference).toBeLessThan(0.25)
    expect(p).toBeLessThan(1e-9)
    expect(auc).toBeGreaterThan(0.6)
    expect(compare(answers(2, 3_000, 0.2), answers(1, 3_000)).auc).toBeCloseTo(1 - auc, 9)
  })

  it("detects no difference between equal distributions: p is below 0.05 in one of 20 comparisons", () => {
    const found = Array.from({ length: 200 }, (_, n) => compare(answers(2 * n + 10, 300), answers(2 * n + 11, 300)))
    const low = found.filter(({ p }) => p < 0.05).length
    expect(low).toBeGreaterThan(1)
    expect(low).toBeLessThan(25)
    expect(Math.max(...found.map(({ auc }) => Math.abs(auc - 0.5)))).toBeLessThan(0.1)
  })

  it("computes the values that were calculated by hand, also with ties", () => {
    expect(compare([1, 2, 3], [4, 5, 6])).toMatchObject({ difference: 3, auc: 1 })
    expect(compare([1, 2, 3], [4, 5, 6]).p).toBeCloseTo(0.0495, 3)
    expect(compare([1, 1, 2], [1, 1, 2])).toMatchObject({ difference: 0, auc: 0.5 })
    expect(compare([7, 7], [7, 7])).toEqual({ difference: 0, p: 1, auc: 0.5 })
  })
})
