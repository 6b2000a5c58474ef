/** Properties of a drawn shape: changes, undoing, snapping and views, without a browser. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import { parseTrackingArea } from "@sojourn/core"
import { fit, type Point, type Polygons, type Position, readArea } from "../src/browser/shared/area.ts"
import {
  addHole,
  addPart,
  type CornerAt,
  cornerOf,
  cornersOf,
  countCorners,
  type Drawn,
  insertCorner,
  edgeOf,
  middleAfter,
  moveCorner,
  moveEdge,
  moveShape,
  moveSquarely,
  record,
  redo,
  removeCorner,
  type Shape,
  shapeOf,
  snap,
  stepCorner,
  undo,
  withoutEmptyRings,
  writeArea
} from "../src/browser/areas/drawing.ts"
import { metresOf } from "../src/browser/areas/edges.ts"
import { panned, roundDegrees, viewIn, viewOf, zoomedAt } from "../src/browser/areas/view.ts"
import { rectangle } from "./areas.ts"

const degree = Arbitrary.map(integer(-1_000, 1_000), (n) => n / 100)
const position: Arbitrary.Arbitrary<Position> = Arbitrary.all([degree, degree])
const listOf = <A>(one: Arbitrary.Arbitrary<A>, least: number, most: number): Arbitrary.Arbitrary<ReadonlyArray<A>> =>
  Arbitrary.array(one, { minLength: least, maxLength: most })
const shape: Arbitrary.Arbitrary<Shape> = listOf(listOf(listOf(position, 1, 5), 1, 3), 1, 3)
const index = integer(0, 1_000)

/** Some corner of a shape. */
const someCorner = (shape: Shape, n: number): CornerAt => {
  const all = cornersOf(shape)
  return all[n % all.length]!
}

const square = rectangle(11, 45, 12, 46)
const FORMS = {
  polygon: JSON.stringify({ type: "Polygon", coordinates: square[0] }),
  feature: JSON.stringify({
    type: "Feature",
    properties: { name: "A hall" },
    geometry: { type: "Polygon", coordinates: square[0] }
  }),
  older: JSON.stringify({ Organizzazioni: square[0]![0]!.map(([long, lat]) => ({ lat: String(lat), long })) })
}

describe("a drawn shape", () => {
  it.prop(
    "is what it was written as, in each form",
    { drawn: shape, form: anyOf(["polygon", "feature", "older"]) },
    ({ drawn, form }) => {
      // A ring that ends where it began is closed already.
      const open = drawn.map((rings) =>
        rings.map((ring) => ring.filter((corner, i) => i === 0 || corner.join() !== ring[0]!.join()))
      )
      const text = writeArea(open, FORMS[form])
      assert.deepStrictEqual(shapeOf(readArea(text)), open)
      const json = JSON.parse(text)
      if (form === "feature") assert.deepStrictEqual([json.type, json.properties], ["Feature", { name: "A hall" }])
      const isSimple = open.length === 1 && open[0]!.length === 1
      assert.strictEqual("Organizzazioni" in json, form === "older" && isSimple)
    }
  )

  it("is read by the service as it was drawn", () => {
    for (const form of Object.values(FORMS)) {
      const text = writeArea(shapeOf(square), form)
      assert.deepStrictEqual(Result.getOrThrow(parseTrackingArea(text)).polygons, square)
      assert.strictEqual(countCorners(shapeOf(square)), 5)
    }
  })

  it.prop("changes in one corner when it is moved", { drawn: shape, index, to: position }, ({ drawn, index, to }) => {
    const at = someCorner(drawn, index)
    const moved = moveCorner(drawn, at, to)
    for (const one of cornersOf(drawn)) {
      assert.deepStrictEqual(cornerOf(moved, one), one.join() === at.join() ? to : cornerOf(drawn, one))
    }
  })

  it.prop(
    "is what it was after a corner was inserted and removed",
    { drawn: shape, index, to: position },
    ({ drawn, index, to }) => {
      const [part, ring, corner] = someCorner(drawn, index)
      const inserted = insertCorner(drawn, [part, ring, corner], to)
      assert.deepStrictEqual(cornerOf(inserted, [part, ring, corner + 1]), to)
      assert.strictEqual(cornersOf(inserted).length, cornersOf(drawn).length + 1)
      assert.deepStrictEqual(removeCorner(inserted, [part, ring, corner + 1]), drawn)
    }
  )

  it.prop("has no ring without corners, whatever is removed", { drawn: shape, index }, ({ drawn, index }) => {
    let left = drawn
    for (let all = cornersOf(left); all.length > 0; all = cornersOf(left)) {
      left = removeCorner(left, all[index % all.length]!)
      assert.deepStrictEqual(withoutEmptyRings(left), left)
    }
    assert.deepStrictEqual(left, [])
  })

  it.prop("may have further parts and holes", { drawn: shape, index, to: position }, ({ drawn, index, to }) => {
    const part = index % drawn.length
    const holed = addHole(drawn, part)
    assert.deepStrictEqual(withoutEmptyRings(holed), drawn)
    const ring = drawn[part]!.length
    assert.deepStrictEqual(insertCorner(holed, [part, ring, -1], to)[part]![ring], [to])
    assert.deepStrictEqual(withoutEmptyRings(addPart(drawn)), drawn)
    assert.deepStrictEqual(insertCorner(addPart(drawn), [drawn.length, 0, -1], to), [...drawn, [[to]]])
  })

  it.prop("is stepped through, each corner once, forth and back", { drawn: shape, index }, ({ drawn, index }) => {
    const start = someCorner(drawn, index)
    const seen = new Set<string>()
    let at: CornerAt | undefined = start
    for (const _ of cornersOf(drawn)) {
      seen.add(at!.join())
      const next = stepCorner(drawn, 1, at)
      assert.deepStrictEqual(stepCorner(drawn, -1, next), at)
      at = next
    }
    assert.deepStrictEqual(at, start)
    assert.strictEqual(seen.size, cornersOf(drawn).length)
  })

  it.prop("has its edges' middles between their ends", { drawn: shape, index }, ({ drawn, index }) => {
    const at = someCorner(drawn, index)
    const ring = drawn[at[0]]![at[1]]!
    const middle = middleAfter(drawn, at)
    if (ring.length < 2) return assert.isUndefined(middle)
    const [from, to] = [ring[at[2]]!, ring[(at[2] + 1) % ring.length]!]
    for (const n of [0, 1] as const) assert.closeTo(middle![n], (from[n] + to[n]) / 2, 1e-7)
  })
})

describe("a shape that is moved", () => {
  const box: Shape = [
    [
      [
        [11, 45],
        [11.2, 45],
        [11.2, 45.1],
        [11, 45.1]
      ]
    ]
  ]
  const near = (one: Position, other: Position) => {
    for (const axis of [0, 1] as const) assert.closeTo(one[axis], other[axis], 3e-7)
  }

  it.prop("as a whole keeps its form", { drawn: shape, by: position }, ({ drawn, by }) => {
    const moved = moveShape(drawn, by)
    for (const at of cornersOf(drawn)) {
      const [x, y] = cornerOf(drawn, at)!
      near(cornerOf(moved, at)!, [x + by[0], y + by[1]])
    }
  })

  it.prop(
    "by an edge keeps that edge's length and direction, and the other corners",
    { drawn: shape, index, by: position },
    ({ drawn, index, by }) => {
      const at = someCorner(drawn, index)
      const moved = moveEdge(drawn, at, by)
      const count = drawn[at[0]]![at[1]]!.length
      const own = [at[2], (at[2] + 1) % count]
      if (count > 2) {
        const [[from, to], [before, after]] = [edgeOf(drawn, at), edgeOf(moved, at)]
        near([after[0] - before[0], after[1] - before[1]], [to[0] - from[0], to[1] - from[1]])
      }
      for (const one of cornersOf(drawn)) {
        const isOwn = one[0] === at[0] && one[1] === at[1] && own.includes(one[2])
        if (!isOwn) assert.deepStrictEqual(cornerOf(moved, one), cornerOf(drawn, one))
      }
    }
  )

  it("by a corner stays a rectangle, also a turned one, and is free in another form", () => {
    assert.deepStrictEqual(moveSquarely(box, [0, 0, 2], [11.5, 45.3]), [
      [
        [
          [11, 45],
          [11.5, 45],
          [11.5, 45.3],
          [11, 45.3]
        ]
      ]
    ])
    assert.deepStrictEqual(moveEdge(box, [0, 0, 1], [0.1, 7])[0]![0]!.slice(1, 3), [
      [11.3, 45],
      [11.3, 45.1]
    ])
    // On the equator a degree is as long in both directions, but for 0.7 %.
    const turned: Shape = [
      [
        [
          [0, 0],
          [2, 1],
          [1, 3],
          [-1, 2]
        ]
      ]
    ]
    const [, east, , west] = moveSquarely(turned, [0, 0, 2], [2, 6])[0]![0]!
    for (const [found, expected] of [
      [east!, [4, 2]],
      [west!, [-2, 4]]
    ] as const)
      for (const axis of [0, 1] as const) assert.closeTo(found[axis], expected[axis]!, 0.05)
    const bent: Shape = [
      [
        [
          [0, 0],
          [2, 0],
          [3, 3],
          [0, 2]
        ]
      ]
    ]
    assert.deepStrictEqual(moveSquarely(bent, [0, 0, 2], [4, 4]), moveCorner(bent, [0, 0, 2], [4, 4]))
  })

  it("has edges of so many metres", () => {
    // By GeographicLib.
    assert.closeTo(
      metresOf([
        [13.79, 45.65],
        [13.791, 45.65]
      ]),
      77.97,
      0.05
    )
    assert.closeTo(
      metresOf([
        [13.79, 45.65],
        [13.79, 45.651]
      ]),
      111.14,
      0.05
    )
  })
})

describe("snapping", () => {
  const flat = ([x, y]: Position): Point => [x, y]
  const borders = Arbitrary.map(shape, (drawn): ReadonlyArray<Polygons> => [
    drawn.map((rings) => rings.map((ring) => [...ring, ring[0]!]))
  ])
  const distance = (a: Position, b: Position) => Math.hypot(a[0] - b[0], a[1] - b[1])
  /** How far a position is from the nearest of many points along all edges. */
  const distanceTo = (at: Position, areas: ReadonlyArray<Polygons>) =>
    Math.min(
      ...areas.flat(2).flatMap((ring) =>
        ring.slice(1).flatMap((to, i) => {
          const from = ring[i]!
          return Array.from({ length: 101 }, (_, n): number =>
            distance(at, [from[0] + (n / 100) * (to[0] - from[0]), from[1] + (n / 100) * (to[1] - from[1])])
          )
        })
      )
    )

  it.prop(
    "finds the nearest point of the borders, and a corner exactly when one is within reach",
    { areas: borders, at: position, corners: integer(0, 3) },
    ({ areas, at, corners }) => {
      const found = snap(at, areas, flat, { corners, edges: Infinity })!
      const nearest = areas
        .flat(3)
        .map((corner) => [corner as unknown as Position, distance(at, corner as unknown as Position)] as const)
        .reduce((best, one) => (one[1] < best[1] ? one : best))
      if (nearest[1] <= corners) assert.strictEqual(distance(at, found), nearest[1])
      else assert.isAtMost(distance(at, found), distanceTo(at, areas) + 1e-6)
      assert.isAtMost(distanceTo(found, areas), 0.15)
    }
  )

  it.prop("finds nothing where all is out of reach", { areas: borders, at: position }, ({ areas, at }) => {
    const found = snap(at, areas, flat, { corners: 0.5, edges: 0.5 })
    if (found === undefined) assert.isAbove(distanceTo(at, areas), 0.5 - 0.15)
    else assert.isAtMost(distance(at, found), 0.5 + 1e-6)
  })

  it("repeats the decimals of a corner, and is no farther from a slanted edge than what touches it", () => {
    const corner: Position = [11.123456789012, 45.5]
    const area: Polygons = [[[corner, [12, 46], [11, 46], corner]]]
    assert.deepStrictEqual(snap([11.1, 45.51], [area], flat, { corners: 0.1, edges: 0.1 }), corner)
    const [longitude, latitude] = snap([11.5, 45.7], [area], flat, { corners: 0.01, edges: 0.5 })!
    const t = (longitude - corner[0]) / (12 - corner[0])
    assert.isBelow(Math.abs(latitude - (corner[1] + t * (46 - corner[1]))), 2e-7)
  })
})

describe("a view", () => {
  const size: Point = [600, 400]
  const base = fit([square], size[0], size[1]).project

  it.prop(
    "says for each point which position is there",
    { x: integer(0, 600), y: integer(0, 400), zoom: anyOf([0.25, 1, 3, 64, 1024]) },
    ({ x, y, zoom }) => {
      const { project, unproject } = viewIn(base, size, { zoom, center: [11.3, 45.7] })
      const [left, top] = project(unproject([x, y]))
      // A position is rounded to about a centimetre.
      assert.closeTo(left, x, 1e-4 * zoom)
      assert.closeTo(top, y, 1e-4 * zoom)
    }
  )

  it("has its center in the middle, and at zoom 1 around everything the whole drawing's scale", () => {
    const { project } = viewIn(base, size, { zoom: 8, center: [11.25, 45.5] })
    assert.deepStrictEqual(project([11.25, 45.5]).map(Math.round), [300, 200])
    const west = base([11, 45])[0] - base([12, 45])[0]
    const whole = viewIn(base, size, { zoom: 1, center: [11.5, 45.5] }).project
    assert.closeTo(whole([11, 45])[0] - whole([12, 45])[0], west, 1e-6)
  })

  it.prop(
    "stays at a point around which it is zoomed, and follows what moves it",
    { x: integer(0, 600), y: integer(0, 400), from: anyOf([0.25, 1, 7]), to: anyOf([0.5, 3, 64]) },
    ({ x, y, from, to }) => {
      const view = { zoom: from, center: [11.3, 45.7] } as const
      const at = viewIn(base, size, view).unproject([x, y])
      const zoomed = zoomedAt(base, size, view, to, [x, y])
      assert.strictEqual(zoomed.zoom, to)
      const [stillX, stillY] = viewIn(base, size, zoomed).project(at)
      assert.closeTo(stillX, x, 1e-4 * to)
      assert.closeTo(stillY, y, 1e-4 * to)
      const [movedX, movedY] = viewIn(base, size, panned(base, zoomed, [30, -20])).project(at)
      assert.closeTo(movedX, x + 30, 1e-4 * to)
      assert.closeTo(movedY, y - 20, 1e-4 * to)
    }
  )

  it.prop("shows positions in its middle half", { positions: listOf(position, 1, 6) }, ({ positions }) => {
    const { project } = viewIn(base, size, viewOf(positions, base, size))
    for (const [x, y] of positions.map(project)) {
      if (viewOf(positions, base, size).zoom > 0.25) {
        assert.isTrue(x >= 149 && x <= 451 && y >= 99 && y <= 301, `${x} ${y}`)
      }
    }
  })
})

describe("undoing", () => {
  const started = (shape: Shape): Drawn => ({ shape, past: [], future: [] })

  it.prop("brings back each change, and redoing all of them", { shapes: listOf(shape, 1, 6) }, ({ shapes }) => {
    const last = shapes.slice(1).reduce((drawn, shape) => record(drawn, shape), started(shapes[0]!))
    let drawn = last
    for (const shape of shapes.toReversed()) {
      assert.deepStrictEqual(drawn.shape, shape)
      drawn = undo(drawn)
    }
    for (const _ of shapes) drawn = redo(drawn)
    assert.deepStrictEqual(drawn.shape, last.shape)
    assert.deepStrictEqual(redo(drawn), { shape: drawn.shape, past: drawn.past, future: [] })
  })

  it("takes the changes of one step together, and forgets what was undone at another change", () => {
    const [a, b, c, d] = [1, 2, 3, 4].map((n): Shape => [[[[n, n]]]]) as [Shape, Shape, Shape, Shape]
    const dragged = record(record(record(started(a), b, "drag 1"), c, "drag 1"), d, "drag 2")
    assert.deepStrictEqual(dragged.past, [a, c])
    assert.deepStrictEqual(undo(undo(dragged)).shape, a)
    assert.deepStrictEqual(record(undo(dragged), b).future, [])
    assert.strictEqual(record(dragged, dragged.shape), dragged)
    assert.strictEqual(roundDegrees(11.123456789), 11.1234568)
  })
})
