/** The operator's endpoints over HTTP: organizations, constraints, accounts, deletion requests. */
import { describe, expect, it } from "vitest"
import { rectangle } from "../src/demo/areas.ts"
import { at, GROUNDS, makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, place, draft, post, put, get, call, enter, stay } = fixtures

const phone = sojourn.user("phone")
const create = (body: unknown) => post(operator, "/operator/organization", body)
const constrain = (id: number, body: unknown) => put(operator, `/operator/organization/${id}/constraint`, body)
const register = (body: unknown) => post(operator, "/operator/administrator", body)
const requests = (status?: string) =>
  get(operator, `/operator/deletionrequest${status === undefined ? "" : `?status=${status}`}`)
const decide = (id: number, verdict: "approve" | "reject") =>
  call(operator, "POST", `/operator/deletionrequest/${id}/${verdict}`)

describe("GET /operator/deletionrequest without deletion requests (spec: organizations#deletion-requests)", () => {
  it("204 for every status", async () => {
    want(await requests(), 204)
    for (const status of ["pending", "approved", "rejected"]) want(await requests(status), 204)
  })
})

describe("POST /operator/organization (spec: organizations#operator-creation)", () => {
  it("201 Organization; the owner's account is created and bound as owner", async () => {
    const administratorId = unique("first-owner")
    const mail = `${administratorId}@example.test`
    const before = Date.now()
    const body = draft({ owner: { administratorId, mail } })
    const made = want(await create(body), 201).json
    expect(made).toEqual({
      id: made.id,
      name: body.name,
      trackingArea: GROUNDS,
      trackingMode: "anonymous",
      creationDate: made.creationDate,
      lastChangeDate: made.creationDate
    })
    expect(Math.abs(Date.parse(made.creationDate) - before)).toBeLessThan(10_000)
    const first = sojourn.administrator(administratorId, mail)
    // The first owner's `nominatedBy` is their own id.
    const permission = { administratorId, organizationId: made.id, permission: 3, mail, nominatedBy: administratorId }
    expect(want(await get(first, `/administrator/organization/${made.id}`), 200).json).toEqual([permission])
    want(await register({ administratorId, mail }), 400)
  })

  it("the answer has all fields as they were sent", async () => {
    const fields = {
      description: "d".repeat(512),
      image: "https://img.example.test/a.png",
      street: "Via Trieste",
      number: "63",
      postCode: 35121,
      city: "Padova",
      country: "Italia",
      authenticationServerURL: "ldaps://ldap.example.org/ou=people,dc=example,dc=org?uid?sub"
    }
    const made = want(await create(draft(fields)), 201).json
    expect(made).toMatchObject(fields)
    expect(want(await get(phone, `/organization/${made.id}`), 200).json).toEqual(made)
  })

  it("the answer does not contain maxArea", async () => {
    expect(want(await create(draft({ maxArea: 1e12 })), 201).json).not.toHaveProperty("maxArea")
  })

  it("an id and dates in the body are ignored: the service issues them", async () => {
    const made = want(
      await create(draft({ id: 4711, organizationId: "x", creationDate: "1999-01-01T00:00:00Z" })),
      201
    ).json
    expect(made.id).not.toBe(4711)
    expect(made.creationDate).not.toContain("1999")
  })

  it("optional fields that are null count as left out", async () => {
    const nulls = {
      description: null,
      image: null,
      street: null,
      number: null,
      postCode: null,
      city: null,
      country: null
    }
    const made = want(await create(draft({ ...nulls, authenticationServerURL: null, maxArea: null })), 201).json
    expect(Object.keys(made).sort()).toEqual(
      ["creationDate", "id", "lastChangeDate", "name", "trackingArea", "trackingMode"].sort()
    )
  })

  it("an owner whose id and mail name different administrators: 400", async () => {
    const [one, two] = [unique("one"), unique("two")]
    want(await register({ administratorId: one, mail: `${one}@example.test` }), 201)
    want(await register({ administratorId: two, mail: `${two}@example.test` }), 201)
    want(await create(draft({ owner: { administratorId: one, mail: `${two}@example.test` } })), 400)
    want(await create(draft({ owner: { administratorId: unique("new"), mail: `${two}@example.test` } })), 400)
  })

  it.each([
    ["left out", {}],
    ["null", { administratorId: null }]
  ])("an owner's id %s: the owner is invited, and found by the first who proves the address", async (_, id) => {
    const mail = `${unique("invited")}@example.test`
    const made = await Promise.all(
      [1, 2].map(async () => want(await create(draft({ owner: { mail, ...id } })), 201).json.id as number)
    )
    const invited = sojourn.administrator(unique("taker"), mail)
    const organizations = want(await get(invited, `/administrator/permission/${invited.id}`), 200).json
    expect(organizations).toEqual(
      made
        .sort((one, other) => one - other)
        .map((organizationId) => ({
          administratorId: invited.id,
          organizationId,
          permission: 3,
          mail,
          nominatedBy: invited.id
        }))
    )
    const late = want(await create(draft({ owner: { mail: mail.toUpperCase() } })), 201).json.id
    want(await get(invited, `/administrator/organization/${late}`), 200)
    want(await get(sojourn.administrator(unique("late"), mail), `/administrator/organization/${late}`), 403)
  })

  it("a duplicate name: 400", async () => {
    const { name } = await organization()
    want(await create(draft({ name })), 400)
  })

  it("`authenticated` without an authenticationServerURL: 400", async () => {
    want(await create(draft({ trackingMode: "authenticated" })), 400)
    want(await create(draft({ trackingMode: "authenticated", authenticationServerURL: null })), 400)
  })

  it("an area larger than maxArea: 400, and the name can be used again", async () => {
    const body = draft({ maxArea: 1000 })
    want(await create(body), 400)
    want(await create({ ...body, maxArea: 1e12 }), 201)
  })

  it.each(["http://example.org", "ldaps://127.0.0.1/dc=example", ""])(
    "an authenticationServerURL that is not allowed: 400: %s",
    async (authenticationServerURL) => {
      want(await create(draft({ authenticationServerURL })), 400)
    }
  )

  it.each(["ldap.example.org", "LDAPS://LDAP.example.org/dc=a?mail?one"])(
    "an authenticationServerURL that is allowed is answered as it was sent: %s",
    async (authenticationServerURL) => {
      const made = want(await create(draft({ authenticationServerURL })), 201).json
      expect(made.authenticationServerURL).toBe(authenticationServerURL)
    }
  )

  it.each([
    ["no name", { name: undefined }],
    ["name null", { name: null }],
    ["an empty name", { name: "" }],
    ["a name of 129 characters", { name: "x".repeat(129) }],
    ["no trackingArea", { trackingArea: undefined }],
    ["trackingArea null", { trackingArea: null }],
    ["a trackingArea that is no text", { trackingArea: {} }],
    ["a bad trackingArea", { trackingArea: "x" }],
    ["no trackingMode", { trackingMode: undefined }],
    ["trackingMode null", { trackingMode: null }],
    ["an unknown trackingMode", { trackingMode: "Anonymous" }],
    ["trackingMode as a number", { trackingMode: 1 }],
    ["no owner", { owner: undefined }],
    ["owner null", { owner: null }],
    ["an owner that is text", { owner: "somebody" }],
    ["an owner with neither", { owner: {} }],
    ["an owner without mail", { owner: { administratorId: "a" } }],
    ["an owner with an empty id", { owner: { administratorId: "", mail: "a@example.test" } }],
    ["an owner with a malformed mail", { owner: { administratorId: "a", mail: "a" } }],
    ["maxArea text", { maxArea: "1000" }],
    ["maxArea 0", { maxArea: 0 }],
    ["maxArea negative", { maxArea: -1 }]
  ])("%s: 400", async (_, over) => {
    want(await create(draft(over)), 400)
  })
})

describe("GET /operator/organization (spec: organizations#operator-list)", () => {
  const list = (query = "") => get(operator, `/operator/organization${query}`)
  const numbersOf = async (organizationId: number) => {
    const page = want(await list(`?limit=1&after=${organizationId - 1}`), 200).json
    const [{ id, places, administrators, inside }] = page.organizations
    expect(id).toBe(organizationId)
    return { places, administrators, inside }
  }

  it("200 the organizations with their numbers, oldest first", async () => {
    const { id } = await organization()
    const hall = await place(id)
    expect(await numbersOf(id)).toEqual({ places: 1, administrators: 1, inside: 0 })
    await fixtures.bind(id, sojourn.administrator(unique("viewer")), "viewer")
    want(
      await post(owner, "/administrator/createadministrator", {
        organizationId: id,
        mail: `${unique("invited")}@example.test`,
        permission: 1
      }),
      201
    )
    want(await enter(phone, { kind: "organization", id }), 201)
    want(await enter(phone, { kind: "organization", id }), 201)
    want(await enter(phone, { kind: "place", id: hall.id }), 201)
    expect(await numbersOf(id)).toEqual({ places: 1, administrators: 3, inside: 2 })
    want(await put(owner, `/presence/organization/${id}/counted`, { counted: 5 }), 200)
    expect(await numbersOf(id)).toEqual({ places: 1, administrators: 3, inside: 7 })
    const [found] = want(await list(`?limit=1&after=${id - 1}`), 200).json.organizations
    const { places: _, administrators: __, inside: ___, ...fields } = found
    expect(fields).toEqual(want(await get(operator, `/operator/organization/${id}`), 200).json)
  })

  it("pages hold each organization once; `next` is there while there is more; 204 after the last", async () => {
    const made: Array<number> = []
    for (let i = 0; i < 5; i++) made.push((await organization()).id)
    const ids: Array<number> = []
    let after = `&after=${made[0]! - 1}`
    for (let pages = 0; after !== ""; pages++) {
      const { organizations, next } = want(await list(`?limit=2${after}`), 200).json
      expect(organizations.length).toBeLessThanOrEqual(2)
      ids.push(...organizations.map(({ id }: { readonly id: number }) => id))
      after = next === undefined ? "" : `&after=${next}`
      expect(pages).toBeLessThan(10)
    }
    expect(ids).toEqual(made)
    want(await list(`?after=${ids.at(-1)}`), 204)
    const all = want(await list(), 200).json.organizations
    expect(all.length).toBeLessThanOrEqual(100)
  })

  it.each([
    "limit=0",
    "limit=1001",
    "limit=-1",
    "limit=",
    "limit=1.5",
    "limit=x",
    "limit=1&limit=2",
    "after=",
    "after=x",
    "after=-1"
  ])("%s: 400", async (query) => {
    want(await list(`?${query}`), 400)
  })
})

describe("POST /operator/organization/{organizationId}/administrator (spec: accounts#operator-binding)", () => {
  const bind = (id: number, body: unknown) => post(operator, `/operator/organization/${id}/administrator`, body)
  const known = async () => {
    const administratorId = unique("rescuer")
    const mail = `${administratorId}@example.test`
    want(await register({ administratorId, mail }), 201)
    return { administratorId, mail }
  }

  it("201 Permission, nominated by the administrator themselves, by id, by mail address, and by both", async () => {
    const { id } = await organization()
    for (const nameOf of [
      ({ administratorId }: Awaited<ReturnType<typeof known>>) => ({ administratorId }),
      ({ mail }: Awaited<ReturnType<typeof known>>) => ({ mail: mail.toUpperCase(), administratorId: null }),
      (account: Awaited<ReturnType<typeof known>>) => account
    ]) {
      const account = await known()
      const made = want(await bind(id, { ...nameOf(account), permission: "owner" }), 201).json
      expect(made).toEqual({ ...account, organizationId: id, permission: 3, nominatedBy: account.administratorId })
      want(
        await get(sojourn.administrator(account.administratorId, account.mail), `/administrator/organization/${id}`),
        200
      )
      want(await bind(id, { ...nameOf(account), permission: 1 }), 400)
    }
  })

  it("is a way back for an organization whose owner is gone", async () => {
    const [gone, { administratorId, mail }] = [sojourn.administrator(unique("gone")), await known()]
    const { id } = await organization({ owner: { administratorId: gone.id, mail: gone.mail } })
    want(await bind(id, { mail, permission: 3 }), 201)
    const back = sojourn.administrator(administratorId, mail)
    want(await post(back, "/administrator/unbindadministrator", { organizationId: id, administratorId: gone.id }), 204)
  })

  it("404 an organization that does not exist, and an administrator whom nothing knows by the id or the address", async () => {
    const { id } = await organization()
    want(await bind(NOWHERE, { ...(await known()), permission: 1 }), 404)
    want(await bind(id, { administratorId: unique("stranger"), permission: 1 }), 404)
    want(await bind(id, { mail: `${unique("stranger")}@example.test`, permission: 1 }), 404)
    // An address that an owner wrote down beside an id.
    const administratorId = unique("written")
    const written = { organizationId: id, administratorId, mail: `${administratorId}@example.test`, permission: 1 }
    want(await post(owner, "/administrator/createadministrator", written), 201)
    want(await bind((await organization()).id, { mail: written.mail, permission: 1 }), 404)
  })

  it.each([
    ["neither an id nor an address", { permission: 1 }],
    ["both null", { administratorId: null, mail: null, permission: 1 }],
    ["no permission", { administratorId: "x" }],
    ["an unknown permission", { administratorId: "x", permission: 4 }],
    ["a malformed address", { mail: "x", permission: 1 }]
  ])("400 for %s", async (_, body) => {
    want(await bind((await organization()).id, body), 400)
  })

  it("400 an id and an address of different administrators", async () => {
    const [{ administratorId }, { mail }] = [await known(), await known()]
    want(await bind((await organization()).id, { administratorId, mail, permission: 1 }), 400)
  })
})

describe("PUT /operator/organization/{organizationId}/constraint (spec: organizations#operator-constraint)", () => {
  it("200 {organizationId, maxArea?}; null removes the constraint", async () => {
    const { id } = await organization()
    expect(want(await constrain(id, { maxArea: 1e12 }), 200).json).toEqual({ organizationId: id, maxArea: 1e12 })
    expect(want(await constrain(id, { maxArea: null }), 200).json).toEqual({ organizationId: id })
    expect(want(await constrain(id, { maxArea: 123456789012.5 }), 200).json.maxArea).toBe(123456789012.5)
  })

  it.each([
    ["left out", {}],
    ["text", { maxArea: "5" }],
    ["true", { maxArea: true }],
    ["0", { maxArea: 0 }],
    ["negative", { maxArea: -5 }],
    ["in a list", [5]]
  ])("maxArea %s: 400", async (_, body) => {
    want(await constrain((await organization()).id, body), 400)
    want(await constrain(NOWHERE, body), 400)
  })

  it("a number that overflows to infinity: 400", async () => {
    const { id } = await organization()
    want(await call(operator, "PUT", `/operator/organization/${id}/constraint`, { json: '{"maxArea":1e999}' }), 400)
  })

  it("400 an existing area is larger, and the constraint is unchanged", async () => {
    const { id } = await organization()
    want(await constrain(id, { maxArea: 1000 }), 400)
    want(await put(owner, "/organization", { id, trackingArea: rectangle(11, 45, 12, 46.5) }), 200)
  })
})

describe("POST /operator/administrator (spec: accounts#registered-account)", () => {
  it("201 the account; 400 an account with this id or mail exists", async () => {
    const administratorId = unique("account")
    const mail = `${administratorId}@Example.test`
    expect(want(await register({ administratorId, mail }), 201).json).toEqual({ administratorId, mail })
    want(await register({ administratorId, mail }), 400)
    want(await register({ administratorId, mail: "other@example.test" }), 400)
    want(await register({ administratorId: unique("account"), mail }), 400)
    want(await register({ administratorId: unique("account"), mail: mail.toUpperCase() }), 400)
  })

  it.each([
    ["no id", { mail: "a@example.test" }],
    ["id null", { administratorId: null, mail: "a@example.test" }],
    ["an empty id", { administratorId: "", mail: "a@example.test" }],
    ["an id of 257 characters", { administratorId: "x".repeat(257), mail: "a@example.test" }],
    ["a numeric id", { administratorId: 5, mail: "a@example.test" }],
    ["an id with a NUL", { administratorId: "a\u0000", mail: "a@example.test" }],
    ["no mail", { administratorId: "nobody" }],
    ["mail null", { administratorId: "nobody", mail: null }],
    ["mail without @", { administratorId: "nobody", mail: "example.test" }],
    ["a numeric mail", { administratorId: "nobody", mail: 5 }]
  ])("%s: 400", async (_, body) => {
    want(await register(body), 400)
  })
})

describe("deletion requests (spec: organizations#deletion-requests)", () => {
  const wish = async (over: object = {}) => {
    const o = await organization()
    return { o, request: await fixtures.requestDeletion(o.id, owner, over) }
  }

  it("are read by owners while they are pending, and the organization by operators", async () => {
    const o = await organization()
    const path = `/organization/${o.id}/deletionrequest`
    want(await get(owner, path), 204)
    const request = await fixtures.requestDeletion(o.id, owner, { requestReason: "we close" })
    expect(want(await get(owner, path), 200).json).toEqual(request)
    expect(want(await get(operator, `/operator/organization/${o.id}`), 200).json).toEqual(o)
    want(await decide(request.id, "reject"), 204)
    want(await get(owner, path), 204)
    await fixtures.requestDeletion(o.id, owner)
    want(await get(owner, path), 200)
  })

  it("are listed with request and decision", async () => {
    const { o, request } = await wish({ requestReason: "we close" })
    expect(request).toEqual({
      id: request.id,
      organizationId: o.id,
      administratorId: owner.id,
      requestReason: "we close",
      status: "pending",
      creationDate: request.creationDate
    })
    want(await decide(request.id, "reject"), 204)
    const decided = want(await requests("rejected"), 200).json.find((one: any) => one.id === request.id)
    expect(decided).toEqual({
      ...request,
      status: "rejected",
      decisionDate: decided.decisionDate,
      decidedBy: operator.id
    })
  })

  it("are listed oldest first, all of them or by status", async () => {
    const [one, two, three] = [await wish(), await wish(), await wish()]
    want(await decide(two.request.id, "reject"), 204)
    const ids = (answer: { readonly json: any }) => answer.json.map((request: any) => request.id)
    const listed = want(await requests(), 200)
    const times = listed.json.map((request: any) => request.creationDate)
    expect(times).toEqual([...times].sort())
    expect(ids(listed)).toEqual(expect.arrayContaining([one.request.id, two.request.id, three.request.id]))
    expect(ids(want(await requests("pending"), 200))).not.toContain(two.request.id)
    expect(ids(want(await requests("rejected"), 200))).toContain(two.request.id)
  })

  it.each(["Pending", "open", "", "pending,rejected", "1", "pending%20"])("status=%s: 400", async (status) => {
    want(await requests(status), 400)
  })

  it("are decided once; a second decision is 409", async () => {
    const [one, two] = [await wish(), await wish()]
    want(await decide(one.request.id, "approve"), 204)
    want(await decide(two.request.id, "reject"), 204)
    for (const { request } of [one, two]) {
      expect(want(await decide(request.id, "approve"), 409).text).toBe("")
      want(await decide(request.id, "reject"), 409)
    }
  })

  it("an approval or a rejection ignores its body", async () => {
    const { request } = await wish()
    const path = `/operator/deletionrequest/${request.id}/reject`
    want(await call(operator, "POST", path, { body: "{nonsense", type: "text/plain" }), 204)
    want(await call(operator, "POST", path, { json: {} }), 409)
  })

  it("approval deletes the organization with its data; the tokens of its stays are then unknown", async () => {
    const { o, request } = await wish()
    const made = await place(o.id)
    const where = { kind: "organization" as const, id: o.id, organizationId: o.id }
    const inPlace = { kind: "place" as const, id: made.id, organizationId: o.id }
    const done = await stay(phone, where)
    const open = want(await enter(phone, inPlace, { timestamp: at(-60) }), 201).json.exitToken
    const { musterId } = want(await post(owner, `/muster/organization/${o.id}`, { kind: "drill" }), 201).json
    const hook = { url: "https://hooks.example.org/" }
    const { webhookId } = want(await post(owner, `/webhook/organization/${o.id}`, hook), 201).json
    want(await decide(request.id, "approve"), 204)

    want(await get(phone, `/organization/${o.id}`), 404)
    want(await get(owner, `/organization/${o.id}`), 404)
    want(await put(owner, "/organization", { id: o.id, description: "x" }), 404)
    want(await call(owner, "PATCH", `/organization/${o.id}/trackingArea`, { form: { trackingArea: GROUNDS } }), 404)
    want(await post(owner, "/organization/requestdeletion", { organizationId: o.id }), 404)
    want(await get(owner, `/administrator/organization/${o.id}`), 404)
    want(await get(owner, `/presence/organization/${o.id}/counter`), 404)
    want(await get(owner, `/presence/place/${made.id}/counter`), 404)
    want(await get(owner, `/report/place/${made.id}`), 404)
    want(await get(owner, `/muster/${musterId}`), 404)
    want(await get(owner, `/muster/organization/${o.id}`), 404)
    want(await get(owner, `/webhook/organization/${o.id}`), 404)
    want(await post(owner, `/webhook/${webhookId}/enable`, undefined), 404)
    want(await fixtures.remove(owner, `/webhook/${webhookId}`), 404)
    want(await fixtures.remove(owner, `/place/${made.id}`), 404)
    want(await get(phone, `/place/organization/${o.id}`), 204)
    want(await fixtures.anonymous(phone, where, done), 204)
    want(await fixtures.leave(phone, inPlace, open), 400)
    want(await fixtures.leave(phone, where, done), 400)
    want(await enter(phone, where), 400)
    want(await constrain(o.id, { maxArea: null }), 404)
    const own = await get(owner, `/administrator/permission/${owner.id}`)
    expect((own.json ?? []).map((permission: any) => permission.organizationId)).not.toContain(o.id)
    const everything = await get(phone, "/organization")
    expect((everything.json ?? []).map((one: any) => one.id)).not.toContain(o.id)
    const approved = want(await requests("approved"), 200).json.find((one: any) => one.id === request.id)
    expect(approved).toMatchObject({ organizationId: o.id, status: "approved", decidedBy: operator.id })
    // The name can be used again; the id is never reused.
    expect(want(await create(draft({ name: o.name })), 201).json.id).not.toBe(o.id)
  })
})
