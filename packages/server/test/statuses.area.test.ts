import { beforeAll, describe, expect, it } from "vitest"
import { polygon, rectangle, ring } from "../src/demo/areas.ts"
import { GROUNDS, makeFixtures, NOWHERE, square, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, put, call, get } = fixtures

const patchArea = (id: number | string, trackingArea: string, who = owner) =>
  call(who, "PATCH", `/organization/${id}/trackingArea`, { form: { trackingArea } })

let subject: any
beforeAll(async () => {
  subject = await organization()
})

const multi = (...parts: ReadonlyArray<unknown>) => JSON.stringify({ type: "MultiPolygon", coordinates: parts })
const feature = (geometry: unknown, over: object = {}) =>
  JSON.stringify({ type: "Feature", geometry, properties: null, ...over })
const older = (...points: ReadonlyArray<unknown>) => JSON.stringify({ Organizzazioni: points })
const corners = (...points: ReadonlyArray<readonly [lat: unknown, long: unknown]>) =>
  older(...points.map(([lat, long]) => ({ lat, long })))
const circle = (count: number, radius = 0.3, west = 11.5, south = 45.5) =>
  Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count
    return [west + radius * Math.cos(angle), south + radius * Math.sin(angle)] as const
  })
const closed = <A>(points: ReadonlyArray<A>): ReadonlyArray<A> => [...points, points[0]!]
const outer = ring(11, 45, 12, 46)

const WELL_FORMED: ReadonlyArray<readonly [string, string]> = [
  ["a Polygon", GROUNDS],
  ["a Polygon drawn clockwise", polygon([...outer].reverse())],
  ["a Polygon with a hole", polygon(outer, ring(11.4, 45.4, 11.6, 45.6))],
  ["a Polygon with two holes apart", polygon(outer, ring(11.1, 45.1, 11.2, 45.2), ring(11.3, 45.1, 11.4, 45.2))],
  ["a MultiPolygon", multi([outer], [ring(13, 45, 14, 46)])],
  ["a MultiPolygon of one part", multi([outer])],
  [
    "a part in the hole of another, apart from it",
    multi([outer, ring(11.2, 45.2, 11.8, 45.8)], [ring(11.4, 45.4, 11.6, 45.6)])
  ],
  ["a Feature of a Polygon", feature({ type: "Polygon", coordinates: [outer] })],
  [
    "a Feature of a MultiPolygon",
    feature({ type: "MultiPolygon", coordinates: [[outer]] }, { properties: { a: 1 }, id: 7 })
  ],
  ["foreign members", JSON.stringify({ type: "Polygon", coordinates: [outer], bbox: [11, 45, 12, 46], name: "x" })],
  ["altitudes", polygon(outer.map(([lng, lat]) => [lng, lat, 12.5]))],
  ["whitespace", `\n { "type" : "Polygon" , "coordinates" : ${JSON.stringify([outer])} }\t`],
  [
    "a triangle",
    polygon([
      [11, 45],
      [12, 45],
      [11.5, 46],
      [11, 45]
    ])
  ],
  ["consecutive repeated points, which count as one", polygon([outer[0], outer[0], ...outer.slice(1), outer[0]])],
  ["the whole range of latitude", rectangle(0, -90, 90, 90)],
  ["longitudes up to 180", rectangle(170, 0, 180, 10)],
  ["longitudes down to -180", rectangle(-180, 0, -170, 10)],
  ["an edge just under 180 degrees of longitude", rectangle(-89.99, 10, 89.99, 20)],
  ["1,000 points, the closing one included", polygon(closed(circle(999)))],
  ["1,000 points over all rings", polygon(closed(circle(600)), closed(circle(398, 0.1)))],
  ["the older form with texts", corners(["45.1", "11.1"], ["45.1", "11.2"], ["45.2", "11.2"])],
  ["the older form with numbers", corners([45.1, 11.1], [45.1, 11.2], [45.2, 11.2], [45.2, 11.1])],
  ["the older form with texts and numbers", corners([45.1, "11.1"], ["45.1", 11.2], [45.2, 11.2])],
  ["the older form, closed", corners([45.1, 11.1], [45.1, 11.2], [45.2, 11.2], [45.1, 11.1])],
  ["the older form with negative numbers", corners(["-45.1", "-11.1"], ["-45.1", "-11.2"], ["-45.2", "-11.2"])],
  [
    "the older form with other members",
    older({ lat: 45, long: 11, id: 1 }, { lat: 45, long: 12 }, { lat: 46, long: 12 })
  ],
  ["the older form with 1,000 points", corners(...circle(1000).map(([lng, lat]) => [lat, lng] as const))]
]

const MALFORMED: ReadonlyArray<readonly [string, string]> = [
  ["no JSON", "area"],
  ["nothing", ""],
  ["JSON cut short", GROUNDS.slice(0, -1)],
  ["two JSON texts", GROUNDS + GROUNDS],
  ["a byte order mark", `\ufeff${GROUNDS}`],
  ["a JSON null", "null"],
  ["a JSON number", "5"],
  ["a JSON text", JSON.stringify(GROUNDS)],
  ["a list", `[${GROUNDS}]`],
  ["an empty object", "{}"],
  ["a Point", JSON.stringify({ type: "Point", coordinates: [11, 45] })],
  ["a LineString", JSON.stringify({ type: "LineString", coordinates: outer })],
  ["a GeometryCollection", JSON.stringify({ type: "GeometryCollection", geometries: [JSON.parse(GROUNDS)] })],
  [
    "a FeatureCollection",
    JSON.stringify({ type: "FeatureCollection", features: [JSON.parse(feature(JSON.parse(GROUNDS)))] })
  ],
  ["a Feature without geometry", feature(null)],
  ["a Feature of a Point", feature({ type: "Point", coordinates: [11, 45] })],
  ["a Feature of a Feature", feature(JSON.parse(feature(JSON.parse(GROUNDS))))],
  ["the type in other letters", JSON.stringify({ type: "polygon", coordinates: [outer] })],
  ["no coordinates", JSON.stringify({ type: "Polygon" })],
  ["coordinates null", JSON.stringify({ type: "Polygon", coordinates: null })],
  ["no ring", polygon()],
  ["an empty ring", polygon([])],
  ["an empty hole", polygon(outer, [])],
  ["no part", multi()],
  ["an empty part", multi([outer], [])],
  ["a Polygon's coordinates in a MultiPolygon", multi(outer)],
  ["a MultiPolygon's coordinates in a Polygon", polygon([outer])],
  ["a ring that is not closed", polygon(outer.slice(0, 4))],
  ["a ring closed beside its first point", polygon([...outer.slice(0, 4), [11.0000001, 45]])],
  [
    "a ring of three points",
    polygon([
      [11, 45],
      [12, 45],
      [11, 45]
    ])
  ],
  ["a position of one number", polygon([[11], [12, 45], [12, 46], [11]])],
  ["positions that are texts", polygon(outer.map(([lng, lat]) => [String(lng), String(lat)]))],
  ["a position that is null", polygon([null, ...outer.slice(1)])],
  ["a null coordinate", polygon([[11, null], ...outer.slice(1, 4), [11, null]])],
  ["a coordinate beyond all numbers", GROUNDS.replaceAll("46", "1e999")],
  ["NaN", GROUNDS.replaceAll("46", "NaN")],
  ["a latitude above 90", rectangle(11, 45, 12, 90.0001)],
  ["a latitude below -90", rectangle(11, -90.0001, 12, 45)],
  ["a longitude above 180", rectangle(170, 45, 180.0001, 46)],
  ["a longitude below -180", rectangle(-180.0001, 45, -170, 46)],
  ["an edge of 180 degrees of longitude", rectangle(-90, 10, 90, 20)],
  ["an edge across the date line", rectangle(-179, 10, 179, 20)],
  [
    "a bow tie",
    polygon([
      [11, 45],
      [12, 46],
      [12, 45],
      [11, 46],
      [11, 45]
    ])
  ],
  [
    "a ring that touches itself in a point",
    polygon([
      [11, 45],
      [12, 45],
      [11.5, 45.5],
      [12, 46],
      [11, 46],
      [11.5, 45.5],
      [11, 45]
    ])
  ],
  [
    "a corner on another edge",
    polygon([
      [11, 45],
      [12, 45],
      [12, 46],
      [11.5, 45],
      [11, 46],
      [11, 45]
    ])
  ],
  [
    "a spike",
    polygon([
      [11, 45],
      [12, 45],
      [12, 46],
      [12, 47],
      [12, 46],
      [11, 46],
      [11, 45]
    ])
  ],
  [
    "a line",
    polygon([
      [11, 45],
      [12, 46],
      [13, 47],
      [11, 45]
    ])
  ],
  [
    "a ring of one point",
    polygon([
      [11, 45],
      [11, 45],
      [11, 45],
      [11, 45]
    ])
  ],
  ["a hole outside its shell", polygon(outer, ring(13, 45, 14, 46))],
  ["a hole partly outside", polygon(outer, ring(11.5, 45.5, 12.5, 45.6))],
  ["a hole around its shell", polygon(outer, ring(10, 44, 13, 47))],
  ["a hole that is its shell", polygon(outer, outer)],
  [
    "a hole that touches its shell in a point",
    polygon(outer, [
      [11, 45.5],
      [11.5, 45.4],
      [11.5, 45.6],
      [11, 45.5]
    ])
  ],
  ["a hole that touches its shell along an edge", polygon(outer, ring(11, 45.4, 11.2, 45.6))],
  ["a hole in a hole", polygon(outer, ring(11.2, 45.2, 11.8, 45.8), ring(11.4, 45.4, 11.6, 45.6))],
  ["holes that touch", polygon(outer, ring(11.1, 45.1, 11.2, 45.2), ring(11.2, 45.1, 11.3, 45.2))],
  ["holes that overlap", polygon(outer, ring(11.1, 45.1, 11.3, 45.3), ring(11.2, 45.2, 11.4, 45.4))],
  ["parts that overlap", multi([outer], [ring(11.5, 45.5, 12.5, 46.5)])],
  ["parts that share an edge", multi([outer], [ring(12, 45, 13, 46)])],
  ["parts that share a corner", multi([outer], [ring(12, 46, 13, 47)])],
  ["a part twice", multi([outer], [outer])],
  ["a part inside another", multi([outer], [ring(11.4, 45.4, 11.6, 45.6)])],
  ["1,001 points", polygon(closed(circle(1000)))],
  ["1,001 points over all rings", polygon(closed(circle(600)), closed(circle(399, 0.1)))],
  ["1,001 points as written, though two are one", polygon(closed([circle(999)[0]!, ...circle(999)]))],
  ["the older form without points", older()],
  ["the older form with two points", corners([45, 11], [46, 12])],
  ["the older form with no list", JSON.stringify({ Organizzazioni: { lat: 45, long: 11 } })],
  ["the older form with a point that is null", older(null, { lat: 45, long: 11 }, { lat: 46, long: 12 })],
  ["the older form without a longitude", older({ lat: 45 }, { lat: 45, long: 12 }, { lat: 46, long: 12 })],
  ["the older form with a text that is no number", corners(["north", 11], [45, 12], [46, 12])],
  ["the older form with an empty text", corners(["", 11], [45, 12], [46, 12])],
  ["the older form with a decimal comma", corners(["45,1", "11,1"], ["45,1", "11,2"], ["45,2", "11,2"])],
  ["the older form with a hexadecimal number", corners(["0x10", 11], [45, 12], [46, 12])],
  ["the older form with true", corners([true, 11], [45, 12], [46, 12])],
  ["the older form with a latitude above 90", corners([91, 11], [45, 12], [46, 12])],
  ["the older form with a longitude above 180", corners([45, 181], [45, 182], [46, 182])],
  ["the older form with infinity", corners(["Infinity", 11], [45, 12], [46, 12])],
  ["the older form that crosses itself", corners([45, 11], [46, 12], [45, 12], [46, 11])],
  ["the older form as a line", corners([45, 11], [46, 12], [47, 13])],
  ["the older form, closed, of two corners", corners([45, 11], [46, 12], [45, 11])],
  [
    "the older form with 1,001 points, the closing one included",
    corners(...closed(circle(1000)).map(([lng, lat]) => [lat, lng] as const))
  ],
  [
    "the older form's name in other letters",
    JSON.stringify({
      organizzazioni: [
        { lat: 45, long: 11 },
        { lat: 45, long: 12 },
        { lat: 46, long: 12 }
      ]
    })
  ],
  ["150,000 levels of lists", "[".repeat(150_000) + "]".repeat(150_000)],
  ["150,000 levels of coordinates", `{"type":"Polygon","coordinates":${"[".repeat(150_000)}${"]".repeat(150_000)}}`]
]

describe("a well-formed tracking area is answered exactly as it was given (contract, section 7)", () => {
  it.each(WELL_FORMED)("%s", async (_, text) => {
    expect(want(await patchArea(subject.id, text), 200).json.trackingArea).toBe(text)
    expect(want(await put(owner, "/organization", { id: subject.id, trackingArea: text }), 200).json.trackingArea).toBe(
      text
    )
    expect(want(await get(owner, `/organization/${subject.id}`), 200).json.trackingArea).toBe(text)
  })
})

describe("an area that is not well formed: 400 (contract, section 7)", () => {
  it.each(MALFORMED)("%s", async (_, text) => {
    want(await patchArea(subject.id, text), 400)
    want(await put(owner, "/organization", { id: subject.id, trackingArea: text }), 400)
    want(await fixtures.post(operator, "/operator/organization", fixtures.draft({ trackingArea: text })), 400)
  })
})

describe("PATCH /organization/{organizationId}/trackingArea (interface, section 4.1)", () => {
  const form = (id: number | string, body: string, who = owner) =>
    call(who, "PATCH", `/organization/${id}/trackingArea`, { form: body })
  const encoded = encodeURIComponent(square(0))

  it("200 the Organization; besides the area only lastChangeDate changes", async () => {
    const before = await organization({ description: "as it was" })
    const after = want(await patchArea(before.id, square(1)), 200).json
    expect({ ...after, lastChangeDate: "" }).toEqual({ ...before, trackingArea: square(1), lastChangeDate: "" })
  })

  it("a form parameter sent twice is 400", async () => {
    want(await form(subject.id, `trackingArea=${encoded}&trackingArea=${encoded}`), 400)
    want(await form(NOWHERE, `trackingArea=${encoded}&trackingArea=${encoded}`), 400)
    want(await form(subject.id, `trackingArea=${encoded}&other=1&other=2`), 400)
  })

  it("other parameters are ignored", async () => {
    want(await form(subject.id, `a=b&trackingArea=${encoded}&name=x`), 200)
    want(await form(subject.id, `&&trackingArea=${encoded}&`), 200)
  })

  it.each(["", "trackingarea=x", "area=x", "x"])("no trackingArea: 400: %s", async (body) => {
    want(await form(subject.id, body), 400)
    want(await form(NOWHERE, body), 400)
  })

  it("a NUL is 400 by shape; an empty area is 400 by the rule, after authority", async () => {
    want(await form(NOWHERE, "trackingArea=%00"), 400)
    want(await form(NOWHERE, "trackingArea="), 404)
    want(await form(NOWHERE, "trackingArea"), 404)
    want(await form(subject.id, "trackingArea="), 400)
    const stranger = sojourn.administrator("a-stranger")
    want(await form(subject.id, "trackingArea=", stranger), 403)
  })

  it("a malformed percent escape is 400", async () => {
    for (const body of ["trackingArea=%", "trackingArea=%zz", "trackingArea=%ff%fe", "trackingArea=%ed%a0%80"]) {
      want(await form(subject.id, body), 400)
    }
  })

  it("a blank may be encoded as +, and the media type may have a charset", async () => {
    const text = square(2).replaceAll(",", ", ")
    const body = `trackingArea=${encodeURIComponent(text).replaceAll("%20", "+")}`
    const type = "application/x-www-form-urlencoded; charset=UTF-8"
    const answer = await call(owner, "PATCH", `/organization/${subject.id}/trackingArea`, { form: body, type })
    expect(want(answer, 200).json.trackingArea).toBe(text)
  })

  it("JSON instead of a form: 415", async () => {
    want(
      await call(owner, "PATCH", `/organization/${subject.id}/trackingArea`, { json: { trackingArea: square(0) } }),
      415
    )
  })

  it("managers may, viewers may not", async () => {
    const o = await organization()
    const manager = await fixtures.bind(o.id, sojourn.administrator("area-manager"), "manager")
    const viewer = await fixtures.bind(o.id, sojourn.administrator("area-viewer"), "viewer")
    want(await patchArea(o.id, square(0), manager), 200)
    want(await patchArea(o.id, square(0), viewer), 403)
  })
})

describe("the area constraints of an organization (contract, section 7)", () => {
  /** The area of a rectangle of meridians and parallels on WGS84, from the authalic latitude. */
  const squareMetres = (west: number, south: number, east: number, north: number) => {
    const [a, f] = [6378137, 1 / 298.257223563]
    const e = Math.sqrt(f * (2 - f))
    const q = (latitude: number) => {
      const s = Math.sin((latitude * Math.PI) / 180)
      return s / (1 - e * e * s * s) + Math.log((1 + e * s) / (1 - e * s)) / (2 * e)
    }
    return (((a * (1 - f)) ** 2 / 2) * ((east - west) * Math.PI) * (q(north) - q(south))) / 180
  }

  const cases: ReadonlyArray<readonly [string, string, number]> = [
    ["a rectangle", rectangle(11, 45, 11.1, 45.1), squareMetres(11, 45, 11.1, 45.1)],
    [
      "a large rectangle, whose edges are straight in longitude and latitude",
      rectangle(0, 40, 60, 70),
      squareMetres(0, 40, 60, 70)
    ],
    ["a rectangle at the pole", rectangle(0, 80, 90, 90), squareMetres(0, 80, 90, 90)],
    [
      "holes left out",
      polygon(ring(11, 45, 11.1, 45.1), ring(11.02, 45.02, 11.08, 45.08)),
      squareMetres(11, 45, 11.1, 45.1) - squareMetres(11.02, 45.02, 11.08, 45.08)
    ],
    [
      "parts added up",
      multi([ring(11, 45, 11.1, 45.1)], [ring(11.2, 45, 11.3, 45.1)]),
      2 * squareMetres(11, 45, 11.1, 45.1)
    ]
  ]

  it.each(cases)("a largest area in square metres: %s", async (_, text, area) => {
    const { id } = await organization({ trackingArea: square(0) })
    const path = `/operator/organization/${id}/constraint`
    want(await put(operator, path, { maxArea: area * (1 - 1e-6) }), 200)
    want(await patchArea(id, text), 400)
    want(await put(operator, path, { maxArea: area * (1 + 1e-6) }), 200)
    want(await patchArea(id, text), 200)
    want(await put(operator, path, { maxArea: area * (1 - 1e-6) }), 400)
  })
})

describe("a problem of a refused area says where it is wrong (extension `areaFault`)", () => {
  const headers = { accept: "application/problem+json" }
  const bowTie = polygon([
    [11, 45],
    [12, 46],
    [12, 45],
    [11, 46],
    [11, 45]
  ])
  const faultOf = async (answer: ReturnType<typeof call>) => {
    const { json } = want(await answer, 400)
    expect(json).toMatchObject({ type: "about:blank", status: 400, detail: expect.any(String) })
    return json.areaFault
  }
  const edge = (area: string, from: number, to: number) => ({ area, at: [0, 0, from], to: [0, 0, to] })

  it("of its own coordinates", async () => {
    const sent = (trackingArea: string) =>
      faultOf(call(owner, "PATCH", `/organization/${subject.id}/trackingArea`, { form: { trackingArea }, headers }))
    expect(await sent(bowTie)).toEqual({ kind: "EdgesCross", marks: [edge("sent", 0, 1), edge("sent", 2, 3)] })
    expect(await sent(polygon(outer, ring(13, 45, 14, 46)))).toEqual({
      kind: "HoleOutsideShell",
      marks: [{ area: "sent", at: [0, 1] }]
    })
    expect(await sent(multi([outer], [ring(11.4, 45.4, 11.6, 45.6)]))).toMatchObject({
      kind: "PartInsidePart",
      marks: [{ at: [1] }, { at: [0] }]
    })
    expect(await sent(rectangle(11, 45, 12, 91))).toEqual({
      kind: "PositionOutOfRange",
      marks: [{ area: "sent", at: [0, 0, 2] }]
    })
    expect(await sent("area")).toEqual({ kind: "NotJson", marks: [] })
    expect(await sent(polygon(closed(circle(1000))))).toEqual({
      kind: "TooManyPoints",
      marks: [],
      actual: 1001,
      limit: 1000
    })
  })

  it("beside the organization and its places", async () => {
    const { id: organizationId } = await organization({ maxArea: 1e10 })
    const { id: placeId } = await fixtures.place(organizationId, rectangle(11.2, 45.2, 11.4, 45.4))
    const place = (trackingArea: string) =>
      faultOf(call(owner, "POST", "/place", { json: { organizationId, trackingArea }, headers }))
    const whole = (trackingArea: string) =>
      faultOf(call(owner, "PUT", "/organization", { json: { id: organizationId, trackingArea }, headers }))
    expect(await place(rectangle(11.5, 45.5, 11.6, 46.5))).toEqual({
      kind: "BordersCross",
      marks: [edge("sent", 3, 0), edge("organization", 2, 3)]
    })
    expect(await place(rectangle(11.25, 45.25, 11.3, 45.3))).toEqual({
      kind: "OtherEdgeInside",
      placeId,
      marks: [edge("sent", 0, 1)]
    })
    expect(await whole(rectangle(11.3, 45, 12, 46))).toEqual({
      kind: "BordersCross",
      placeId,
      marks: [edge("place", 0, 1), edge("sent", 3, 0)]
    })
    const { kind, actual, limit } = await whole(rectangle(10, 44, 12, 46))
    expect([kind, limit, actual > limit]).toEqual(["TooLarge", 1e10, true])
  })

  it("and of nothing else", async () => {
    const { json } = want(
      await call(owner, "PUT", "/organization", { json: { id: subject.id, name: "" }, headers }),
      400
    )
    expect(json).not.toHaveProperty("areaFault")
  })
})
