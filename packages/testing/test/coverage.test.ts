/** The bounds below which a model check reports that it met a state too seldom, by the binomial distribution. */
import { assert, describe, it } from "@effect/vitest"
import { leastOf, shortfalls } from "../src/model/coverage.ts"

/** The runs of the longest check of the repository: 30,000 commands in memory. */
const LONGEST = 120
const SHARES = Array.from({ length: 83 }, (_, index) => (index + 17) / 100)

/** The probability that fewer than `least` of the runs meet a state of this share, term by term. */
const below = (least: number, share: number, runs: number): number => {
  let term = (1 - share) ** runs
  let sum = 0
  for (let count = 0; count < least; count++) {
    sum += term
    term *= ((runs - count) / (count + 1)) * (share / (1 - share))
  }
  return sum
}

describe("states that a check meets too seldom", () => {
  it("are not found in a sound check of any length, but once in 100 million", () => {
    for (const runs of [1, 6, 8, 20, 120]) {
      for (const share of SHARES) assert.isAtMost(below(leastOf(share, runs), share, runs), 1e-8)
    }
  })

  it("are found by the longest check where a state of any share is not met at all", () => {
    for (const share of SHARES) assert.isAtLeast(leastOf(share, LONGEST), 1)
  })

  it("are found by the longest check where a state of 3 in 10 runs is met a tenth as often", () => {
    for (const share of SHARES.filter((share) => share >= 0.3)) {
      assert.isAtLeast(below(leastOf(share, LONGEST), share / 10, LONGEST), 0.99)
    }
  })

  it("are named, each with how many runs met it", () => {
    for (const wire of [false, true]) {
      const all = shortfalls({ runs: LONGEST, met: new Map(), wire })
      const met = new Map(all.map(({ state, least }) => [state, least]))
      assert.deepStrictEqual(shortfalls({ runs: LONGEST, met, wire }), [])
      for (const { state, least } of all) {
        assert.deepStrictEqual(shortfalls({ runs: LONGEST, met: new Map([...met, [state, least - 1]]), wire }), [
          { state, met: least - 1, least }
        ])
      }
    }
  })
})
