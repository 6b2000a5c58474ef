import { beforeAll, describe, expect, it } from "vitest"
import { polygon, rectangle, ring } from "../src/demo/areas.ts"
import { at, GROUNDS, makeFixtures, NOWHERE, square, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, place, post, put, get, remove, enter, leave, stay, inside } = fixtures

const phone = sojourn.user("phone")
const stranger = sojourn.administrator("a-stranger")
const outside = rectangle(13, 45.1, 13.1, 45.2)

let shared: any
beforeAll(async () => {
  shared = await organization()
})

describe("POST /place (interface, section 4.4)", () => {
  it("201 the created place with exactly id, organizationId, name and trackingArea", async () => {
    const { id: organizationId } = await organization()
    const made = want(await post(owner, "/place", { organizationId, name: "Hall", trackingArea: square(0) }), 201).json
    expect(made).toEqual({ id: made.id, organizationId, name: "Hall", trackingArea: square(0) })
  })

  it.each([
    ["left out", {}],
    ["null", { name: null }]
  ])("the name is filled in as `Place <id>` when it is %s", async (_, over) => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId, square(0), over)
    expect(made.name).toBe(`Place ${made.id}`)
  })

  it("a name has at most 128 characters, by code points", async () => {
    const { id: organizationId } = await organization()
    expect((await place(organizationId, square(0), { name: "😀".repeat(128) })).name).toBe("😀".repeat(128))
    want(await post(owner, "/place", { organizationId, name: "x".repeat(129), trackingArea: square(1) }), 400)
    want(await post(owner, "/place", { organizationId, name: "😀".repeat(129), trackingArea: square(1) }), 400)
  })

  it("two places may have the same name", async () => {
    const { id: organizationId } = await organization()
    await place(organizationId, square(0), { name: "Hall" })
    await place(organizationId, square(1), { name: "Hall" })
  })

  it("the area is answered exactly as it was given", async () => {
    const { id: organizationId } = await organization()
    const text = ` { "type":"Polygon",\n"coordinates": ${JSON.stringify([ring(11.1, 45.1, 11.2, 45.2)])}, "é": "\\u00e9" } `
    expect((await place(organizationId, text)).trackingArea).toBe(text)
    expect(want(await get(phone, `/place/organization/${organizationId}`), 200).json[0].trackingArea).toBe(text)
  })

  it("an id in the body is ignored: the service issues ids", async () => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId, square(0), { id: 4711, placeId: 4712 })
    expect(made.id).not.toBe(4711)
    expect(made.id).not.toBe(4712)
  })

  it.each([
    ["outside its organization's area", outside],
    ["partly outside", rectangle(11.9, 45.9, 12.1, 45.95)],
    ["around its organization's area", rectangle(10, 44, 13, 47)],
    ["no JSON", "somewhere"],
    ["empty", ""],
    ["a JSON null", "null"],
    ["a point", JSON.stringify({ type: "Point", coordinates: [11.5, 45.5] })]
  ])("an area that is %s: 400", async (_, trackingArea) => {
    want(await post(owner, "/place", { organizationId: shared.id, trackingArea }), 400)
  })

  it("an area may be its organization's own, and share borders with it", async () => {
    const { id: organizationId } = await organization()
    await place(organizationId, GROUNDS)
    const { id: other } = await organization()
    await place(other, rectangle(11, 45, 11.5, 46))
  })

  it("an area does not overlap another place of the organization, and may share a border with one: 400, 201", async () => {
    const { id: organizationId } = await organization()
    await place(organizationId, rectangle(11.1, 45.1, 11.2, 45.2))
    for (const overlapping of [
      rectangle(11.1, 45.1, 11.2, 45.2),
      rectangle(11.15, 45.15, 11.25, 45.25),
      rectangle(11.12, 45.12, 11.18, 45.18),
      rectangle(11.05, 45.05, 11.25, 45.25),
      rectangle(11.199, 45.12, 11.3, 45.18)
    ]) {
      want(await post(owner, "/place", { organizationId, trackingArea: overlapping }), 400)
    }
    want(await post(owner, "/place", { organizationId, trackingArea: rectangle(11.2, 45.1, 11.3, 45.2) }), 201)
    want(await post(owner, "/place", { organizationId, trackingArea: rectangle(11.1, 45.2, 11.2, 45.3) }), 201)
    // The areas share only a corner.
    want(await post(owner, "/place", { organizationId, trackingArea: rectangle(11.2, 45.2, 11.3, 45.3) }), 201)
  })

  it("borders nearer than 2e-7 degrees count as shared", async () => {
    const { id: organizationId } = await organization()
    await place(organizationId, rectangle(11.1, 45.1, 11.2, 45.2))
    want(await post(owner, "/place", { organizationId, trackingArea: rectangle(11.1999999, 45.1, 11.3, 45.2) }), 201)
    want(
      await post(owner, "/place", {
        organizationId,
        trackingArea: rectangle(11.0999999 - 0.05, 45.1, 11.1000001, 45.2)
      }),
      201
    )
    want(await post(owner, "/place", { organizationId, trackingArea: rectangle(11.4, 45.9, 11.5, 46.0000001) }), 201)
    want(await post(owner, "/place", { organizationId, trackingArea: rectangle(11.6, 45.9, 11.7, 46.000001) }), 400)
  })

  it("places of two organizations may overlap", async () => {
    const [one, other] = [await organization(), await organization()]
    await place(one.id, square(0))
    await place(other.id, square(0))
  })

  it("a place in another place's hole does not overlap it; a place over its organization's hole is outside", async () => {
    const hole = ring(11.4, 45.4, 11.6, 45.6)
    const { id } = await organization()
    await place(id, polygon(ring(11.3, 45.3, 11.7, 45.7), [...hole].reverse()))
    await place(id, rectangle(11.4, 45.4, 11.6, 45.6))
    const { id: holed } = await organization({ trackingArea: polygon(ring(11, 45, 12, 46), hole) })
    want(await post(owner, "/place", { organizationId: holed, trackingArea: rectangle(11.45, 45.45, 11.5, 45.5) }), 400)
    want(await post(owner, "/place", { organizationId: holed, trackingArea: rectangle(11.3, 45.3, 11.7, 45.7) }), 400)
    want(await post(owner, "/place", { organizationId: holed, trackingArea: rectangle(11.3, 45.3, 11.4, 45.7) }), 201)
  })

  it("unknown organization: 403", async () => {
    want(await post(owner, "/place", { organizationId: NOWHERE, trackingArea: square(0) }), 403)
  })

  it("unknown organization and an invalid area: 403, since authority is checked before the area", async () => {
    want(await post(owner, "/place", { organizationId: NOWHERE, trackingArea: "x" }), 403)
    want(await post(stranger, "/place", { organizationId: shared.id, trackingArea: "x" }), 403)
  })

  it.each([
    ["no organizationId", { trackingArea: square(0) }],
    ["organizationId null", { organizationId: null, trackingArea: square(0) }],
    ["organizationId text", { organizationId: "1", trackingArea: square(0) }],
    ["organizationId 0", { organizationId: 0, trackingArea: square(0) }],
    ["organizationId 2^53", { organizationId: 2 ** 53, trackingArea: square(0) }],
    ["organizationId 1.5", { organizationId: 1.5, trackingArea: square(0) }],
    ["no trackingArea", { organizationId: NOWHERE }],
    ["trackingArea null", { organizationId: NOWHERE, trackingArea: null }],
    ["trackingArea no text", { organizationId: NOWHERE, trackingArea: JSON.parse(square(0)) }],
    ["a name that is no text", { organizationId: NOWHERE, trackingArea: square(0), name: 5 }],
    ["a name with a NUL", { organizationId: NOWHERE, trackingArea: square(0), name: "a\u0000" }],
    ["a lone surrogate in the name", { organizationId: NOWHERE, trackingArea: square(0), name: "\ud800" }],
    ["a NUL in the area", { organizationId: NOWHERE, trackingArea: "\u0000" }],
    ["a list", []],
    ["text", "place"],
    ["null", null]
  ])("%s: 400, whatever the caller may", async (_, body) => {
    want(await post(stranger, "/place", body), 400)
  })
})

describe("PUT /place (interface, section 4.4)", () => {
  it("changes the fields that are present and answers the place", async () => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId, square(0), { name: "Hall" })
    expect(want(await put(owner, "/place", { id: made.id, name: "Gallery" }), 200).json).toEqual({
      ...made,
      name: "Gallery"
    })
    const moved = want(await put(owner, "/place", { id: made.id, trackingArea: square(3) }), 200).json
    expect(moved).toEqual({ ...made, name: "Gallery", trackingArea: square(3) })
    expect(want(await get(owner, `/place/organization/${organizationId}`), 200).json).toEqual([moved])
  })

  it("with nothing but the id: 200, unchanged", async () => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId)
    expect(want(await put(owner, "/place", { id: made.id }), 200).json).toEqual(made)
    expect(want(await put(owner, "/place", { placeId: made.id }), 200).json).toEqual(made)
    expect(want(await put(owner, "/place", made), 200).json).toEqual(made)
  })

  it("`name: null` resets the name to `Place <id>`", async () => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId, square(0), { name: "Hall" })
    expect(want(await put(owner, "/place", { id: made.id, name: null }), 200).json.name).toBe(`Place ${made.id}`)
  })

  it("the id may be named `id` or `placeId`, and both when they agree; else 400", async () => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId)
    expect(want(await put(owner, "/place", { id: made.id, placeId: made.id, name: "A" }), 200).json.name).toBe("A")
    want(await put(owner, "/place", { id: made.id, placeId: made.id + 1, name: "B" }), 400)
    want(await put(owner, "/place", { name: "B" }), 400)
    want(await put(owner, "/place", { id: null, placeId: null, name: "B" }), 400)
  })

  it("an `organizationId` that is not the place's: 400, a place never moves to another organization", async () => {
    const [one, other] = [await organization(), await organization()]
    const made = await place(one.id)
    want(await put(owner, "/place", { id: made.id, organizationId: other.id }), 400)
    want(await put(owner, "/place", { id: made.id, organizationId: NOWHERE }), 400)
    want(await put(owner, "/place", { id: made.id, organizationId: other.id, trackingArea: square(5) }), 400)
    expect(want(await put(owner, "/place", { id: made.id, organizationId: one.id, name: "Here" }), 200).json.name).toBe(
      "Here"
    )
    expect(want(await put(owner, "/place", { id: made.id, organizationId: null }), 200).json.organizationId).toBe(
      one.id
    )
  })

  it("authority is checked in the place's own organization, whatever `organizationId` the body has", async () => {
    const mine = await organization()
    const elsewhere = sojourn.administrator("owner-elsewhere")
    const other = await organization({ owner: { administratorId: elsewhere.id, mail: elsewhere.mail } })
    const made = await place(mine.id)
    want(await put(elsewhere, "/place", { id: made.id, organizationId: other.id, name: "Mine" }), 403)
    want(await put(elsewhere, "/place", { id: made.id, name: "Mine" }), 403)
  })

  it.each([
    ["an area outside the organization's", outside],
    ["an area partly outside", rectangle(11.9, 45.9, 12.1, 45.95)],
    ["an area that is no JSON", "somewhere"],
    ["an area over another place", square(1)]
  ])("%s: 400, and the place stays as it was", async (_, trackingArea) => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId)
    await place(organizationId, square(1))
    want(await put(owner, "/place", { id: made.id, name: "New", trackingArea }), 400)
    expect(want(await get(owner, `/place/organization/${organizationId}`), 200).json[0]).toEqual(made)
  })

  it("the new area may overlap the place's former area", async () => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId, rectangle(11.1, 45.1, 11.2, 45.2))
    want(await put(owner, "/place", { id: made.id, trackingArea: rectangle(11.15, 45.15, 11.25, 45.25) }), 200)
  })

  it("an unknown place id: 404 when it is well formed", async () => {
    want(await put(owner, "/place", { id: NOWHERE, name: "x" }), 404)
    want(await put(owner, "/place", { id: NOWHERE, trackingArea: "x" }), 404)
    want(await put(owner, "/place", { id: 9007199254740991, name: "x" }), 404)
  })

  it.each([
    ["an id of 0", { id: 0 }],
    ["a negative id", { id: -1 }],
    ["an id of 2^53", { id: 9007199254740992 }],
    ["a textual id", { id: "1" }],
    ["a broken id", { id: 1.5 }],
    ["a name of 129 characters", { id: NOWHERE, name: "x".repeat(129) }],
    ["a name that is no text", { id: NOWHERE, name: true }],
    ["trackingArea null", { id: NOWHERE, trackingArea: null }],
    ["a trackingArea that is no text", { id: NOWHERE, trackingArea: {} }],
    ["a textual organizationId", { id: NOWHERE, organizationId: "1" }],
    ["an organizationId of 0", { id: NOWHERE, organizationId: 0 }],
    ["a lone surrogate", { id: NOWHERE, name: "x\udfff" }]
  ])("%s: 400, before anything is looked for", async (_, body) => {
    want(await put(owner, "/place", body), 400)
  })
})

describe("GET /place/organization/{organizationId} (interface, section 4.4)", () => {
  it("200 every place, 204 when there is none", async () => {
    const { id } = await organization()
    for (const who of [phone, owner]) want(await get(who, `/place/organization/${id}`), 204)
    const places = [await place(id, square(0)), await place(id, square(1), { name: "Hall" })]
    for (const who of [phone, owner])
      expect(want(await get(who, `/place/organization/${id}`), 200).json).toEqual(places)
  })

  it("unknown organization: a user gets 204, an administrator 403", async () => {
    want(await get(phone, `/place/organization/${NOWHERE}`), 204)
    want(await get(owner, `/place/organization/${NOWHERE}`), 403)
    want(await get(phone, "/place/organization/9223372036854775807"), 204)
    want(await get(owner, "/place/organization/9223372036854775807"), 403)
  })

  it("an administrator who is not bound: 403, also when there is no place", async () => {
    want(await get(stranger, `/place/organization/${(await organization()).id}`), 403)
  })

  it("a viewer reads it", async () => {
    const { id } = await organization()
    await place(id)
    const viewer = await fixtures.bind(id, sojourn.administrator(unique("viewer")), "viewer")
    want(await get(viewer, `/place/organization/${id}`), 200)
  })

  it("an operator: 403", async () => {
    want(await get(operator, `/place/organization/${shared.id}`), 403)
  })
})

describe("DELETE /place/{placeId} (interface, section 4.4)", () => {
  it("205 Nothing; the second time 404", async () => {
    const made = await place((await organization()).id)
    expect(want(await remove(owner, `/place/${made.id}`), 205).text).toBe("")
    want(await remove(owner, `/place/${made.id}`), 404)
  })

  it("Content-Type and Accept are ignored", async () => {
    const { id } = await organization()
    for (const [i, headers] of [
      { "content-type": "text/plain" },
      { accept: "image/png" },
      { "content-type": "x" }
    ].entries()) {
      const made = await place(id, square(i))
      want(await remove(owner, `/place/${made.id}`, { headers }), 205)
    }
  })

  it("with open stays: 205; the open stays are deleted with the place and never listed", async () => {
    const { id } = await organization()
    const made = await place(id)
    const where = { kind: "place" as const, id: made.id, organizationId: id }
    const done = await stay(phone, where)
    const { exitToken } = want(await enter(phone, where, { timestamp: at(-60) }), 201).json
    want(await remove(owner, `/place/${made.id}`), 205)
    want(await leave(phone, where, exitToken), 400)
    want(await fixtures.anonymous(phone, where, `${exitToken},${done}`), 204)
    want(await get(owner, `/presence/place/${made.id}/counter`), 404)
    want(await get(owner, `/report/place/${made.id}`), 404)
    want(await enter(phone, where), 400)
    want(await put(owner, "/place", { id: made.id }), 404)
    want(await get(phone, `/place/organization/${id}`), 204)
  })

  it("does not affect the organization's own stays and its other places", async () => {
    const { id } = await organization()
    const [gone, kept] = [await place(id, square(0)), await place(id, square(1))]
    want(await enter(phone, { kind: "organization", id }), 201)
    want(await enter(phone, { kind: "place", id: kept.id }), 201)
    want(await enter(phone, { kind: "place", id: gone.id }), 201)
    want(await remove(owner, `/place/${gone.id}`), 205)
    expect(await inside({ kind: "organization", id })).toBe(1)
    expect(await inside({ kind: "place", id: kept.id })).toBe(1)
  })

  it("frees the area for another place; the id is never reused", async () => {
    const { id } = await organization()
    const made = await place(id)
    want(await remove(owner, `/place/${made.id}`), 205)
    expect((await place(id)).id).not.toBe(made.id)
  })

  it("unknown: 404, malformed: 400", async () => {
    want(await remove(owner, `/place/${NOWHERE}`), 404)
    want(await remove(owner, "/place/9223372036854775807"), 404)
    for (const id of [
      "9223372036854775808",
      "-1",
      "+1",
      "1.0",
      "1e3",
      "0x10",
      "abc",
      "%20",
      "1%20",
      "%31x",
      "１",
      "null"
    ]) {
      want(await remove(owner, `/place/${encodeURI(id).replaceAll("%25", "%")}`), 400)
    }
  })
})

describe("an organization and its places (contract, sections 3 and 7)", () => {
  it("an organization's area that does not cover one of its places: 400, by PUT and by PATCH", async () => {
    const { id } = await organization()
    await place(id, rectangle(11.8, 45.8, 11.9, 45.9))
    const smaller = rectangle(11, 45, 11.85, 46)
    want(await put(owner, "/organization", { id, trackingArea: smaller }), 400)
    want(
      await fixtures.call(owner, "PATCH", `/organization/${id}/trackingArea`, { form: { trackingArea: smaller } }),
      400
    )
    const justAround = rectangle(11, 45, 11.9, 45.9)
    expect(want(await put(owner, "/organization", { id, trackingArea: justAround }), 200).json.trackingArea).toBe(
      justAround
    )
  })

  it("a deleted place does not restrict the organization's area", async () => {
    const { id } = await organization()
    const made = await place(id, rectangle(11.8, 45.8, 11.9, 45.9))
    want(await remove(owner, `/place/${made.id}`), 205)
    want(await put(owner, "/organization", { id, trackingArea: rectangle(11, 45, 11.5, 45.5) }), 200)
  })

  it("managers manage places, viewers do not", async () => {
    const { id } = await organization()
    const manager = await fixtures.bind(id, sojourn.administrator(unique("manager")), "manager")
    const viewer = await fixtures.bind(id, sojourn.administrator(unique("viewer")), "viewer")
    want(await post(viewer, "/place", { organizationId: id, trackingArea: square(0) }), 403)
    const made = want(await post(manager, "/place", { organizationId: id, trackingArea: square(0) }), 201).json
    want(await put(viewer, "/place", { id: made.id, name: "x" }), 403)
    want(await put(manager, "/place", { id: made.id, name: "x" }), 200)
    want(await remove(viewer, `/place/${made.id}`), 403)
    want(await remove(manager, `/place/${made.id}`), 205)
  })

  it("of two places that are created concurrently in one area exactly one is 201", async () => {
    const { id } = await organization()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(owner, "/place", { organizationId: id, trackingArea: square(0) }))
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 400)])
  })
})
