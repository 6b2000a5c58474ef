/** A file of places that is imported in parts: what is read of it, redrawn, and left of it. */
import { assert, describe, it } from "vitest"
import { shapeOf } from "../src/browser/areas/drawing.ts"
import { areaOf, leftOf, readPlaceFile, redrawn } from "../src/browser/areas/geoJson.ts"

const ring = [
  [11, 45],
  [12, 45],
  [12, 46],
  [11, 45]
] as const
const feature = (properties: object | null, more: object = {}) => ({
  type: "Feature",
  properties,
  geometry: { type: "Polygon", coordinates: [ring] },
  ...more
})
const file = (...features: ReadonlyArray<object>) =>
  readPlaceFile(JSON.stringify({ type: "FeatureCollection", name: "kept", features }))!

describe("a file of places", () => {
  it("is a FeatureCollection with a polygon, whose other members stay", () => {
    assert.deepInclude(file(feature({ name: "Hall" })) as object, { name: "kept" })
    for (const json of [
      feature({}),
      { type: "FeatureCollection", features: [] },
      { type: "Point", coordinates: [11, 45] }
    ])
      assert.isUndefined(readPlaceFile(JSON.stringify(json)))
    assert.isUndefined(readPlaceFile("{"))
  })

  it("has an area of its own for each feature with a polygon, which may be redrawn", () => {
    const both = file(feature(null), feature(null, { geometry: null }))
    assert.deepStrictEqual(both.features.map(areaOf), [[[[...ring]]], undefined] as never)
    const square = [
      [
        [10, 44],
        [11, 44],
        [11, 45]
      ]
    ] as const
    const next = redrawn(both, 1, shapeOf([square]))
    assert.deepStrictEqual(areaOf(next.features[1]), [[[...square[0], square[0][0]]]] as never)
    assert.strictEqual(next.features[0], both.features[0])
  })

  it("keeps what was refused, whose parents are the places that were created", () => {
    const all = file(
      feature({ name: "Hall" }, { id: "h" }),
      feature({ name: "h" }),
      feature({ name: "Room", parent: "h" }),
      feature({ name: "Desk", parent: "Hall" }),
      feature({ name: "Lamp", parent: "Room" }),
      feature(null)
    )
    const refused = [2, 3, 4, 5].map((feature) => ({ feature, reason: "" }))
    const left = leftOf(all, {
      created: [
        { feature: 0, placeId: 7 },
        { feature: 1, placeId: 8 }
      ],
      refused
    })
    assert.deepStrictEqual(
      left.features.map(({ properties }) => properties?.parent),
      // The id of a feature counts before the name of another one.
      [7, 7, "Room", undefined]
    )
    assert.deepInclude(left as object, { name: "kept" })
  })
})
