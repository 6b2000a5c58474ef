/** Ends of stays that no exit ended, and the organization's time zone, over HTTP. */
import { describe, expect, it } from "vitest"
import { at, makeFixtures, NOWHERE, square, unique, want } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, authenticated, place, bind, linked, enter, leave, inside, post, put, get } =
  fixtures

const stranger = sojourn.administrator(unique("stranger"))
const phone = sojourn.user(unique("phone"))

type Kind = "organization" | "place"

const end = (kind: Kind, id: number, json: unknown, who: Bearer = owner) => post(who, `/record/${kind}/${id}/end`, json)
const clear = (
  kind: Kind,
  id: number,
  json: unknown = kind === "place" ? {} : { places: false },
  who: Bearer = owner
) => post(who, `/record/${kind}/${id}/clear`, json)

/** An organization in which ada is in a hall, and ada and alan in the organization itself. */
const aSite = async () => {
  const { id } = await authenticated()
  const hall = await place(id)
  const whole = { kind: "organization", id } as const
  const inHall = { kind: "place", id: hall.id } as const
  const [ada, alan] = [await linked(id, "ada"), await linked(id, "alan")]
  const { exitToken } = want(await enter(ada, inHall, { timestamp: at(-600) }), 201).json
  want(await enter(ada, whole, { timestamp: at(-600) }), 201)
  want(await enter(alan, whole, { timestamp: at(-60) }), 201)
  return { id, hall: hall.id as number, whole, inHall, ada, alan, exitToken }
}

describe("POST /record/{organization|place}/{id}/end (spec: stays#end)", () => {
  it("200 how many stays ended: they are accesses, and their exit tokens are unknown", async () => {
    const { hall, inHall, ada, exitToken, whole } = await aSite()
    const exitTimestamp = at(-300)
    const people = { orgAuthServerIds: ["ada", "ada", "nobody"], exitTimestamp }
    expect(want(await end("place", hall, people), 200).json).toEqual({ ended: 1 })
    expect([await inside(inHall), await inside(whole)]).toEqual([0, 2])
    const [access] = want(await fixtures.ofPeople(owner, inHall, "ada"), 200).json
    expect(access).toMatchObject({ entranceTimestamp: at(-600), exitTimestamp, orgAuthServerId: "ada" })
    want(await leave(ada, inHall, exitToken), 400)
    want(await leave(ada, inHall, exitToken, { timestamp: exitTimestamp }), 400)
    expect(want(await end("place", hall, people), 200).json).toEqual({ ended: 0 })
    want(await enter(ada, inHall), 201)
  })

  it("200 of an organization alone, or with its places; an exit before an entrance leaves that stay alone", async () => {
    const { id, inHall, whole } = await aSite()
    const orgAuthServerIds = ["ada", "alan"]
    const early = { orgAuthServerIds, exitTimestamp: at(-300) }
    expect(want(await end("organization", id, early), 200).json).toEqual({ ended: 1 })
    expect([await inside(inHall), await inside(whole)]).toEqual([1, 1])
    expect(want(await end("organization", id, { orgAuthServerIds, places: true }), 200).json).toEqual({ ended: 2 })
    expect([await inside(inHall), await inside(whole)]).toEqual([0, 0])
  })

  it.each([
    ["nothing", {}],
    ["no ids", { orgAuthServerIds: [] }],
    ["1,001 ids", { orgAuthServerIds: Array.from({ length: 1_001 }, (_, n) => `person ${n}`) }],
    ["an empty id", { orgAuthServerIds: [""] }],
    ["ids as text", { orgAuthServerIds: "ada" }],
    ["a timestamp that is none", { orgAuthServerIds: ["ada"], exitTimestamp: "now" }],
    ["a timestamp over 5 minutes in the future", { orgAuthServerIds: ["ada"], exitTimestamp: at(400) }],
    ["a timestamp of more than 10 years ago", { orgAuthServerIds: ["ada"], exitTimestamp: at(-11 * 366 * 86_400) }]
  ])("%s: 400, and no stay ends", async (_, body) => {
    const { id, hall, inHall } = await aSite()
    want(await end("place", hall, body), 400)
    want(await end("organization", id, { ...body, places: true }), 400)
    expect(await inside(inHall)).toBe(1)
  })

  it("1,000 ids, a timestamp 4 minutes ahead, and null: 200", async () => {
    const { id, hall } = await aSite()
    const orgAuthServerIds = ["ada", ...Array.from({ length: 999 }, (_, n) => `person ${n}`)]
    const ahead = { orgAuthServerIds, exitTimestamp: at(240) }
    expect(want(await end("place", hall, ahead), 200).json).toEqual({ ended: 1 })
    const now = { orgAuthServerIds, exitTimestamp: null, places: null }
    expect(want(await end("organization", id, now), 200).json).toEqual({ ended: 1 })
  })

  it("400 where people are anonymous, 403 below manager, 404 where there is nothing", async () => {
    const people = { orgAuthServerIds: ["ada"] }
    const { id: anonymous } = await organization()
    want(await end("organization", anonymous, people), 400)
    want(await end("place", (await place(anonymous)).id, people), 400)
    want(await end("organization", anonymous, people, stranger), 403)
    const { id, hall } = await aSite()
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    const manager = await bind(id, sojourn.administrator(unique("manager")), "manager")
    for (const who of [viewer, stranger, phone, operator]) {
      want(await end("organization", id, people, who), 403)
      want(await end("place", hall, people, who), 403)
    }
    want(await end("organization", id, { ...people, exitTimestamp: at(400) }, viewer), 403)
    for (const kind of ["organization", "place"] as const) want(await end(kind, NOWHERE, people), 404)
    expect(want(await end("place", hall, people, manager), 200).json).toEqual({ ended: 1 })
  })
})

describe("POST /record/{organization|place}/{id}/clear (spec: stays#clear)", () => {
  it("200 how many stays ended and how many people were taken off, in any mode", async () => {
    const { id } = await organization()
    const { id: hall } = await place(id, square(0))
    const [whole, inHall] = [{ kind: "organization", id } as const, { kind: "place", id: hall } as const]
    const { exitToken } = want(await enter(phone, inHall), 201).json
    for (const where of [whole, inHall]) want(await enter(phone, where), 201)
    want(await put(owner, `/presence/place/${hall}/counted`, { counted: 4 }), 200)
    want(await put(owner, `/presence/organization/${id}/counted`, { counted: 5 }), 200)
    expect(want(await clear("place", hall), 200).json).toEqual({ ended: 2, counted: 4 })
    expect([await inside(whole), await inside(inHall)]).toEqual([6, 0])
    want(await leave(phone, inHall, exitToken), 400)
    expect(want(await fixtures.anonymous(phone, inHall, exitToken), 204).text).toBe("")
    want(await enter(phone, inHall), 201)
    expect(want(await clear("organization", id), 200).json).toEqual({ ended: 1, counted: 5 })
    expect(want(await clear("organization", id, { places: true }), 200).json).toEqual({ ended: 1, counted: 0 })
    expect([await inside(whole), await inside(inHall)]).toEqual([0, 0])
    const site = await aSite()
    expect(want(await clear("organization", site.id, { places: true }), 200).json).toEqual({ ended: 3, counted: 0 })
    want(await fixtures.ofPeople(owner, site.inHall, "ada"), 204)
  })

  it("400 without a decision on the places, 403 below manager, 404 where there is nothing", async () => {
    const { id, hall } = await aSite()
    for (const body of [{}, { places: null }, { places: "yes" }, []]) want(await clear("organization", id, body), 400)
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    for (const who of [viewer, stranger, phone, operator]) {
      want(await clear("organization", id, { places: true }, who), 403)
      want(await clear("place", hall, {}, who), 403)
    }
    for (const kind of ["organization", "place"] as const) want(await clear(kind, NOWHERE), 404)
    const manager = await bind(id, sojourn.administrator(unique("manager")), "manager")
    expect(want(await clear("place", hall, undefined, manager), 200).json).toEqual({ ended: 1, counted: 0 })
  })
})

describe("the policy staysEndAt (spec: policies#once-a-day)", () => {
  const policy = (id: number, change: object) => put(operator, `/operator/organization/${id}/policy`, change)

  it("is answered where it was set", async () => {
    const { id: organizationId } = await organization()
    expect(want(await policy(organizationId, { staysEndAt: "03:00" }), 200).json).toEqual({
      organizationId,
      staysEndAt: "03:00"
    })
    expect(want(await policy(organizationId, { staysEndAt: null }), 200).json).toEqual({ organizationId })
    for (const staysEndAt of ["3:00", "24:00", "03:60", "03:00:00", 3, ""]) {
      want(await policy(organizationId, { staysEndAt }), 400)
    }
  })
})

describe("the time zone of an organization (spec: policies#time-zone)", () => {
  const policy = (id: number, timeZone: string | null) =>
    put(operator, `/operator/organization/${id}/policy`, { timeZone })

  it("is answered by each list where the policy sets it, and no change of the organization changes it", async () => {
    const founder = sojourn.administrator(unique("founder"), `${unique("founder")}@example.test`)
    const { id } = await organization({ owner: { administratorId: founder.id, mail: founder.mail } })
    want(await post(phone, "/favorite/addfavorite", { organizationId: id }), 201)
    const answers = async () => {
      const listed = want(await get(phone, "/organization"), 200).json
      const favorites = want(await get(phone, `/favorite/${phone.id}`), 200).json
      return [
        want(await get(founder, `/organization/${id}`), 200).json,
        want(await get(operator, `/operator/organization/${id}`), 200).json,
        want(await put(founder, "/organization", { id, description: unique("text"), timeZone: "Asia/Tokyo" }), 200)
          .json,
        listed.find((one: any) => one.id === id),
        favorites.find((one: any) => one.id === id)
      ]
    }
    for (const answer of await answers()) expect(answer).not.toHaveProperty("timeZone")
    want(await policy(id, "Europe/Rome"), 200)
    for (const answer of await answers()) expect(answer).toMatchObject({ id, timeZone: "Europe/Rome" })
    want(await policy(id, null), 200)
    for (const answer of await answers()) expect(answer).not.toHaveProperty("timeZone")
  })

  it("is that of its history where the query says `organization`", async () => {
    const { id } = await organization()
    const { id: hall } = await place(id)
    for (const path of [`/presence/organization/${id}/history`, `/presence/place/${hall}/history`]) {
      const days = async (timeZone: string) => {
        const query = new URLSearchParams({ step: "day", from: at(-3_600), to: at(1), timeZone })
        return want(await get(owner, `${path}?${query}`), 200).json.map(({ from }: any) => from.slice(11))
      }
      want(await policy(id, "Asia/Kolkata"), 200)
      expect(new Set(await days("organization"))).toEqual(new Set(["18:30:00.000Z"]))
      expect(new Set(await days("Asia/Kathmandu"))).toEqual(new Set(["18:15:00.000Z"]))
      expect(new Set(await days("UTC"))).toEqual(new Set(["00:00:00.000Z"]))
      want(await policy(id, null), 200)
      expect(await days("organization")).toEqual(await days("UTC"))
    }
  })

  it.each(["Mars/Olympus", "", "+01:00", "Organization"])("a history of %j: 400", async (timeZone) => {
    const { id } = await organization()
    const query = new URLSearchParams({ step: "day", from: at(-1), to: at(1), timeZone })
    want(await get(owner, `/presence/organization/${id}/history?${query}`), 400)
  })

  it("has as many steps of a history as UTC, whatever is asked for", async () => {
    const { id } = await organization()
    const ask = (query: object) =>
      get(owner, `/presence/organization/${id}/history?${new URLSearchParams({ timeZone: "Europe/Rome", ...query })}`)
    want(await ask({ step: "day", from: "2020-01-01T00:00:00Z", to: "2024-02-10T00:00:00Z" }), 400)
    want(await ask({ step: "day", from: "0000-01-01T00:00:00Z", to: "9999-12-31T23:59:59.999Z" }), 400)
    want(await ask({ step: "hour", from: "9999-12-31T22:00:00Z", to: "9999-12-31T23:59:59.999Z" }), 204)
    want(await ask({ step: "day", from: "0000-01-01T00:00:00Z", to: "0000-01-02T00:00:00Z" }), 204)
    const path = `/presence/organization/${NOWHERE}/history?step=day&from=${at(-1)}&to=${at(1)}&timeZone=organization`
    want(await get(owner, path), 404)
  })
})
