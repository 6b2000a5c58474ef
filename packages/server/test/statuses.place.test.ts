/** Places over HTTP. */
import { describe, expect, it } from "vitest"
import { rectangle, ring } from "../src/demo/areas.ts"
import { makeFixtures, NOWHERE, square, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, organization, place, post, put, get, remove } = fixtures

const phone = sojourn.user("phone")
const stranger = sojourn.administrator("a-stranger")
const outside = rectangle(13, 45.1, 13.1, 45.2)

const shared = await organization()
await place(shared.id, square(30))

describe("POST /place (spec: organizations#place-name)", () => {
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
    want(await put(owner, "/place", { id: NOWHERE, name: "x".repeat(129) }), 400)
  })

  it("the area is answered exactly as it was sent", async () => {
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
    ["over another place", square(30)],
    ["empty", ""]
  ])("an area that is %s: 400", async (_, trackingArea) => {
    want(await post(owner, "/place", { organizationId: shared.id, trackingArea }), 400)
  })

  it("unknown organization and an invalid area: 403, since authority is checked before the area", async () => {
    want(await post(owner, "/place", { organizationId: NOWHERE, trackingArea: "x" }), 403)
    want(await post(stranger, "/place", { organizationId: shared.id, trackingArea: "x" }), 403)
  })
})

describe("PUT /place (spec: organizations#place-stays)", () => {
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
    ["an area over another place", square(1)]
  ])("%s: 400, and the place stays as it was", async (_, trackingArea) => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId)
    await place(organizationId, square(1))
    want(await put(owner, "/place", { id: made.id, name: "New", trackingArea }), 400)
    expect(want(await get(owner, `/place/organization/${organizationId}`), 200).json[0]).toEqual(made)
  })
})

describe("GET /place/organization/{organizationId} (spec: organizations#place-readers)", () => {
  it("200 every place, 204 when there is none", async () => {
    const { id } = await organization()
    for (const who of [phone, owner]) want(await get(who, `/place/organization/${id}`), 204)
    const places = [await place(id, square(0)), await place(id, square(1), { name: "Hall" })]
    for (const who of [phone, owner])
      expect(want(await get(who, `/place/organization/${id}`), 200).json).toEqual(places)
  })
})

describe("DELETE /place/{placeId} (spec: organizations#place-end)", () => {
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
})

describe("floors and rooms (spec: organizations#hierarchy)", () => {
  /** A building, a floor 2 of its outline, and a room of it. */
  const aBuilding = async () => {
    const { id: organizationId } = await organization()
    const building = await place(organizationId, square(0), { name: "Building" })
    const floor = await place(organizationId, square(0), { name: "Floor 2", level: 2, parentId: building.id })
    const room = await place(organizationId, square(0), { name: "Room", parentId: floor.id })
    return { organizationId, building, floor, room }
  }
  const listed = async (organizationId: number, query = "") =>
    want(await get(phone, `/place/organization/${organizationId}${query}`), 200).json
  const refused = async (request: ReturnType<typeof post>) => want(await request, 400).json
  const asProblem = { headers: { accept: "application/problem+json" } }

  it("`level` and `parentId` are answered where they were given, by POST, PUT and lists", async () => {
    const { organizationId, building, floor, room } = await aBuilding()
    expect(building).toEqual({ id: building.id, organizationId, name: "Building", trackingArea: square(0) })
    expect(floor).toEqual({ ...building, id: floor.id, name: "Floor 2", level: 2, parentId: building.id })
    expect(room).toEqual({ ...building, id: room.id, name: "Room", parentId: floor.id })
    expect(await listed(organizationId)).toEqual([building, floor, room])
    expect(want(await put(owner, "/place", { id: room.id, level: 2 }), 200).json).toEqual({ ...room, level: 2 })
  })

  it("PUT leaves what is left out, and `null` clears", async () => {
    const { floor, room } = await aBuilding()
    expect(want(await put(owner, "/place", { id: floor.id, name: "Two" }), 200).json).toEqual({ ...floor, name: "Two" })
    const { parentId: _, ...freed } = room
    expect(want(await put(owner, "/place", { id: room.id, parentId: null, level: -100 }), 200).json).toEqual({
      ...freed,
      level: -100
    })
    const cleared = want(await put(owner, "/place", { id: floor.id, level: null, parentId: null }), 400)
    expect(cleared.text).toBe("")
    expect(want(await put(owner, "/place", { id: floor.id, level: null }), 200).json.level).toBeUndefined()
  })

  it("POST counts `null` as left out", async () => {
    const { id: organizationId } = await organization()
    const made = await place(organizationId, square(0), { level: null, parentId: null })
    expect(Object.keys(made).sort()).toEqual(["id", "name", "organizationId", "trackingArea"])
  })

  it.each([1.5, "2", -101, 301, true, []])("a level of %j: 400, by POST and PUT", async (level) => {
    const { organizationId, room } = await aBuilding()
    want(await post(owner, "/place", { organizationId, trackingArea: square(3), level }), 400)
    want(await put(owner, "/place", { id: room.id, level }), 400)
  })

  it("a parent that is no place of the organization, the place itself or a part of it: 400", async () => {
    const { organizationId, building, floor, room } = await aBuilding()
    const elsewhere = await aBuilding()
    for (const parentId of [NOWHERE, elsewhere.building.id, "1", 0]) {
      want(await post(owner, "/place", { organizationId, trackingArea: square(3), parentId }), 400)
      want(await put(owner, "/place", { id: room.id, parentId }), 400)
    }
    for (const parentId of [building.id, floor.id, room.id]) {
      want(await put(owner, "/place", { id: building.id, parentId }), 400)
    }
    expect(await listed(organizationId)).toEqual([building, floor, room])
  })

  it("a place that is not inside its parent: 400, whichever of them changes", async () => {
    const { organizationId, building, floor, room } = await aBuilding()
    const problem = await refused(
      post(owner, "/place", { organizationId, trackingArea: square(1), parentId: floor.id }, asProblem)
    )
    expect(problem.areaFault).toMatchObject({ rule: "PlaceOutsidePlace", placeId: floor.id })
    const shrunk = await refused(put(owner, "/place", { id: building.id, trackingArea: square(1) }, asProblem))
    expect(shrunk.areaFault).toMatchObject({ rule: "PlaceOutsidePlace", placeId: floor.id })
    const beside = await place(organizationId, square(1))
    const adopted = await refused(put(owner, "/place", { id: room.id, parentId: beside.id }, asProblem))
    expect(adopted.areaFault).toMatchObject({ rule: "PlaceOutsidePlace", placeId: beside.id })
    const outsideAll = await refused(post(owner, "/place", { organizationId, trackingArea: outside }, asProblem))
    expect(outsideAll.areaFault).toMatchObject({ rule: "PlaceOutsideOrganization" })
    expect(await listed(organizationId)).toEqual([building, floor, room, beside])
  })

  it("`?level=` lists the places on a floor; another form is 400", async () => {
    const { organizationId, building, floor, room } = await aBuilding()
    expect(await listed(organizationId, "?level=2")).toEqual([floor, room])
    expect(await listed(organizationId, "?level=0")).toEqual([building])
    want(await get(phone, `/place/organization/${organizationId}?level=7`), 204)
    for (const level of ["", "x", "1.5", "301", "-101", "+1", "1e1"]) {
      want(await get(phone, `/place/organization/${organizationId}?level=${level}`), 400)
    }
  })

  it("DELETE of a place that has parts: 409, and nothing changes", async () => {
    const { organizationId, building, floor, room } = await aBuilding()
    want(await remove(owner, `/place/${building.id}`), 409)
    want(await remove(stranger, `/place/${building.id}`), 403)
    expect(await listed(organizationId)).toEqual([building, floor, room])
    for (const { id } of [room, floor, building]) want(await remove(owner, `/place/${id}`), 205)
  })
})
