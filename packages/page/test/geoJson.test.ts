/** Areas of other programs' GeoJSON. */
import { assert, describe, it } from "vitest"
import { readGeoJson } from "../src/browser/areas/geoJson.ts"

const ring = [
  [11, 45],
  [12, 45],
  [12, 46],
  [11, 45]
]
const polygon = { type: "Polygon", coordinates: [ring] }
const feature = (geometry: unknown) => ({ type: "Feature", properties: { name: "A hall" }, geometry })
const read = (json: unknown) => readGeoJson(JSON.stringify(json))

describe("GeoJSON", () => {
  it("is read for its polygons, however they are wrapped", () => {
    const two = { type: "MultiPolygon", coordinates: [[ring], [ring]] }
    assert.deepStrictEqual(read(polygon), [[ring]] as never)
    assert.deepStrictEqual(read(two), [[ring], [ring]] as never)
    assert.deepStrictEqual(readGeoJson(`\uFEFF${JSON.stringify(polygon)}`), [[ring]] as never)
    assert.deepStrictEqual(read(feature(polygon)), [[ring]] as never)
    const features = [feature({ type: "Point", coordinates: [11, 45] }), feature(polygon), feature(null), feature(two)]
    assert.strictEqual(read({ type: "FeatureCollection", features })?.length, 3)
    assert.strictEqual(read({ type: "GeometryCollection", geometries: [polygon, polygon] })?.length, 2)
  })

  it("is refused without a polygon of positions", () => {
    for (const json of [null, [], 3, {}, feature(null), { type: "Point", coordinates: [1, 2] }])
      assert.isUndefined(read(json))
    for (const coordinates of [undefined, [], [[]], [[["11", "45"]]], [[[11]]], [3], "x"]) {
      assert.isUndefined(read({ type: "Polygon", coordinates }))
      assert.isUndefined(read({ type: "MultiPolygon", coordinates: [coordinates] }))
    }
    // Meters of a projection.
    assert.isUndefined(read({ type: "Polygon", coordinates: [[...ring, [677_000, 5_150_000]]] }))
    assert.isUndefined(readGeoJson("{"))
    assert.isUndefined(readGeoJson(""))
  })
})
