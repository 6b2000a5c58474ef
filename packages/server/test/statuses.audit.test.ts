/** The audit over HTTP (spec: audit#entries): its lists, readings of people, and what entries say. */
import { makeCsvReader } from "@sojourn/core"
import { describe, expect, it } from "vitest"
import { at, makeFixtures, NOWHERE, square, unique, want } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"
import { IMAGES } from "./images.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, authenticated, place, linked, enter, stay, bind, get, post, put, call } =
  fixtures

const CSV = { headers: { accept: "text/csv" } }
const DAYS = { from: at(-86_400), to: at(86_400) }

const pathOf = (id: number, query: object = {}) =>
  `/audit/organization/${id}?${new URLSearchParams({ ...DAYS, ...query } as Record<string, string>)}`

const page = async (id: number, query: object = {}, who: Bearer = owner) =>
  want(await get(who, pathOf(id, query)), 200).json

const entries = async (id: number, query: object = {}): Promise<ReadonlyArray<any>> => (await page(id, query)).entries

describe("GET /audit/organization/{id}", () => {
  it("200 who changed what, the newest first, and in which request", async () => {
    const { id } = await organization()
    const hall = await place(id, undefined, { name: "Hall" })
    const headers = { "x-request-id": unique("rename") }
    want(await put(owner, "/place", { id: hall.id, name: "Foyer", level: 2 }, { headers }), 200)
    want(await put(owner, "/place", { id: hall.id, name: "Foyer" }), 200)
    const [renamed, created, founded, ...others] = await entries(id)
    expect(others).toEqual([])
    expect(renamed).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      organizationId: id,
      placeId: hall.id,
      actor: { kind: "administrator", id: owner.id },
      action: "place.update",
      target: { kind: "place", id: String(hall.id) },
      changes: { name: { from: "Hall", to: "Foyer" }, level: { to: 2 } },
      requestId: headers["x-request-id"]
    })
    expect(created.changes).toEqual({
      name: { to: "Hall" },
      trackingArea: { to: { points: 5, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }
    })
    expect(founded).toMatchObject({
      action: "organization.create",
      actor: { kind: "operator", id: operator.id },
      target: { kind: "organization", id: String(id) }
    })
  })

  it("200 all of them as CSV, with local times and guarded texts", async () => {
    const { id, name } = await organization()
    want(await put(operator, `/operator/organization/${id}/policy`, { timeZone: "Europe/Rome" }), 200)
    const hall = await place(id, undefined, { name: "=1+1" })
    const headers = { accept: "text/csv", "x-request-id": "=2+2" }
    want(await put(owner, "/place", { id: hall.id, name: 'a "b", c' }, { headers }), 200)
    const json = await entries(id)
    const answer = want(await get(owner, pathOf(id, { limit: 1 }), { headers }), 200)
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8")
    expect(answer.headers["content-disposition"]).toContain(`attachment; filename="${name}_audit_`)
    const rows = [...makeCsvReader()(answer.text, true)] as ReadonlyArray<ReadonlyArray<string>>
    expect(answer.text).toMatch(/^\uFEFFid,at,organizationId,placeId,actor\.kind,.*,atLocal\r\n/)
    expect(answer.text).toContain(",'=2+2,")
    expect(rows.slice(1).map(([entryId]) => Number(entryId))).toEqual(json.map((entry) => entry.id))
    const renamed = Object.fromEntries(rows[0]!.map((column, n) => [column, rows[1]![n]]))
    expect(renamed).toMatchObject({
      at: json[0].at,
      "actor.kind": "administrator",
      "actor.id": owner.id,
      action: "place.update",
      "target.kind": "place",
      "target.id": String(hall.id),
      requestId: "=2+2",
      count: ""
    })
    expect(JSON.parse(renamed["changes"]!)).toEqual(json[0].changes)
    // Rome is ahead of UTC by whole hours.
    expect(renamed["atLocal"]!.slice(14)).toBe(json[0].at.slice(14, 19))
    expect(renamed["atLocal"]!.slice(0, 13)).not.toBe(json[0].at.slice(0, 13).replace("T", " "))
    want(await get(sojourn.administrator(unique("nobody")), pathOf(id), { headers }), 403)
  })

  it("CSV of more entries than one reading has is all of them, and of none the header", async () => {
    const { id } = await organization()
    for (let n = 0; n < 260; n++) want(await put(owner, `/capacity/organization/${id}`, { capacity: n + 1 }), 200)
    const lines = async (path: string) =>
      want(await get(operator, path, CSV), 200)
        .text.split("\r\n")
        .slice(0, -1)
    const query = new URLSearchParams({ ...DAYS, organizationId: String(id), action: "capacity.update" })
    const [header, ...all] = await lines(`/operator/audit?${query}`)
    expect(header).toMatch(/,count$/)
    expect(new Set(all)).toHaveLength(260)
    expect(want(await get(owner, pathOf(id, { action: "none" }), CSV), 200).text.split("\r\n")).toHaveLength(2)
  })

  it("200 by page, action and actor; 204 where there is none", async () => {
    const { id } = await organization()
    const manager = await bind(id, sojourn.administrator(unique("manager")), "manager")
    for (const [n, name] of ["one", "two", "three"].entries()) {
      want(await post(manager, "/place", { organizationId: id, trackingArea: square(n), name }), 201)
    }
    const { entries: first, next } = await page(id, { limit: 2, actor: manager.id })
    const second = await page(id, { limit: 2, actor: manager.id, after: next })
    expect([...first, ...second.entries].map(({ changes }) => changes.name.to)).toEqual(["three", "two", "one"])
    expect(second.next).toBeUndefined()
    expect((await entries(id, { action: "permission.create" })).map(({ target }) => target)).toEqual([
      { kind: "administrator", id: manager.id }
    ])
    want(await get(owner, pathOf(id, { action: "place" })), 204)
    want(await get(owner, pathOf(id, { from: at(3600) })), 204)
    want(await get(manager, pathOf(id)), 403)
  })

  it("400 a window, a page or a position that is none", async () => {
    const { id } = await organization()
    for (const query of [
      { to: at(-86_400) },
      { from: at(-366 * 86_400) },
      { from: "yesterday" },
      { limit: "0" },
      { limit: "1001" },
      { limit: "ten" },
      { after: "x" },
      { after: "" }
    ]) {
      want(await get(owner, pathOf(id, query)), 400, JSON.stringify(query))
    }
    for (const missing of ["from", "to"]) {
      want(await get(owner, pathOf(id).replace(new RegExp(`${missing}=[^&]*`), "")), 400, missing)
    }
    want(await get(owner, pathOf(NOWHERE, { to: at(-86_400) })), 400)
  })

  it("tells no mail address, no password, no token and no URL of a receiver", async () => {
    const { id } = await authenticated()
    const mail = `${unique("mail")}@secret.example`
    const creation = { organizationId: id, mail, password: "correct horse battery", permission: 1 }
    want(await post(owner, "/administrator/createadministrator", creation), 201)
    const premises = [{ organization: true }]
    const { token } = want(await post(owner, `/device/organization/${id}`, { name: "Door", premises }), 201).json
    const url = "https://hooks.example.org/?secret=s3cr3t"
    const { secret } = want(await post(owner, `/webhook/organization/${id}`, { url }), 201).json
    const text = JSON.stringify(await entries(id))
    for (const hidden of [mail, "secret.example", "horse", token, url, "s3cr3t", secret])
      expect(text).not.toContain(hidden)
    expect(text).toContain("webhook.create")
  })
})

describe("readings of people", () => {
  it("of one caller and target within a minute are one entry, with the largest number of people", async () => {
    const { id } = await authenticated()
    const hall = await place(id)
    const where = { kind: "place", id: hall.id, organizationId: id } as const
    const people = ["ada", "alan"]
    for (const [n, name] of people.entries()) {
      const user = await linked(id, name)
      want(await enter(user, where), 201)
      want(await get(owner, `/presence/place/${hall.id}/inside`), 200, `${n}`)
    }
    want(await get(owner, `/presence/place/${hall.id}/inside`), 200)
    want(await get(owner, `/presence/organization/${id}/inside`), 200)
    const read = await entries(id, { action: "person.read" })
    expect(read.map(({ target, count, placeId }) => [target.kind, target.id, count, placeId])).toEqual([
      ["organization", String(id), 2, undefined],
      ["place", String(hall.id), 2, hall.id]
    ])
  })

  it("of accesses, reports and musters name the person, the place or the muster", async () => {
    const { id } = await authenticated()
    const hall = await place(id)
    const ada = await linked(id, "ada")
    await stay(ada, { kind: "place", id: hall.id, organizationId: id })
    want(await get(owner, `/access/place/${hall.id}/authenticated/ada`), 200)
    want(await get(owner, `/access/place/${hall.id}/authenticated/alan`), 204)
    want(await get(owner, `/report/place/${hall.id}`), 200)
    want(await enter(ada, { kind: "organization", id }), 201)
    const { musterId } = want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201).json
    want(await get(owner, `/muster/${musterId}`), 200)
    const read = await entries(id, { action: "person.read" })
    expect(read.map(({ target, count }) => [target.kind, target.id, count])).toEqual([
      ["muster", String(musterId), 1],
      ["place", String(hall.id), 1],
      ["person", "ada", 1]
    ])
  })

  it("by users of their own data, and of anonymous organizations, leave none", async () => {
    const { id } = await authenticated()
    const ada = await linked(id, "ada")
    await stay(ada, { kind: "organization", id, organizationId: id })
    want(await get(ada, `/access/organization/${id}/authenticated/ada`), 200)
    const anonymous = await organization()
    want(await post(owner, `/muster/organization/${anonymous.id}`, { kind: "drill" }), 201)
    const [{ musterId }] = want(await get(owner, `/muster/organization/${anonymous.id}`), 200).json
    want(await get(owner, `/muster/${musterId}`), 200)
    want(await get(owner, pathOf(id, { action: "person.read" })), 204)
    want(await get(owner, pathOf(anonymous.id, { action: "person.read" })), 204)
  })
})

describe("GET /operator/audit", () => {
  const list = async (query: object) =>
    want(
      await get(operator, `/operator/audit?${new URLSearchParams({ ...DAYS, ...query } as Record<string, string>)}`),
      200
    ).json.entries

  it("200 entries of all organizations, with those of none, and of one that was deleted", async () => {
    const { id } = await organization()
    await fixtures.deleteOrganization(id)
    const administratorId = unique("registered")
    const account = { administratorId, mail: `${administratorId}@example.test` }
    want(await post(operator, "/operator/administrator", account), 201)
    expect((await list({ organizationId: String(id) })).map(({ action }: any) => action)).toEqual([
      "deletionRequest.approve",
      "deletionRequest.create",
      "organization.create"
    ])
    const [newest] = await list({ action: "administrator.create", limit: "1" })
    expect(newest).toMatchObject({ target: { kind: "administrator", id: administratorId } })
    expect(newest.organizationId).toBeUndefined()
    want(await get(owner, pathOf(id)), 404)
    want(await call(operator, "GET", "/operator/audit"), 400)
  })
})

describe("floor plans", () => {
  it("leave an entry when they are kept and removed", async () => {
    const { id } = await organization()
    const path = `/floorplan/organization/${id}?level=1`
    const sent = { body: IMAGES["image/png"], type: "image/png" }
    want(await call(owner, "PUT", `${path}&west=11&south=45&east=12&north=46`, sent), 200)
    want(await call(owner, "DELETE", path), 204)
    want(await call(owner, "DELETE", path), 404)
    expect((await entries(id)).map(({ action, target }) => [action, target.id])).toEqual([
      ["floorPlan.remove", "1"],
      ["floorPlan.update", "1"],
      ["organization.create", String(id)]
    ])
  })
})

describe("an erased administrator and person", () => {
  it("read (erased) in entries", async () => {
    const { id } = await authenticated()
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    const ada = await linked(id, "ada")
    await stay(ada, { kind: "organization", id, organizationId: id })
    want(await get(viewer, `/access/organization/${id}/authenticated/ada`), 200)
    const exported = want(await fixtures.exportData({ organizationId: id, orgAuthServerId: "ada" }), 200).json
    expect(exported.auditEntries).toMatchObject([{ action: "person.read", actor: { id: viewer.id } }])
    want(await fixtures.eraseData({ organizationId: id, orgAuthServerId: "ada" }), 200)
    want(await fixtures.eraseData({ administratorId: viewer.id }), 200)
    const erased = "(erased)"
    const found = (await entries(id, { action: "person.read" })).filter(({ actor }) => actor.kind === "administrator")
    expect(found).toMatchObject([{ actor: { id: erased }, target: { kind: "person", id: erased } }])
    expect(JSON.stringify(await entries(id))).not.toMatch(new RegExp(`"ada"|${viewer.id}`))
  })
})
