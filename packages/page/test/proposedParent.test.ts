/** Which place a drawn area is proposed to be a part of. */
import { assert, describe, it } from "@effect/vitest"
import { integer } from "@sojourn/testing"
import { addRectangle, GEO_JSON, type Shape, writeArea } from "../src/browser/areas/drawing.ts"
import { isDrawnInside, proposedParent } from "../src/browser/areas/surroundings.ts"
import { lineagesOf } from "../src/browser/organizations/lineages.ts"
import { readArea } from "../src/browser/shared/area.ts"

const rectangle = (west: number, south: number, east: number, north: number) =>
  addRectangle([], [west, south], [east, north])
const textOf = (shape: Shape) => writeArea(shape, GEO_JSON)
const place = (id: number, name: string, area: Shape, over: object = {}) =>
  ({ id, name, trackingArea: textOf(area), ...over }) as never

const outline = rectangle(0, 0, 10, 10)
const lineages = lineagesOf([
  place(1, "Building", outline),
  place(2, "Ground floor", outline, { parentId: 1, level: 0 }),
  place(3, "First floor", outline, { parentId: 1, level: 1 }),
  place(4, "Library", rectangle(0, 0, 5, 10), { parentId: 3 }),
  place(5, "Garden", rectangle(20, 0, 30, 10))
])
const proposed = (shape: Shape, level: number) => proposedParent(shape, level, lineages)?.name

describe("the proposed parent of a drawn area", () => {
  it("is the innermost place around it on its level", () => {
    assert.strictEqual(proposed(rectangle(6, 1, 9, 9), 0), "Ground floor")
    assert.strictEqual(proposed(rectangle(6, 1, 9, 9), 1), "First floor")
    assert.strictEqual(proposed(rectangle(1, 1, 4, 9), 1), "Library")
    // Its border may be shared, also where corners are rounded.
    assert.strictEqual(proposed(rectangle(0, 1e-7, 5.0000001, 10), 1), "Library")
    assert.strictEqual(proposed(rectangle(1, 1, 6, 9), 1), "First floor")
    assert.strictEqual(proposed(rectangle(21, 1, 29, 9), 0), "Garden")
  })

  it("is a place without a level on a level that nothing around it is on", () => {
    assert.strictEqual(proposed(outline, 2), "Building")
    assert.strictEqual(proposed(rectangle(1, 1, 4, 9), -1), "Building")
  })

  it("is none outside of all places, across a border, and before anything is drawn", () => {
    assert.isUndefined(proposed(rectangle(11, 1, 12, 9), 0))
    assert.isUndefined(proposed(rectangle(9, 1, 11, 9), 1))
    assert.isUndefined(proposed([], 1))
    assert.isUndefined(proposed([[[]]], 1))
  })

  it("is not around an area that leaves it between its corners", () => {
    const bent: Shape = [
      [
        [
          [0, 0],
          [10, 0],
          [10, 10],
          [9, 10],
          [9, 1],
          [1, 1],
          [1, 10],
          [0, 10]
        ]
      ]
    ]
    const polygons = readArea(textOf(bent))
    assert.isTrue(isDrawnInside(rectangle(0, 0, 1, 10), polygons))
    assert.isFalse(isDrawnInside(rectangle(0, 8, 10, 9), polygons))
  })

  it.prop(
    "is around each area inside, and around none that is moved out",
    { west: integer(0, 9), south: integer(0, 9), by: integer(1, 20) },
    ({ west, south, by }) => {
      const polygons = readArea(textOf(outline))
      assert.isTrue(isDrawnInside(rectangle(west, south, west + 1, south + 1), polygons))
      assert.isFalse(isDrawnInside(rectangle(west, south, 10 + by, south + 1), polygons))
    }
  )
})
