/** Projection, paths and labels of areas, without a browser. */
import { assert, describe, it } from "vitest"
import { besideEachOther, fit, labelOf, type Polygons, readArea, toPath } from "../src/browser/shared/area.ts"
import { rectangle } from "./areas.ts"

const ring = (...sides: Parameters<typeof rectangle>) => rectangle(...sides)[0]![0]!
const square = rectangle(11, 45, 12, 46)
const flat = ([x, y]: readonly [number, number]) => [x, y] as const

describe("areas", () => {
  it("are read in every form that the service takes", () => {
    const polygon = { type: "Polygon", coordinates: square[0] }
    assert.deepEqual(readArea(JSON.stringify(polygon)), square)
    assert.deepEqual(readArea(JSON.stringify({ type: "MultiPolygon", coordinates: square })), square)
    assert.deepEqual(readArea(JSON.stringify({ type: "Feature", properties: null, geometry: polygon })), square)
    const feature = { type: "Feature", properties: null, geometry: polygon }
    assert.deepEqual(readArea(JSON.stringify({ type: "FeatureCollection", features: [feature] })), square)
    assert.deepEqual(readArea(JSON.stringify({ type: "GeometryCollection", geometries: [polygon] })), square)
    assert.deepEqual(readArea(`\uFEFF${JSON.stringify(feature)}`), square)
    const older = { Organizzazioni: square[0]![0]!.map(([long, lat]) => ({ lat: String(lat), long })) }
    assert.deepEqual(readArea(JSON.stringify(older)), square)
  })

  it("fit the drawing, with north above and both directions at one scale", () => {
    for (const [width, highest] of [
      [320, 1000],
      [1000, 200]
    ] as const) {
      const { height, project } = fit([square], width, highest)
      const [left, bottom] = project([11, 45])
      const [right, top] = project([12, 46])
      assert.isTrue(0 < left && left < right && right < width)
      assert.isTrue(0 < top && top < bottom && bottom < height && height <= highest)
      const shrink = Math.cos((45.5 * Math.PI) / 180)
      assert.closeTo((right - left) / (bottom - top), shrink, 1e-9)
    }
    assert.strictEqual(fit([], 320, 200).height, 0)
  })

  it("are drawn with their holes", () => {
    const path = toPath([[ring(0, 0, 9, 9), ring(3, 3, 6, 6)]], flat)
    assert.strictEqual(path, "M0 0L9 0L9 9L0 9L0 0ZM3 3L6 3L6 6L3 6L3 3Z")
  })

  it("have a label inside, also where they are bent or have a hole in the middle", () => {
    const inSquare = labelOf([[ring(0, 0, 10, 10)]], flat)
    assert.deepInclude(inSquare, { x: 5, y: 5 })
    const bent: Polygons = [
      [
        [
          [0, 0],
          [10, 0],
          [10, 2],
          [2, 2],
          [2, 10],
          [0, 10],
          [0, 0]
        ]
      ]
    ]
    const { x, y } = labelOf(bent, flat)
    assert.isTrue(y < 2 || x < 2, `${x} ${y}`)
    const { x: besides } = labelOf([[ring(0, 0, 10, 10), ring(4, 0.5, 9.5, 9.8)]], flat)
    assert.isBelow(besides, 4)
  })

  it("lie side by side where the antimeridian is between them, and as they are elsewhere", () => {
    const parts: Polygons = [[ring(179, -17, 180, -16)], [ring(-180, -17, -179, -16)]]
    const place: Polygons = [[ring(-179.8, -16.8, -179.2, -16.2)]]
    assert.deepEqual(besideEachOther([parts, place]), [
      [[ring(179, -17, 180, -16)], [ring(180, -17, 181, -16)]],
      [[ring(180.2, -16.8, 180.8, -16.2)]]
    ])
    const world: Polygons = [[ring(-179, -10, -1, 10)], [ring(1, -10, 179, 10)]]
    for (const areas of [[square], [place], [world], []]) assert.strictEqual(besideEachOther(areas), areas)
  })
})
