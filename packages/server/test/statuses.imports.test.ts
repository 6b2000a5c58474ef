/** Imports of places and accesses over HTTP (spec: imports). */
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, square, unique, want } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const {
  owner,
  operator,
  organization,
  authenticated,
  linked,
  place,
  bind,
  call,
  get,
  put,
  post,
  ofPeople,
  inside,
  eraseData,
  exportData
} = makeFixtures(sojourn)

const GEOJSON = "application/geo+json"
const CSV = "text/csv"
const NDJSON = "application/x-ndjson"

const feature = (geometry: unknown, properties: object | null = {}, over: object = {}) => ({
  type: "Feature",
  geometry: typeof geometry === "string" ? JSON.parse(geometry) : geometry,
  properties,
  ...over
})
const collection = (...features: ReadonlyArray<unknown>) => ({ type: "FeatureCollection", features })

const places = (id: number, body: unknown, query = "", who: Bearer | undefined = owner, type = GEOJSON) =>
  call(who, "POST", `/import/organization/${id}/places${query}`, {
    body: typeof body === "string" ? body : JSON.stringify(body),
    type
  })
const accesses = (id: number, body: string | Uint8Array, type = CSV, who: Bearer | undefined = operator) =>
  call(who, "POST", `/operator/organization/${id}/import/accesses`, { body, type })

/** The nth room of a floor of a building, as a strip of its hall. */
const room = (n: number) => {
  const [west, south] = [11.2 + 0.01 * n, 45.2]
  const ring = [
    [west, south],
    [west + 0.01, south],
    [west + 0.01, south + 0.01],
    [west, south + 0.01],
    [west, south]
  ]
  return { type: "Polygon", coordinates: [ring.map(([x, y]) => [Number(x!.toFixed(6)), y])] }
}
const HALL = {
  type: "Polygon",
  coordinates: [
    [
      [11.2, 45.2],
      [11.3, 45.2],
      [11.3, 45.3],
      [11.2, 45.3],
      [11.2, 45.2]
    ]
  ]
}

describe("places from GeoJSON", () => {
  it("are created parents first, with their properties", async () => {
    const { id } = await organization()
    const body = collection(
      feature(room(0), { name: "Desk", parent: "hall-1", capacity: "3" }),
      feature(HALL, { name: "Hall", level: 2, capacity: 40 }, { id: "hall-1" }),
      feature(room(1), { name: "Corner", parent: "Desk", level: "2" }),
      feature({ type: "MultiPolygon", coordinates: [room(5).coordinates] }, null)
    )
    const answer = want(await places(id, body), 200).json
    expect(answer.refused).toMatchObject([{ feature: 2, areaFault: { rule: "PlaceOutsidePlace" } }])
    expect(answer.created.map(({ feature }: any) => feature)).toEqual([0, 1, 3])
    const [desk, hall, unnamed] = answer.created.map(({ placeId }: any) => placeId)
    const listed = want(await get(owner, `/place/organization/${id}`), 200).json
    expect(listed.find((one: any) => one.id === hall)).toEqual({
      id: hall,
      organizationId: id,
      name: "Hall",
      level: 2,
      trackingArea: JSON.stringify(HALL)
    })
    expect(listed.find((one: any) => one.id === desk)).toMatchObject({ name: "Desk", parentId: hall })
    expect(listed.find((one: any) => one.id === unnamed)).toMatchObject({ name: `Place ${unnamed}` })
    expect(want(await get(owner, `/capacity/place/${desk}`), 200).json).toMatchObject({ capacity: 3, warnAt: 0.8 })
    // A place that is there is a parent by its id.
    const part = collection(feature(room(1), { parent: hall }))
    expect(want(await places(id, part, "?dryRun=false", owner, "application/json"), 200).json.refused).toEqual([])
  })

  it("are refused one by one, in the words of a single place", async () => {
    const { id } = await organization()
    const { id: there } = await place(id, JSON.stringify(room(0)))
    const single = want(
      await post(
        owner,
        "/place",
        { organizationId: id, trackingArea: JSON.stringify(room(0)) },
        { headers: { accept: "application/problem+json" } }
      ),
      400
    ).json
    const bow = {
      type: "Polygon",
      coordinates: [
        [
          [11.5, 45.5],
          [11.6, 45.6],
          [11.6, 45.5],
          [11.5, 45.6],
          [11.5, 45.5]
        ]
      ]
    }
    const body = collection(
      feature(room(0)),
      feature(bow),
      feature({ type: "Point", coordinates: [11.2, 45.2] }),
      feature(square(1), { level: 1.5 }),
      feature(square(1), { name: 7 }),
      feature(square(1), { capacity: 0 }),
      feature(square(1), { parent: "nowhere" }),
      feature(square(1), { parent: NOWHERE }),
      feature(null),
      { type: "Point" },
      feature(room(3), { name: "one" }),
      feature(room(3), { name: "two" })
    )
    const { created, refused } = want(await places(id, body), 200).json
    expect(created).toEqual([{ feature: 10, placeId: expect.any(Number) }])
    expect(refused[0]).toEqual({ feature: 0, reason: single.detail, areaFault: single.areaFault })
    expect(refused[0].areaFault.placeId).toBe(there)
    expect(refused[1]).toMatchObject({
      feature: 1,
      areaFault: { kind: "EdgesCross", marks: [{ area: "sent" }, { area: "sent" }] }
    })
    expect(refused.slice(2, -1)).toEqual([
      { feature: 2, reason: "Its geometry is neither a Polygon nor a MultiPolygon." },
      { feature: 3, reason: "Its level is no integer from -100 to 300." },
      { feature: 4, reason: "Its name is no text of at most 128 characters." },
      { feature: 5, reason: "Its capacity is no integer from 1 to 10,000,000." },
      { feature: 6, reason: "Its parent is neither another feature nor a placeId." },
      { feature: 7, reason: "The organization has no such parent place." },
      { feature: 8, reason: "It has no geometry." },
      { feature: 9, reason: "It is no Feature." }
    ])
    expect(refused.at(-1)).toMatchObject({
      feature: 11,
      reason: expect.stringContaining(`Place ${created[0].placeId} is in the way.`),
      areaFault: { rule: "PlacesOverlap", placeId: created[0].placeId }
    })
  })

  it("change nothing in a trial, which answers what would be", async () => {
    const { id } = await organization()
    const body = collection(feature(room(0)), feature(room(0)), feature(square(1)))
    const answer = want(await places(id, body, "?dryRun=true"), 200).json
    expect(answer.created).toEqual([{ feature: 0 }, { feature: 2 }])
    expect(answer.refused).toMatchObject([
      {
        feature: 1,
        reason: expect.stringContaining("Feature 0 is in the way."),
        areaFault: { rule: "PlacesOverlap", feature: 0 }
      }
    ])
    expect(answer.refused[0].areaFault.placeId).toBeUndefined()
    want(await get(owner, `/place/organization/${id}`), 204)
    want(await places(id, body, "?dryRun=yes"), 400)
  })

  it("are refused by their form, and created for managers alone", async () => {
    const { id } = await organization()
    const good = collection(feature(square(1)))
    const many = collection(...Array.from({ length: 2_001 }, () => 0))
    for (const body of [
      "",
      "{",
      "[]",
      "null",
      '{"type":"Feature"}',
      '{"type":"FeatureCollection","features":[{]}',
      JSON.stringify(many)
    ]) {
      want(await places(id, body), 400, body.slice(0, 60))
    }
    const crs = { type: "name", properties: { name: "EPSG:3003" } }
    want(await places(id, { ...good, crs }), 400)
    expect(want(await places(id, collection(feature(square(1), {}, { crs }))), 200).json.refused).toHaveLength(1)
    want(await places(id, good, "", owner, "text/plain"), 415)
    want(await places(id, `${JSON.stringify(good)}${" ".repeat(8 * 1024 * 1024)}`), 413)
    // Larger than other bodies may be.
    const noted = Array.from({ length: 7 }, () => feature(null, { note: "x".repeat(1_000_000) }))
    want(await places(id, collection(...noted)), 200)
    const manager = await bind(id, sojourn.administrator(unique("manager")), "manager")
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    want(await places(id, good, "", viewer), 403)
    want(await places(id, good, "", sojourn.administrator(unique("stranger"))), 403)
    want(await places(id, good, "", operator), 403)
    want(await places(NOWHERE, good), 404)
    want(await places(id, good, "", manager), 200)
  })
})

const HOUR = 3_600_000
const MORNING = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR - 3 * 24 * HOUR
const time = (hours: number) => new Date(MORNING + hours * HOUR).toISOString()

describe("accesses of another system", () => {
  it("are listed, reported, in the history, exported and erased as others", async () => {
    const { id } = await authenticated()
    const room = await place(id, square(0), { name: "Room" })
    const csv = [
      "﻿key,entranceTimestamp,exitTimestamp,placeId,placeName,orgAuthServerId,extra",
      `1,${time(8)},${time(9)},${room.id},,ada,x`,
      `2,${time(8.5)},${time(10)},,Room,"grace",x`,
      `3,${time(7)},${time(12)},,,ada,x`,
      `3,${time(7)},${time(12)},,,ada,x`,
      `4,${time(9)},${time(8)},${room.id},,ada,x`,
      `5,${time(9)},${time(10)},${room.id},,,x`,
      `6,${time(9)},${time(10)},${NOWHERE},,ada,x`,
      "",
      `7,yesterday,${time(10)},,,ada,x`
    ].join("\r\n")
    expect(want(await accesses(id, csv), 200).json).toEqual({
      imported: 3,
      skipped: 1,
      refused: [
        { line: 5, reason: "the exit is before the entrance" },
        { line: 6, reason: "orgAuthServerId is missing: the organization knows its people" },
        { line: 7, reason: "the organization has no place of this placeId" },
        { line: 9, reason: "entranceTimestamp is no RFC 3339 timestamp with seconds and an offset" }
      ]
    })
    expect(want(await accesses(id, csv), 200).json).toMatchObject({ imported: 0, skipped: 4 })
    const where = { kind: "place" as const, id: room.id, organizationId: id }
    const listed = want(await ofPeople(owner, where, "ada,grace"), 200).json
    expect(listed).toMatchObject([
      { placeId: room.id, entranceTimestamp: time(8), exitTimestamp: time(9), orgAuthServerId: "ada" },
      { orgAuthServerId: "grace" }
    ])
    const ada = await linked(id, "ada")
    expect(want(await ofPeople(ada, where, "ada"), 200).json).toHaveLength(1)
    expect(want(await get(owner, `/report/place/${room.id}`), 200).json).toEqual([
      { placeId: room.id, orgAuthServerId: "ada", totalTime: 3_600 },
      { placeId: room.id, orgAuthServerId: "grace", totalTime: 5_400 }
    ])
    const history = (premises: string) =>
      get(owner, `/presence/${premises}/history?step=hour&from=${time(7)}&to=${time(11)}`)
    const rows = want(await history(`place/${room.id}`), 200).json
    expect(rows).toMatchObject([
      { from: time(8), entered: 2, left: 0, least: 0, most: 2, average: 1.5 },
      { from: time(9), entered: 0, left: 1, least: 1, most: 2, average: 1, averageStay: 3_600 },
      { from: time(10), entered: 0, left: 1, least: 0, most: 1, average: 0, averageStay: 5_400 }
    ])
    expect(want(await history(`organization/${id}`), 200).json[0]).toMatchObject({ from: time(7), entered: 1, most: 1 })
    expect(await inside(where)).toBe(0)
    const subject = { organizationId: id, orgAuthServerId: "ada" }
    const data = want(await exportData(subject), 200).json
    expect([data.placeAccesses.length, data.organizationAccesses.length]).toEqual([1, 1])
    expect(JSON.stringify(data)).not.toContain('"key"')
    expect(want(await eraseData(subject), 200).json.accesses).toBe(2)
    expect(want(await ofPeople(owner, where, "ada,grace"), 200).json).toHaveLength(1)
  })

  it("of anonymous organizations are counted, and belong to no one", async () => {
    const { id } = await organization()
    const hall = await place(id)
    want(await put(operator, `/operator/organization/${id}/policy`, { smallestCount: 1 }), 200)
    const line = (row: object) => JSON.stringify({ entranceTimestamp: time(1), exitTimestamp: time(2), ...row })
    const ndjson = [
      line({}),
      "",
      line({ placeId: hall.id, orgAuthServerId: null, key: "a" }),
      line({ orgAuthServerId: "ada" }),
      "{",
      "[]",
      line({ placeName: 5 })
    ].join("\n")
    expect(want(await accesses(id, ndjson, NDJSON), 200).json).toEqual({
      imported: 2,
      skipped: 0,
      refused: [
        { line: 4, reason: "the organization is anonymous: leave out orgAuthServerId" },
        { line: 5, reason: "it is no JSON" },
        { line: 6, reason: "it is no object" },
        { line: 7, reason: "placeName is no text" }
      ]
    })
    const rows = want(
      await get(owner, `/presence/place/${hall.id}/history?step=day&from=${time(0)}&to=${time(3)}`),
      200
    ).json
    expect(rows).toMatchObject([{ entered: 1, left: 1, most: 1, averageStay: 3_600 }])
  })

  it("are at most as large as a file may be, with a thousand reasons", async () => {
    const { id } = await organization()
    const header = "entranceTimestamp,exitTimestamp\n"
    const wrong = want(await accesses(id, header + "x,y\n".repeat(1_500)), 200).json
    expect([wrong.imported, wrong.refused.length, wrong.refused.at(-1).line]).toEqual([0, 1_000, 1_000])
    want(await accesses(id, new Uint8Array(16 * 1024 * 1024 + 1)), 413)
    const large = header + `${time(1)},${time(2)}\n` + " ".repeat(15 * 1024 * 1024)
    expect(want(await accesses(id, large), 200).json).toMatchObject({ imported: 1, refused: [{ line: 2 }] })
  })

  it("are refused by their form, and imported by operators alone", async () => {
    const { id } = await organization()
    const good = `entranceTimestamp,exitTimestamp\n${time(1)},${time(2)}`
    for (const body of ["", "entranceTimestamp\nx", "a,b\n1,2"]) want(await accesses(id, body), 400, body)
    want(await accesses(id, new Uint8Array([0xff, 0xfe])), 400)
    want(await accesses(id, good, "application/json"), 415)
    want(await accesses(id, good, CSV, owner), 403)
    want(await accesses(id, good, CSV, sojourn.user("phone")), 403)
    want(await accesses(NOWHERE, good), 404)
    expect(want(await accesses(id, `\n`, NDJSON), 200).json).toEqual({ imported: 0, skipped: 0, refused: [] })
    expect(want(await accesses(id, good), 200).json).toEqual({ imported: 1, skipped: 0, refused: [] })
  })
})
