/** The ranges of ids: they are apart, end where ids do, and an id tells its cell. */
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { integer } from "@sojourn/testing"
import { type CellNumber, cellOfId, idRangeOf, LARGEST_ISSUED_ID, LARGEST_LONG } from "../../../src/index.ts"
import { trials } from "../../trials.ts"

const cellAt = (number: number) => number as CellNumber

describe("the ids of cells", () => {
  it("begin at 1 in the home cell, and end with the largest id in the last cell", () => {
    assert.strictEqual(idRangeOf(cellAt(0)).first, 1n)
    assert.strictEqual(idRangeOf(cellAt(255)).last, LARGEST_ISSUED_ID)
  })

  it.prop(
    "tell the cell that issued them, and are of no other cell",
    { number: integer(0, 255), offset: integer(0, 1_000_000) },
    ({ number, offset }) => {
      const cell = cellAt(number)
      const { first, last } = idRangeOf(cell)
      const found = [first, last, first + BigInt(offset), last - BigInt(offset)].map(cellOfId)
      assert.deepStrictEqual(
        found,
        found.map(() => Option.some(cell))
      )
      if (number < 255) assert.isTrue(last < idRangeOf(cellAt(number + 1)).first)
    },
    trials()
  )

  it("are of no cell where none is issued: before the first of a range, and above the largest", () => {
    const unissued = [0n, idRangeOf(cellAt(7)).first - 1n, LARGEST_ISSUED_ID + 1n, LARGEST_ISSUED_ID + 2n, LARGEST_LONG]
    for (const id of unissued) assert.deepStrictEqual(cellOfId(id), Option.none())
  })
})
