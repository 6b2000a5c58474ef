/** What the page marks of a drawing that overlaps others or is outside, against the rules of the service. */
import { assert, describe, it } from "@effect/vitest"
import { integer } from "@sojourn/testing"
import { misplacedIn, type RelatedArea } from "../src/browser/areas/overlaps.ts"
import type { Polygons } from "../src/browser/shared/area.ts"
import { rectangle } from "./areas.ts"

const named = (polygons: Polygons, name = "other") => ({ name, polygons })
const find = (relation: RelatedArea["relation"]) => (area: Polygons, others: ReadonlyArray<ReturnType<typeof named>>) =>
  misplacedIn(
    area,
    others.map((other) => ({ ...other, relation }))
  )
const [overlapsOf, outsideOf, leftOutOf] = [find("apart"), find("within"), find("around")]
const square = rectangle(0, 0, 10, 10)
const corner = integer(-12, 12)

describe("areas that overlap", () => {
  it("are all named, with the borders of what they share", () => {
    const others = [
      named(rectangle(8, 8, 12, 12), "a"),
      named(rectangle(20, 0, 30, 10), "b"),
      named(rectangle(-5, 2, 1, 4), "c")
    ]
    const found = overlapsOf(square, others)
    assert.deepStrictEqual(
      found.map(({ name }) => name),
      ["a", "c"]
    )
    const points = found[0]!.lines.flat().map((point) => point.join())
    assert.deepStrictEqual([...new Set(points)].sort(), ["10,10", "10,8", "8,10", "8,8"])
  })

  it.prop(
    "are those that share an inside, whatever of their borders runs together",
    { west: corner, south: corner, width: integer(1, 12), height: integer(1, 12) },
    ({ west, south, width, height }) => {
      const other = rectangle(west, south, west + width, south + height)
      const isShared = west < 10 && south < 10 && west + width > 0 && south + height > 0
      const isWithin = west >= 0 && south >= 0 && west + width <= 10 && south + height <= 10
      assert.strictEqual(overlapsOf(square, [named(other)]).length, isShared ? 1 : 0)
      assert.strictEqual(overlapsOf(other, [named(square)]).length, isShared ? 1 : 0)
      assert.strictEqual(outsideOf(other, [named(square)]).length, isWithin ? 0 : 1)
      assert.strictEqual(leftOutOf(square, [named(other)]).length, isWithin ? 0 : 1)
    }
  )

  it("may touch, a little more than the service lets them, and lie in each other's holes", () => {
    const hole = rectangle(4, 4, 6, 6)[0]![0]!
    const holed: Polygons = [[square[0]![0]!, hole]]
    assert.deepStrictEqual(overlapsOf(square, [named(rectangle(10 - 2e-7, 0, 20, 10))]), [])
    assert.deepStrictEqual(overlapsOf(holed, [named([[hole]]), named(rectangle(4.5, 4.5, 5, 5))]), [])
    assert.lengthOf(overlapsOf(holed, [named(rectangle(3, 3, 7, 7))]), 1)
    assert.lengthOf(outsideOf([[hole]], [named(holed)]), 1)
  })

  it("end where they begin, also where the older form leaves that out", () => {
    const open: Polygons = [[rectangle(2, 2, 4, 4)[0]![0]!.slice(0, -1)]]
    assert.lengthOf(overlapsOf(square, [named(open)]), 1)
    assert.deepStrictEqual(leftOutOf(square, [named(open)]), [])
    // The edge that the ring leaves out lies outside of this one.
    assert.lengthOf(outsideOf(open, [named(rectangle(2.5, 1, 5, 5))]), 1)
  })
})
