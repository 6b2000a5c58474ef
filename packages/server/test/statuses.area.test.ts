/** Tracking areas over HTTP: how they are sent, refused and explained. The geometry itself is tested in core. */
import { describe, expect, it } from "vitest"
import { polygon, rectangle, ring } from "../src/demo/areas.ts"
import { GROUNDS, makeFixtures, NOWHERE, square, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, put, call, get } = fixtures

const patchArea = (id: number, trackingArea: string) =>
  call(owner, "PATCH", `/organization/${id}/trackingArea`, { form: { trackingArea } })

const subject = await organization()

const multi = (...parts: ReadonlyArray<unknown>) => JSON.stringify({ type: "MultiPolygon", coordinates: parts })
const feature = (geometry: unknown, over: object = {}) =>
  JSON.stringify({ type: "Feature", geometry, properties: null, ...over })
const older = (...points: ReadonlyArray<unknown>) => JSON.stringify({ Organizzazioni: points })
const corners = (...points: ReadonlyArray<readonly [lat: unknown, long: unknown]>) =>
  older(...points.map(([lat, long]) => ({ lat, long })))
/** A ring of 1,001 points, the closing one included. */
const tooMany = Array.from({ length: 1001 }, (_, i) => {
  const angle = (2 * Math.PI * (i % 1000)) / 1000
  return [11.5 + 0.3 * Math.cos(angle), 45.5 + 0.3 * Math.sin(angle)] as const
})
const outer = ring(11, 45, 12, 46)
const bowTie = polygon([
  [11, 45],
  [12, 46],
  [12, 45],
  [11, 46],
  [11, 45]
])

const WELL_FORMED: ReadonlyArray<readonly [string, string]> = [
  ["a Polygon", GROUNDS],
  ["a MultiPolygon", multi([outer], [ring(13, 45, 14, 46)])],
  ["a Feature of a Polygon", feature({ type: "Polygon", coordinates: [outer] })],
  [
    "a FeatureCollection of one",
    `{"type":"FeatureCollection","features":[${feature({ type: "Polygon", coordinates: [outer] })}]}`
  ],
  ["a GeometryCollection of one", `{"type":"GeometryCollection","geometries":[${GROUNDS}]}`],
  ["a byte order mark", `\ufeff${GROUNDS}`],
  ["the name of its system", GROUNDS.replace("{", '{"crs":{"type":"name","properties":{"name":"EPSG:4326"}},')],
  ["foreign members", JSON.stringify({ type: "Polygon", coordinates: [outer], bbox: [11, 45, 12, 46], name: "x" })],
  ["whitespace", `\n { "type" : "Polygon" , "coordinates" : ${JSON.stringify([outer])} }\t`],
  ["the older form with texts", corners(["45.1", "11.1"], ["45.1", "11.2"], ["45.2", "11.2"])]
]

const MALFORMED: ReadonlyArray<readonly [string, string]> = [
  ["nothing", ""],
  ["a FeatureCollection of two", `{"type":"FeatureCollection","features":[${feature(null)},${feature(null)}]}`],
  ["another system", GROUNDS.replace("{", '{"crs":{"type":"name","properties":{"name":"EPSG:3857"}},')],
  ["a Point", JSON.stringify({ type: "Point", coordinates: [11, 45] })],
  ["a latitude above 90", rectangle(11, 45, 12, 90.0001)],
  ["a bow tie", bowTie],
  ["1,001 points", polygon(tooMany)],
  ["the older form with two points", corners([45, 11], [46, 12])],
  ["150,000 levels of lists", "[".repeat(150_000) + "]".repeat(150_000)],
  ["150,000 levels of coordinates", `{"type":"Polygon","coordinates":${"[".repeat(150_000)}${"]".repeat(150_000)}}`]
]

describe("a well-formed tracking area is answered exactly as it was sent (spec: areas#well-formed)", () => {
  it.each(WELL_FORMED)("%s", async (_, text) => {
    expect(want(await patchArea(subject.id, text), 200).json.trackingArea).toBe(text)
    expect(want(await put(owner, "/organization", { id: subject.id, trackingArea: text }), 200).json.trackingArea).toBe(
      text
    )
    expect(want(await get(owner, `/organization/${subject.id}`), 200).json.trackingArea).toBe(text)
  })
})

describe("an area that is not well formed: 400 (spec: areas#well-formed)", () => {
  it.each(MALFORMED)("%s", async (_, text) => {
    want(await patchArea(subject.id, text), 400)
    want(await put(owner, "/organization", { id: subject.id, trackingArea: text }), 400)
    want(await fixtures.post(operator, "/operator/organization", fixtures.draft({ trackingArea: text })), 400)
  })
})

describe("PATCH /organization/{organizationId}/trackingArea (spec: areas#constraints)", () => {
  const form = (id: number, body: string, who = owner) =>
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

  it("malformed escapes, also of invalid UTF-8, are 400, and nothing is stored", async () => {
    const area = square(2).replace("{", '{"note":"@",')
    const reader = sojourn.user("a-reader-of-areas")
    const stored = async () => want(await call(reader, "GET", "/organization"), 200).text
    const before = await stored()
    for (const escape of ["%FF", "%ED%A0%80", "%C0%AF", "%E2%82", "%zz", "%"]) {
      const escaped = encodeURIComponent(area).replace("%40", escape)
      want(await form(subject.id, `trackingArea=${escaped}`), 400)
      want(await form(subject.id, `trackingArea=${encoded}&other=${escape}`), 400)
    }
    expect(await stored()).toBe(before)
    want(await form(subject.id, `trackingArea=${encodeURIComponent(area).replace("%40", "%E2%82%AC")}`), 200)
    want(await form(subject.id, `trackingArea=${encoded}`), 200)
  })

  it("a NUL is 400 by shape; an empty area is 400 by the rule, after authority", async () => {
    want(await form(NOWHERE, "trackingArea=%00"), 400)
    want(await form(NOWHERE, "trackingArea="), 404)
    want(await form(NOWHERE, "trackingArea"), 404)
    want(await form(subject.id, "trackingArea="), 400)
    const stranger = sojourn.administrator("a-stranger")
    want(await form(subject.id, "trackingArea=", stranger), 403)
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
})

describe("the problem of a refused area locates the fault (extension `areaFault`)", () => {
  const headers = { accept: "application/problem+json" }
  const faultOf = async (answer: ReturnType<typeof call>) => {
    const { json } = want(await answer, 400)
    expect(json).toMatchObject({
      type: expect.stringMatching(/^urn:sojourn:problem:(tracking-area|place)/),
      status: 400,
      detail: expect.any(String)
    })
    return json.areaFault
  }
  const edge = (area: string, from: number, to: number) => ({ area, at: [0, 0, from], to: [0, 0, to] })

  it("in the coordinates that were sent", async () => {
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
    expect(await sent(polygon(tooMany))).toEqual({
      kind: "TooManyPoints",
      marks: [],
      actual: 1001,
      limit: 1000
    })
  })

  it("in relation to the organization and its places", async () => {
    const { id: organizationId } = await organization({ maxArea: 1e10 })
    const { id: placeId } = await fixtures.place(organizationId, rectangle(11.2, 45.2, 11.4, 45.4))
    const place = (trackingArea: string) =>
      faultOf(call(owner, "POST", "/place", { json: { organizationId, trackingArea }, headers }))
    const whole = (trackingArea: string) =>
      faultOf(call(owner, "PUT", "/organization", { json: { id: organizationId, trackingArea }, headers }))
    expect(await place(rectangle(11.5, 45.5, 11.6, 46.5))).toEqual({
      kind: "BordersCross",
      rule: "PlaceOutsideOrganization",
      marks: [edge("sent", 3, 0), edge("organization", 2, 3)]
    })
    expect(await place(rectangle(11.25, 45.25, 11.3, 45.3))).toEqual({
      kind: "OtherEdgeInside",
      rule: "PlacesOverlap",
      placeId,
      marks: [edge("sent", 0, 1)]
    })
    expect(await whole(rectangle(11.3, 45, 12, 46))).toEqual({
      kind: "BordersCross",
      rule: "PlaceOutsideOrganization",
      placeId,
      marks: [edge("place", 0, 1), edge("sent", 3, 0)]
    })
    const { kind, actual, limit } = await whole(rectangle(10, 44, 12, 46))
    expect([kind, limit, actual > limit]).toEqual(["TooLarge", 1e10, true])
  })

  it("only for areas", async () => {
    const { json } = want(
      await call(owner, "PUT", "/organization", { json: { id: subject.id, name: "" }, headers }),
      400
    )
    expect(json).not.toHaveProperty("areaFault")
  })
})
