/** Where new organizations go: in proportion to the weights, and to the first of equal cells. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { CellNumber } from "@sojourn/core"
import { integer } from "@sojourn/testing"
import { chooseCell } from "../src/cells/placement.ts"

type Loads = Parameters<typeof chooseCell>[0]

const loadsOf = (weights: ReadonlyArray<number>, organizations: ReadonlyArray<number> = []): Loads =>
  weights.map((weight, n) => ({ number: CellNumber.make(n), weight, organizations: organizations[n] ?? 0 })) as never

const weights = Arbitrary.array(integer(0, 5), { minLength: 1, maxLength: 5 })

describe("a new organization", () => {
  it.prop(
    "goes to cells by their weights, however many are made",
    { weights, made: integer(1, 200) },
    ({ weights, made }) => {
      const counts = weights.map(() => 0)
      for (let n = 0; n < made; n++) counts[chooseCell(loadsOf(weights, counts))]!++
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      weights.forEach((weight, n) => {
        const share = total === 0 ? (n === 0 ? made : 0) : (made * weight) / total
        assert.isAtMost(Math.abs(counts[n]! - share), total === 0 || weight === 0 ? 0 : weights.length)
      })
    }
  )

  it("goes to the cell that has fewest for its weight, of equal ones to the first", () => {
    assert.strictEqual(chooseCell(loadsOf([1, 1, 1], [5, 4, 4])), 1)
    assert.strictEqual(chooseCell(loadsOf([1, 1, 1])), 0)
    assert.strictEqual(chooseCell(loadsOf([1, 4], [1, 3])), 1)
    assert.strictEqual(chooseCell(loadsOf([0, 1], [0, 9])), 1)
    assert.strictEqual(chooseCell(loadsOf([0, 0], [9, 0])), 0)
  })
})
