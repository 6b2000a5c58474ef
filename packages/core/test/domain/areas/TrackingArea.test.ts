/** The geometry of tracking areas: accepted and refused texts, containment, overlap, and sizes against GeographicLib. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import geographiclib from "geographiclib-geodesic"
import * as Area from "../../../src/domain/areas/TrackingArea.ts"
import type { NotInside, Overlap, Position, RelationFault } from "../../../src/domain/areas/TrackingArea.ts"
import {
  areaOf,
  circle,
  faultOf,
  multi,
  older,
  points,
  polygon,
  rect,
  ring,
  type Ring,
  SQUARE,
  whyNotInside,
  whyOverlap
} from "./TrackingArea.texts.ts"

const EPS = Area.TOUCHING_DISTANCE
const shape = (expected: string, ...path: ReadonlyArray<string | number>) => ({
  _tag: "UnknownShape",
  path,
  expected
})
/** An edge written as `part.ring.from-to`. */
const edgeOf = (text: string): Area.EdgeAt => {
  const [part, index, from, to] = text.split(/[.-]/).map(Number) as [number, number, number, number]
  return { from: [part, index, from], to: [part, index, to] }
}
const edgeFault = <Tag extends string>(_tag: Tag, edge: string, otherEdge: string) => ({
  _tag,
  edge: edgeOf(edge),
  otherEdge: edgeOf(otherEdge)
})
const crossing = (edge: string, otherEdge: string) => edgeFault("EdgesCross", edge, otherEdge)
const touching = (edge: string, otherEdge: string) => edgeFault("EdgesTouch", edge, otherEdge)
const tooFew = (count: number, least: number, ...ring: Area.RingAt) => ({ _tag: "TooFewPoints", ring, count, least })
const tooMany = { _tag: "TooManyPoints", count: 1001, limit: 1000 }
const outOfRange = (...at: Area.PositionAt) => ({ _tag: "PositionOutOfRange", at })
const tooLong = (edge: string) => ({ _tag: "EdgeTooLong", edge: edgeOf(edge) })

const feature = (geometry: string) => `{"type":"Feature","geometry":${geometry},"properties":{}}`
const inSystem = (name: string, text = polygon(SQUARE)) =>
  text.replace("{", `{"crs":${JSON.stringify({ type: "name", properties: { name } })},`)

describe("a text is a tracking area when it is", () => {
  const accepted: ReadonlyArray<readonly [name: string, text: string, squares: number]> = [
    ["a Polygon", polygon(SQUARE), 1],
    ["a Polygon with a hole", polygon(SQUARE, rect(1, 1, 2, 2)), 2],
    ["a MultiPolygon", multi([SQUARE], [rect(5, 0, 6, 1)]), 2],
    ["a MultiPolygon with a part in the hole of another", multi([rect(1, 1, 2, 2)], [SQUARE, rect(0.5, 0.5, 3, 3)]), 3],
    ["a Feature", `{"type":"Feature","geometry":${polygon(SQUARE)},"properties":null}`, 1],
    ["a Feature without properties", `{"type":"Feature","geometry":${multi([SQUARE])}}`, 1],
    [
      "a FeatureCollection of one",
      `{"type":"FeatureCollection","features":[${feature(polygon(SQUARE))}],"name":"x"}`,
      1
    ],
    ["a GeometryCollection of one", `{"type":"GeometryCollection","geometries":[${multi([SQUARE])}]}`, 1],
    ["after a byte order mark", `\uFEFF${polygon(SQUARE)}`, 1],
    ["the older form after a byte order mark", `\uFEFF${older([0, 0], [0, 1], [1, 1])}`, 1],
    [
      "GeoJSON with a bbox, no crs and foreign members",
      polygon(SQUARE).replace("{", '{"bbox":[9],"crs":null,"x":[],'),
      1
    ],
    ...[
      "EPSG:4326",
      "CRS84",
      "OGC:CRS84",
      "urn:ogc:def:crs:OGC:1.3:CRS84",
      "urn:ogc:def:crs:OGC::CRS84",
      "urn:ogc:def:crs:EPSG::4326",
      "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
      "https://www.opengis.net/def/crs/EPSG/0/4326"
    ]
      .map((name) => [`GeoJSON in ${name}`, inSystem(name)] as const)
      .map(([name, text]) => [name, text, 1] as const),
    [
      "GeoJSON with the code of its system",
      polygon(SQUARE).replace("{", '{"crs":{"type":"EPSG","properties":{"code":4326}},'),
      1
    ],
    ["GeoJSON that also has the older list", polygon(SQUARE).replace("{", '{"Organizzazioni":7,'), 1],
    ["a ring with altitudes", polygon(points([0, 0, 9], [4, 0, 9, -1], [4, 4], [0, 0, 8])), 1],
    ["a ring with repeated points", polygon(points([0, 0], [0, 0], [4, 0], [4, 4], [4, 4], [4, 4], [0, 0], [0, 0])), 1],
    [
      "a ring with points all around its first, nearer than the touching distance",
      polygon(ring([0, 0], [4, 0], [4, 4], [0, 4], [0.75 * EPS, 0], [-0.5 * EPS, 0])),
      1
    ],
    ["a ring with points on its sides", polygon(ring([0, 0], [1, 0], [2, 0], [4, 0], [4, 4], [2, 2])), 1],
    ["up to the poles and the antimeridian", polygon(rect(60, -90, 180, 90)), 1],
    ["an edge of just under 180 degrees", polygon(ring([-90, 0], [89.999, 0], [0, 10])), 1],
    ["1,000 positions", polygon(circle(1000)), 1],
    ["white space around it", ` \n${polygon(SQUARE)}\t`, 1],
    ["a gap of twice the touching distance", multi([SQUARE], [rect(4 + 2 * EPS, 0, 5, 4)]), 2],
    ["a small square", polygon(rect(0, 0, 3 * EPS, 3 * EPS)), 1],
    ["the older form", older(["45.41", "11.87"], ["45.42", "11.87"], ["45.42", "11.88"]), 1],
    ["the older form, closed", older(["1", "1"], ["1", "2"], ["2.0", "2"], ["1.0", "1e0"]), 1],
    ["the older form with numbers", older([45.41, 11.87], [45.42, "-11.87"], ["4.542e1", 11.88]), 1],
    ["the older form with exponents that have a sign", older(["454.1e-1", "1.187E+1"], ["45.42", "11"], [46, 12]), 1],
    ["the older form with 1,000 points", older(...circle(1001).slice(0, -1)), 1],
    ["the older form with 1,000 points, closed", older(...circle(1000)), 1],
    [
      "the older form with other members",
      '{"v":1,"Organizzazioni":[{"lat":0,"long":0,"n":[]},{"lat":0,"long":1},{"lat":1,"long":1}]}',
      1
    ]
  ]
  it.each(accepted)("%s", (_, text, squares) => {
    const area = areaOf(text)
    assert.strictEqual(area.text, text)
    assert.strictEqual(area.polygons.flat().length, squares)
    for (const positions of area.polygons.flat()) {
      assert.deepStrictEqual(positions[0], positions.at(-1))
      assert.isTrue(positions.every((position) => position.length === 2))
    }
  })

  it("longitude first in GeoJSON, by name in the older form", () => {
    const text = older(["45", "11"], ["46", "11"], ["46", "12"])
    assert.deepStrictEqual(areaOf(text).polygons, areaOf(polygon(ring([11, 45], [11, 46], [12, 46]))).polygons)
  })
})

describe("a text is refused, with the place, when it is", () => {
  const overBy = (n: number) => polygon(circle(1000 + n))
  const refused: ReadonlyArray<readonly [name: string, text: string, fault: unknown]> = [
    ["empty", "", { _tag: "NotJson" }],
    ["no JSON", "abc", { _tag: "NotJson" }],
    ["cut short", polygon(SQUARE).slice(0, -1), { _tag: "NotJson" }],
    ["with two byte order marks", `\uFEFF\uFEFF${polygon(SQUARE)}`, { _tag: "NotJson" }],
    ["a byte order mark alone", "\uFEFF", { _tag: "NotJson" }],
    ["with a NUL", `${polygon(SQUARE)}\u0000`, { _tag: "NotJson" }],
    ["NaN", '{"type":"Polygon","coordinates":[[[NaN,0],[1,0],[1,1],[NaN,0]]]}', { _tag: "NotJson" }],
    ["null", "null", shape("area")],
    ["a number", "7", shape("area")],
    ["a string of GeoJSON", JSON.stringify(polygon(SQUARE)), shape("area")],
    ["a bare array", JSON.stringify([SQUARE]), shape("area")],
    ["an empty object", "{}", shape("area")],
    ["only a key of every object", '{"__proto__":{"type":"Polygon"},"constructor":1}', shape("area")],
    ["a Point", '{"type":"Point","coordinates":[11,45]}', shape("type", "type")],
    ["a LineString", `{"type":"LineString","coordinates":${JSON.stringify(SQUARE)}}`, shape("type", "type")],
    ["an empty FeatureCollection", `{"type":"FeatureCollection","features":[]}`, shape("single", "features")],
    ["a FeatureCollection without a list", `{"type":"FeatureCollection"}`, shape("single", "features")],
    [
      "a FeatureCollection of two",
      `{"type":"FeatureCollection","features":[${feature(polygon(SQUARE))},${feature(polygon(SQUARE))}]}`,
      shape("single", "features")
    ],
    [
      "a FeatureCollection of an area and null",
      `{"type":"FeatureCollection","features":[${feature(polygon(SQUARE))},null]}`,
      shape("single", "features")
    ],
    [
      "a FeatureCollection of a geometry",
      `{"type":"FeatureCollection","features":[${polygon(SQUARE)}]}`,
      shape("feature", "features", 0)
    ],
    [
      "a FeatureCollection of a Point",
      `{"type":"FeatureCollection","features":[${feature('{"type":"Point","coordinates":[1,1]}')}]}`,
      shape("geometry", "features", 0, "geometry")
    ],
    [
      "a GeometryCollection of two",
      `{"type":"GeometryCollection","geometries":[${polygon(SQUARE)},${polygon(SQUARE)}]}`,
      shape("single", "geometries")
    ],
    [
      "a GeometryCollection of a Feature",
      `{"type":"GeometryCollection","geometries":[${feature(polygon(SQUARE))}]}`,
      shape("geometry", "geometries", 0)
    ],
    [
      "a GeometryCollection of a GeometryCollection",
      `{"type":"GeometryCollection","geometries":[{"type":"GeometryCollection","geometries":[${polygon(SQUARE)}]}]}`,
      shape("geometry", "geometries", 0)
    ],
    ...["EPSG:3857", "EPSG:43260", "urn:ogc:def:crs:EPSG::3003", "urn:ogc:def:crs:OGC:1.3:CRS27", "", " EPSG:4326"].map(
      (name) => [`in ${name}`, inSystem(name), shape("system", "crs")] as const
    ),
    ["with a crs that is none", polygon(SQUARE).replace("{", '{"crs":{},'), shape("system", "crs")],
    ["with a crs that is text", polygon(SQUARE).replace("{", '{"crs":"EPSG:4326",'), shape("system", "crs")],
    [
      "with a crs that is somewhere else",
      polygon(SQUARE).replace("{", '{"crs":{"type":"link","properties":{"href":"http://example.org/4326"}},'),
      shape("system", "crs")
    ],
    [
      "with the code of another system",
      polygon(SQUARE).replace("{", '{"crs":{"type":"EPSG","properties":{"code":32632}},'),
      shape("system", "crs")
    ],
    ["a Feature in another system", inSystem("EPSG:3857", feature(polygon(SQUARE))), shape("system", "crs")],
    ["a Feature of a geometry in another system", feature(inSystem("EPSG:3857")), shape("system", "geometry", "crs")],
    [
      "a FeatureCollection in another system",
      inSystem("EPSG:3857", `{"type":"FeatureCollection","features":[${feature(polygon(SQUARE))}]}`),
      shape("system", "crs")
    ],
    ["a type in other letters", polygon(SQUARE).replace("Polygon", "polygon"), shape("type", "type")],
    ["the older list with a type", `{"type":7,"Organizzazioni":[]}`, shape("type", "type")],
    ["a Feature without geometry", '{"type":"Feature","geometry":null,"properties":{}}', shape("geometry", "geometry")],
    [
      "a Feature of a Feature",
      `{"type":"Feature","geometry":{"type":"Feature","geometry":${polygon(SQUARE)}}}`,
      shape("geometry", "geometry")
    ],
    [
      "a Feature of a Point",
      '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]}}',
      shape("geometry", "geometry")
    ],
    ["without coordinates", '{"type":"Polygon"}', shape("list", "coordinates")],
    ["with empty coordinates", '{"type":"Polygon","coordinates":[]}', shape("list", "coordinates")],
    ["with an empty ring", '{"type":"Polygon","coordinates":[[]]}', shape("list", "coordinates", 0)],
    [
      "with an object for coordinates",
      '{"type":"MultiPolygon","coordinates":{"length":1}}',
      shape("list", "coordinates")
    ],
    ["a MultiPolygon of nothing", '{"type":"MultiPolygon","coordinates":[]}', shape("list", "coordinates")],
    [
      "a MultiPolygon with an empty part",
      `{"type":"MultiPolygon","coordinates":[[${JSON.stringify(SQUARE)}],[]]}`,
      shape("list", "coordinates", 1)
    ],
    [
      "a Polygon called a MultiPolygon",
      polygon(SQUARE).replace("Polygon", "MultiPolygon"),
      shape("position", "coordinates", 0, 0, 0)
    ],
    [
      "with a position of one number",
      polygon(points([0, 0], [4, 0], [4], [0, 0])),
      shape("position", "coordinates", 0, 2)
    ],
    [
      "with a position of strings",
      polygon(points([0, 0], ["4", "0"], [4, 4], [0, 0])),
      shape("position", "coordinates", 0, 1)
    ],
    ["with a null", polygon(points([0, 0], [4, 0], [null, 4], [0, 0])), shape("position", "coordinates", 0, 2)],
    [
      "with an altitude that is no number",
      polygon(points([0, 0], [4, 0], [4, 4, "9"], [0, 0])),
      shape("position", "coordinates", 0, 2)
    ],
    [
      "with an infinite altitude",
      '{"type":"Polygon","coordinates":[[[0,0,1e400],[4,0],[4,4],[0,0]]]}',
      shape("position", "coordinates", 0, 0)
    ],
    [
      "a Feature with a bad position",
      `{"type":"Feature","geometry":${multi([SQUARE], [[[5, 5]] as never])}}`,
      tooFew(1, 4, 1, 0)
    ],
    [
      "an infinite longitude",
      '{"type":"Polygon","coordinates":[[[1e400,0],[4,0],[4,4],[1e400,0]]]}',
      outOfRange(0, 0, 0)
    ],
    ["beyond 180 degrees east", polygon(rect(170, 0, 180.0000001, 1)), outOfRange(0, 0, 1)],
    ["beyond the pole", polygon(rect(0, 80, 1, 90.0000001)), outOfRange(0, 0, 2)],
    ["latitude first", polygon(SQUARE, rect(1, 100, 2, 101)), outOfRange(0, 1, 0)],
    ["of 1,001 positions", overBy(1), tooMany],
    ["of 1,001 positions over its parts", multi([circle(996)], [rect(0, 0, 1, 1)]), tooMany],
    ["of 1,001 repeated positions", polygon([...SQUARE, ...Array.from({ length: 996 }, () => [0, 0])]), tooMany],
    ["of three positions", polygon(points([0, 0], [4, 0], [0, 0])), tooFew(3, 4, 0, 0)],
    ["a hole of three positions", polygon(SQUARE, points([1, 1], [2, 2], [1, 1])), tooFew(3, 4, 0, 1)],
    ["not closed", polygon(SQUARE.slice(0, -1)), { _tag: "RingNotClosed", ring: [0, 0] }],
    ["nearly closed", polygon([...SQUARE.slice(0, -1), [0, 1e-12]]), { _tag: "RingNotClosed", ring: [0, 0] }],
    [
      "a hole that is not closed",
      polygon(SQUARE, points([1, 1], [2, 1], [2, 2], [1, 2])),
      { _tag: "RingNotClosed", ring: [0, 1] }
    ],
    ["an edge of 180 degrees", polygon(ring([-90, 0], [90, 0], [0, 10])), tooLong("0.0.0-1")],
    ["over the antimeridian", polygon(rect(170, 0, -170, 1)), tooLong("0.0.0-1")],
    ["the older form, closing over the antimeridian", older([0, 179], [10, 0], [0, -179]), tooLong("0.0.2-3")],
    ["one point, often", polygon(points([1, 1], [1, 1], [1, 1], [1, 1])), { _tag: "RingWithoutArea", ring: [0, 0] }],
    ["two points, often", polygon(points([1, 1], [2, 2], [2, 2], [1, 1])), { _tag: "RingWithoutArea", ring: [0, 0] }],
    [
      "a hole smaller than the touching distance",
      polygon(SQUARE, rect(1, 1, 1 + EPS / 2, 1 + EPS / 2)),
      { _tag: "RingWithoutArea", ring: [0, 1] }
    ],
    ["on a line", polygon(ring([0, 0], [2, 2], [4, 4])), { _tag: "Spike", at: [0, 0, 2] }],
    [
      "thinner than the touching distance",
      polygon(ring([0, 0], [4, 0], [2, EPS / 2])),
      { _tag: "Spike", at: [0, 0, 0] }
    ],
    ["with a spike outwards", polygon(ring([0, 0], [4, 0], [9, 0], [4, 0], [4, 4])), { _tag: "Spike", at: [0, 0, 2] }],
    [
      "with a spike inwards",
      polygon(ring([0, 0], [4, 0], [4, 4], [2, 4], [2, 2], [2, 4], [0, 4])),
      { _tag: "Spike", at: [0, 0, 4] }
    ],
    ["a bow-tie", polygon(ring([0, 0], [4, 4], [4, 0], [0, 4])), crossing("0.0.0-1", "0.0.2-3")],
    [
      "touching itself with a corner",
      polygon(ring([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])),
      touching("0.0.0-1", "0.0.3-4")
    ],
    [
      "nearly touching itself",
      polygon(ring([0, 0], [4, 0], [4, 4], [2, EPS / 2], [0, 4])),
      touching("0.0.0-1", "0.0.3-4")
    ],
    ["a hole outside", polygon(SQUARE, rect(5, 1, 6, 2)), { _tag: "HoleOutsideShell", hole: [0, 1] }],
    [
      "a hole that touches its shell in a point",
      polygon(SQUARE, ring([0, 2], [1, 1], [1, 3])),
      touching("0.0.3-0", "0.1.0-1")
    ],
    [
      "a hole in a hole",
      polygon(SQUARE, rect(1, 1, 3, 3), rect(1.5, 1.5, 2, 2)),
      { _tag: "HoleInsideHole", hole: [0, 2], otherHole: [0, 1] }
    ],
    [
      "a hole in the second part, outside it",
      multi([SQUARE], [rect(5, 0, 9, 4), rect(1, 1, 2, 2)]),
      { _tag: "HoleOutsideShell", hole: [1, 1] }
    ],
    ["a part in a part", multi([SQUARE], [rect(1, 1, 2, 2)]), { _tag: "PartInsidePart", part: 1, otherPart: 0 }],
    [
      "a part beside a hole of a part",
      multi([SQUARE, rect(1, 1, 2, 2)], [rect(2.5, 2.5, 3, 3)]),
      { _tag: "PartInsidePart", part: 1, otherPart: 0 }
    ],
    ["parts that nearly touch", multi([SQUARE], [rect(4 + EPS / 2, 1, 5, 2)]), touching("0.0.1-2", "1.0.0-1")],
    ["the older form without a list", '{"Organizzazioni":{}}', shape("list", "Organizzazioni")],
    ["the older form, empty", older(), shape("list", "Organizzazioni")],
    ["the older form in other letters", '{"organizzazioni":[]}', shape("area")],
    ["the older form with two points", older([0, 0], [1, 1]), tooFew(2, 3, 0, 0)],
    ["the older form of two points, closed", older([0, 0], [1, 1], [0, 0]), { _tag: "RingWithoutArea", ring: [0, 0] }],
    ["the older form with 1,001 points", older(...circle(1001)), tooMany],
    ["the older form out of range", older([0, 0], [91, 0], [1, 1]), outOfRange(0, 0, 1)],
    ["the older form with a huge number", older([0, 0], ["1e400", 0], [1, 1]), outOfRange(0, 0, 1)],
    [
      "the older form with a point that is an array",
      '{"Organizzazioni":[[0,0],[1,0],[1,1]]}',
      shape("point", "Organizzazioni", 0)
    ],
    [
      "the older form with a point without a latitude",
      '{"Organizzazioni":[{"lat":1,"long":1},{"lat":1,"long":2},{"long":2}]}',
      shape("point", "Organizzazioni", 2)
    ],
    [
      "the older form without long",
      '{"Organizzazioni":[{"lat":1,"long":1},{"lat":1,"lng":1},{}]}',
      shape("point", "Organizzazioni", 1)
    ],
    ...[
      "",
      " 1",
      "1 ",
      "0x10",
      "Infinity",
      "NaN",
      "1,5",
      "1_0",
      "+1",
      ".5",
      "5.",
      "1e",
      "1ex5",
      "١",
      "--1",
      null,
      true,
      [1],
      {}
    ].map(
      (text) =>
        [
          `the older form with ${JSON.stringify(text)} for a number`,
          older([0, 0], [4, 4], [0, text]),
          shape("point", "Organizzazioni", 2)
        ] as const
    )
  ]
  it.each(refused)("%s", (_, text, fault) => {
    assert.deepStrictEqual<unknown>(faultOf(text), fault)
  })

  it("all of them say so in one sentence, without undefined", () => {
    for (const [, text] of refused) {
      const { _tag, fault } = Result.getOrThrow(Result.flip(Area.parseTrackingArea(text)))
      assert.strictEqual(_tag, "TrackingAreaMalformed")
      const message = Area.describeFault(fault)
      assert.match(message, /^[A-Z$].*\.$/)
      assert.notMatch(message, /undefined|NaN|object Object/)
    }
  })

  it("named as in the text", () => {
    assert.strictEqual(
      Area.describeFault(faultOf(polygon(ring([0, 0], [4, 4], [4, 0], [0, 4])))!),
      "The edge from [0, 0, 0] to [0, 0, 1] crosses the edge from [0, 0, 2] to [0, 0, 3]."
    )
    assert.strictEqual(
      Area.describeFault(faultOf('{"Organizzazioni":[{"lat":1,"long":1},{"lat":1},{}]}')!),
      '$.Organizzazioni[1] is not a point with "lat" and "long", each a number or a decimal number in a string.'
    )
  })
})

describe("a place and its organization", () => {
  const outer = polygon(SQUARE)
  const outside = { _tag: "EdgeOutside", edge: edgeOf("0.0.0-1") } as const
  const cases: ReadonlyArray<readonly [name: string, outer: string, inner: string, fault: NotInside | undefined]> = [
    ["a place outside", outer, polygon(rect(5, 1, 6, 2)), outside],
    ["an adjacent place", outer, polygon(rect(4, 0, 8, 4)), edgeFault("BackToBack", "0.0.3-0", "0.0.1-2")],
    [
      "a place over a hole",
      polygon(SQUARE, rect(1, 1, 2, 2)),
      polygon(rect(0.5, 0.5, 3, 3)),
      { _tag: "GapCovered", otherEdge: edgeOf("0.1.2-3") }
    ],
    ["a place in a hole", polygon(SQUARE, rect(1, 1, 3, 3)), polygon(rect(1.5, 1.5, 2, 2)), outside],
    [
      "a place from part to part",
      multi([SQUARE], [rect(5, 0, 9, 4)]),
      polygon(rect(3, 1, 6, 2)),
      edgeFault("BordersCross", "0.0.0-1", "0.0.1-2")
    ]
  ]
  it.each(cases)("%s", (_, outerText, innerText, fault) => {
    const found = whyNotInside(areaOf(outerText), areaOf(innerText))
    assert.deepStrictEqual(found, fault)
    if (found !== undefined) assert.match(Area.describeFault(found), /^[A-Z].*\.$/)
  })
})

describe("two places", () => {
  const one = polygon(SQUARE)
  const cases: ReadonlyArray<readonly [name: string, one: string, other: string, tag: Overlap["_tag"] | undefined]> = [
    ["that cross", one, polygon(rect(3, 3, 5, 5)), "BordersCross"],
    ["that are the same", one, one, "SideBySide"],
    ["one inside the other", one, polygon(rect(1, 1, 2, 2)), "OtherEdgeInside"],
    ["one around the other", polygon(rect(1, 1, 2, 2)), one, "EdgeInside"]
  ]
  it.each(cases)("%s", (_, oneText, otherText, tag) => {
    const [a, b] = [areaOf(oneText), areaOf(otherText)]
    const found = whyOverlap(a, b)
    assert.strictEqual(found?._tag, tag)
    assert.strictEqual(whyOverlap(b, a) !== undefined, tag !== undefined)
    if (found !== undefined) assert.match(Area.describeFault(found), /^[A-Z].*\.$/)
  })
})

describe("square metres", () => {
  const closeTo = (actual: number, expected: number, relative: number) =>
    assert.isBelow(Math.abs(actual / expected - 1), relative, `${actual} is not ${expected}`)

  /** The closed form of a rectangle between parallels and meridians on WGS84, straight from the textbook. */
  const rectangleArea = (x0: number, y0: number, x1: number, y1: number) => {
    const [a, f] = [6378137, 1 / 298.257223563]
    const e = Math.sqrt(f * (2 - f))
    const band = (lat: number) => {
      const s = Math.sin((lat * Math.PI) / 180)
      return s / (1 - e * e * s * s) + Math.log((1 + e * s) / (1 - e * s)) / (2 * e)
    }
    return ((((a * (1 - f)) ** 2 / 2) * (x1 - x0) * Math.PI) / 180) * (band(y1) - band(y0))
  }

  it.each([
    [0, 0, 1, 1],
    [11, 45, 12, 46],
    [-30, -60, 40, 20],
    [0, 60, 90, 90],
    [-179, -90, 0, 90],
    [7, 89, 8, 90],
    [-5, -0.5, 5, 0.5]
  ])("of the rectangle %d %d %d %d are its closed form", (x0, y0, x1, y1) => {
    closeTo(Area.squareMetres(areaOf(polygon(rect(x0, y0, x1, y1)))), rectangleArea(x0, y0, x1, y1), 1e-12)
  })

  /** Geodesics between points that are near each other hardly differ from an edge that is straight on the map. */
  const geodesicArea = (positions: Ring, pieces: number) => {
    const sum = geographiclib.Geodesic.WGS84.Polygon(false)
    positions.slice(1).forEach(([toLng, toLat], i) => {
      const [lng, lat] = positions[i]!
      for (let k = 0; k < pieces; k++)
        sum.AddPoint(lat + ((toLat - lat) * k) / pieces, lng + ((toLng - lng) * k) / pieces)
    })
    return Math.abs(sum.Compute(false, true).area!)
  }

  it.each<readonly [string, Ring, number]>([
    ["a campus", ring([11.87, 45.4], [11.883, 45.401], [11.88, 45.41], [11.872, 45.409]), 20],
    ["a town in the south", ring([-70.1, -33.5], [-70, -33.4], [-70.05, -33.6]), 100],
    ["a country with slanted borders", ring([0, 40], [12, 44], [9, 52], [-3, 49]), 2000],
    ["a triangle over the equator", ring([-20, -30], [60, 10], [0, 50]), 4000],
    ["a circle of 1,000 positions", circle(1000), 1]
  ])("of %s are geographiclib's", (_, positions, pieces) => {
    closeTo(Area.squareMetres(areaOf(polygon(positions))), geodesicArea(positions, pieces), 2e-7)
  })

  it("do not change with points on the edges, however long the edges", () => {
    const split = (positions: Ring) =>
      positions.slice(1).flatMap(([u, v], i) => {
        const [x, y] = positions[i]!
        return Array.from({ length: 64 }, (_, k): Position => [x + ((u - x) * k) / 64, y + ((v - y) * k) / 64])
      })
    const triangle = ring([-20, -90], [60, -10], [0, 85])
    const pieces = Area.squareMetres(areaOf(polygon(ring(...split(triangle)))))
    closeTo(Area.squareMetres(areaOf(polygon(triangle))), pieces, 1e-13)
  })

  it("leave holes out, and add parts up, however the rings run", () => {
    const [shell, hole, part] = [rect(10, 40, 12, 42), rect(10.5, 40.5, 11, 41), rect(13, 40, 14, 41)]
    const [a, b, c] = [shell, hole, part].map((positions) => Area.squareMetres(areaOf(polygon(positions))))
    closeTo(Area.squareMetres(areaOf(polygon(shell, hole))), a! - b!, 1e-14)
    closeTo(Area.squareMetres(areaOf(polygon([...shell].reverse(), hole))), a! - b!, 1e-14)
    closeTo(Area.squareMetres(areaOf(multi([shell, hole], [part]))), a! - b! + c!, 1e-14)
  })

  it("keep their digits for a square of a centimetre or two, even at the pole", () => {
    // The side in doubles, as it is after being added to the corner.
    const [x, y] = [11.87 + 3e-7, 45.4 + 3e-7]
    const expected = (((x - 11.87) * (y - 45.4) * Math.PI ** 2) / 180 ** 2) * radii(45.4)
    closeTo(Area.squareMetres(areaOf(polygon(rect(11.87, 45.4, x, y)))), expected, 1e-7)
    assert.isAbove(Area.squareMetres(areaOf(polygon(rect(0, 90 - 3e-7, 1, 90)))), 0)
  })

  /** What a square radian measures at a latitude: the two radii of curvature, and the parallel's cosine. */
  const radii = (lat: number) => {
    const [a, f, phi] = [6378137, 1 / 298.257223563, (lat * Math.PI) / 180]
    const e2 = f * (2 - f)
    const w = 1 - e2 * Math.sin(phi) ** 2
    return ((a * a * (1 - e2)) / w ** 2) * Math.cos(phi)
  }
})

describe("the text of an area", () => {
  const feature = (note: string) => `{"type":"Feature","geometry":${polygon(SQUARE)},"properties":"${note}"}`
  const room = Area.MAX_TEXT_BYTES - feature("").length

  it.each([
    ["a", 1],
    ["é", 2],
    ["€", 3],
    ["😀", 4]
  ])("has at most 128 KiB as UTF-8: characters like %s of %d bytes", (character, bytes) => {
    const most = Math.floor(room / bytes)
    const longest = feature(character.repeat(most))
    assert.strictEqual(faultOf(longest), undefined)
    assert.deepStrictEqual<unknown>(faultOf(feature(character.repeat(most + 1))), {
      _tag: "TextTooLong",
      bytes: feature("").length + (most + 1) * bytes,
      limit: 131_072
    })
  })

  it("is refused as too long before it is refused as not JSON", () => {
    const fault = faultOf("x".repeat(131_073))!
    assert.strictEqual(Area.describeFault(fault), "The text has 131073 bytes, and at most 131072 are allowed.")
    assert.strictEqual(faultOf("x".repeat(131_072))?._tag, "NotJson")
  })
})

describe("the points of an area", () => {
  it.each<readonly [string, string, number]>([
    ["a ring", polygon(SQUARE), 5],
    ["rings of parts and holes", multi([SQUARE, rect(1, 1, 2, 2)], [rect(5, 0, 6, 1)]), 15],
    ["points that are written twice", polygon([[0, 0], ...SQUARE]), 6],
    ["the older form, left open", older([0, 0], [0, 4], [4, 4]), 3],
    ["the older form, closed", older([0, 0], [0, 4], [4, 4], [0, 0]), 4],
    ["a circle of as many as there may be", polygon(circle(Area.MAX_POINTS)), Area.MAX_POINTS]
  ])("are counted as they are written: %s", (_, text, points) => {
    assert.strictEqual(Area.pointsOf(areaOf(text)), points)
    assert.strictEqual(Area.pointsOf(Area.keptTrackingArea(text)), points)
  })
})

describe("the bounds of an area", () => {
  const boundsOf = (text: string) => Area.boundsOf(areaOf(text))

  it("are the box around all its parts", () => {
    assert.deepStrictEqual(boundsOf(multi([SQUARE, rect(1, 1, 2, 2)], [rect(-7, 5, -6, 6)])), {
      west: -7,
      east: 4,
      south: 0,
      north: 6
    })
  })

  it.each<readonly [string, Ring, boolean]>([
    ["over it", rect(1, 1, 5, 5), true],
    ["in it", rect(1, 1, 2, 2), true],
    ["at its corner", rect(4, 4, 5, 5), true],
    ["in the west", rect(-2, 0, -1, 4), false],
    ["in the east", rect(5, 0, 6, 4), false],
    ["in the south", rect(0, -2, 4, -1), false],
    ["in the north", rect(0, 5, 4, 6), false]
  ])("meet those of another: %s", (_, other, meet) => {
    assert.strictEqual(Area.boundsMeet(boundsOf(polygon(SQUARE)), boundsOf(polygon(other))), meet)
    assert.strictEqual(Area.boundsMeet(boundsOf(polygon(other)), boundsOf(polygon(SQUARE))), meet)
  })
})

describe("an area that was kept", () => {
  it("is the one of its text, read once and not before it is asked for", () => {
    const text = multi([SQUARE, rect(1, 1, 2, 2)], [rect(5, 0, 6, 1)])
    const kept = Area.keptTrackingArea(text)
    assert.strictEqual(kept.text, text)
    assert.deepStrictEqual(kept.polygons, areaOf(text).polygons)
    assert.strictEqual(kept.polygons, kept.polygons)
    assert.strictEqual(Area.keptTrackingArea("nothing that could be read").text, "nothing that could be read")
  })
})

describe("of edges that cross in many places", () => {
  it("those in the west are named, wherever the rings begin", () => {
    const begun = (corners: Ring, first: number) => {
      const open = corners.slice(0, -1)
      return ring(...open.slice(first), ...open.slice(0, first))
    }
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) {
        const [one, other] = [begun(rect(0, 0, 4, 4), i), begun(rect(2, -1, 3, 5), j)]
        const fault = whyOverlap(areaOf(polygon(one)), areaOf(polygon(other)))
        if (fault?._tag !== "BordersCross") return assert.fail(`${fault?._tag}`)
        const lines = [
          [one, fault.edge],
          [other, fault.otherEdge]
        ] as const
        const drawn = lines.map(([corners, { from, to }]) => [corners[from[2]]!, corners[to[2]]!].sort())
        // Which of two edges that begin equally far in the west comes first follows from where their ring begins.
        assert.include([0, 4], drawn[0]![0]![1])
        assert.deepStrictEqual(drawn[1], [
          [2, -1],
          [2, 5]
        ])
      }
    }
  })
})

describe("two corners that cut an edge in one place", () => {
  it("are taken from west to east, wherever the ring begins", () => {
    const above = areaOf(polygon(rect(-4, 0, 4, 4)))
    for (const up of [1.5e-7, -1.5e-7]) {
      const corners: ReadonlyArray<Position> = [
        [1, -0.5],
        [0, up],
        [0, -up],
        [-1, -0.5],
        [0, -2]
      ]
      for (let first = 0; first < corners.length; first++) {
        const below = areaOf(polygon(ring(...corners.slice(first), ...corners.slice(0, first))))
        assert.isUndefined(whyOverlap(above, below), `${up} ${first}`)
        assert.isUndefined(whyOverlap(below, above), `${up} ${first}`)
      }
    }
  })
})

describe("a very small area", () => {
  it("lies along itself, wherever on earth it is", () => {
    for (const x of [-179.9, -11.87, 0, 45.1, 179.9]) {
      for (const y of [-89.9, -45.41, 0, 33.3, 89.9]) {
        const area = areaOf(polygon(rect(x, y, x + 3 * EPS, y + 3 * EPS)))
        assert.isUndefined(whyNotInside(area, area), `${x} ${y}`)
        assert.strictEqual(whyOverlap(area, area)?._tag, "SideBySide", `${x} ${y}`)
      }
    }
  })
})

describe("a fault of two areas", () => {
  const edge = { from: [0, 1, 2], to: [0, 1, 3] } as const
  const otherEdge = { from: [4, 0, 5], to: [4, 0, 6] } as const
  const [own, its] = ["the edge from [0, 1, 2] to [0, 1, 3]", "the edge from [4, 0, 5] to [4, 0, 6]"]

  it.each<readonly [RelationFault, string]>([
    [{ _tag: "BordersCross", edge, otherEdge }, `${own} crosses the other area's border, ${its}`],
    [{ _tag: "EdgeOutside", edge }, `${own} lies outside the other area`],
    [{ _tag: "BackToBack", edge, otherEdge }, `${own} runs along the outside of the other area's border, ${its}`],
    [{ _tag: "GapCovered", otherEdge }, `the area covers a gap of the other area at its border, ${its}`],
    [{ _tag: "SideBySide", edge, otherEdge }, `${own} runs along the inside of the other area's border, ${its}`],
    [{ _tag: "EdgeInside", edge }, `${own} lies inside the other area`],
    [{ _tag: "OtherEdgeInside", otherEdge }, `the other area lies inside this one at its border, ${its}`]
  ])("is described in one sentence: %o", (fault, sentence) => {
    assert.strictEqual(Area.describeFault(fault), `T${sentence.slice(1)}.`)
  })
})
