/** Entrances that end other stays, over HTTP: `leaves`, and exclusive places. */
import { describe, expect, it } from "vitest"
import { DEMO_SERVER } from "../src/demo/people.ts"
import { makeFixtures, square, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, place, post, put, get } = fixtures

const phone = sojourn.user("phone")
const T = (minutes: number) => new Date(Date.parse("2026-03-01T08:00:00Z") + minutes * 60_000).toISOString()

const anAnonymous = async () => {
  const { id: organizationId } = await organization()
  const places = [await place(organizationId, square(0)), await place(organizationId, square(1))]
  return { organizationId, one: places[0].id as number, two: places[1].id as number }
}
const anAuthenticated = async () => {
  const { id: organizationId } = await organization({
    trackingMode: "authenticated",
    authenticationServerURL: DEMO_SERVER
  })
  const person = await fixtures.linked(organizationId, "ada", sojourn.user(unique("moving")))
  const building = await place(organizationId, square(0))
  const room = await place(organizationId, square(0), { parentId: building.id })
  const other = await place(organizationId, square(1))
  return { organizationId, person, building: building.id as number, room: room.id as number, other: other.id as number }
}
const enter = (who: any, placeId: number, timestamp: string, more: object = {}, headers = {}) =>
  fixtures.call(who, "POST", "/movement/track/place", {
    json: { placeId, movementType: "entrance", timestamp, ...more },
    headers
  })
const enterWhole = (who: any, organizationId: number, timestamp: string, more: object = {}) =>
  post(who, "/movement/track/organization", { organizationId, movementType: "entrance", timestamp, ...more })
const tokenOf = async (answer: ReturnType<typeof post>) => want(await answer, 201).json.exitToken as string
const inside = async (placeId: number) => want(await get(owner, `/presence/place/${placeId}/counter`), 200).json.counter
const accesses = async (placeId: number, token: string) =>
  (await get(phone, `/access/place/${placeId}/anonymous/${token}`)).json

describe("`leaves` of an entrance (spec: stays#leaves)", () => {
  it("ends the stays of the tokens at the entrance's timestamp, and answers as before", async () => {
    const { organizationId, one, two } = await anAnonymous()
    const first = await tokenOf(enter(phone, one, T(0)))
    const whole = await tokenOf(enterWhole(phone, organizationId, T(0)))
    const moved = want(await enter(phone, two, T(30), { leaves: [first, whole] }), 201).json
    expect(moved).toEqual({ movementType: 1, placeId: two, timestamp: T(30), exitToken: expect.any(String) })
    expect([await inside(one), await inside(two)]).toEqual([0, 1])
    expect(await accesses(one, first)).toMatchObject([{ entranceTimestamp: T(0), exitTimestamp: T(30) }])
    const leave = { organizationId, movementType: "exit", exitToken: whole, timestamp: T(40) }
    want(await post(phone, "/movement/track/organization", leave), 400)
  })

  it("a token that ends nothing: 400, and nothing happens", async () => {
    const { one, two } = await anAnonymous()
    const elsewhere = await anAnonymous()
    const good = await tokenOf(enter(phone, one, T(0)))
    const foreign = await tokenOf(enter(phone, elsewhere.one, T(0)))
    const ended = await tokenOf(enter(phone, one, T(0)))
    want(await post(phone, "/movement/track/place", { placeId: one, movementType: "exit", exitToken: ended }), 202)
    const later = await tokenOf(enter(phone, one, T(60)))
    for (const leaves of [
      [good, "x"],
      [good, ended],
      [good, foreign],
      [good, good],
      [good, `${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}`],
      [good, later]
    ]) {
      want(await enter(phone, two, T(30), { leaves }), 400)
    }
    for (const leaves of [[], Array.from({ length: 9 }, () => good), "x", [1]]) {
      want(await enter(phone, two, T(30), { leaves }), 400)
    }
    expect([await inside(one), await inside(two)]).toEqual([2, 0])
  })

  it("an entrance that is refused ends nothing", async () => {
    const { one, two } = await anAnonymous()
    const token = await tokenOf(enter(phone, one, T(0)))
    want(await enter(phone, two, "2999-01-01T00:00:00Z", { leaves: [token] }), 400)
    expect(await inside(one)).toBe(1)
  })

  it("is ignored in an exit", async () => {
    const { one, two } = await anAnonymous()
    const [first, second] = [await tokenOf(enter(phone, one, T(0))), await tokenOf(enter(phone, two, T(0)))]
    const exit = { placeId: one, movementType: "exit", exitToken: first, leaves: [second] }
    want(await post(phone, "/movement/track/place", exit), 202)
    expect([await inside(one), await inside(two)]).toEqual([0, 1])
  })

  it("sent again with its Idempotency-Key it is answered again", async () => {
    const { one, two } = await anAnonymous()
    const token = await tokenOf(enter(phone, one, T(0)))
    const headers = { "idempotency-key": unique("key") }
    const moved = want(await enter(phone, two, T(30), { leaves: [token] }, headers), 201).json
    expect(want(await enter(phone, two, T(30), { leaves: [token] }, headers), 201).json).toEqual(moved)
    expect([await inside(one), await inside(two)]).toEqual([0, 1])
  })

  it("in an authenticated organization a token of another person ends nothing", async () => {
    const { organizationId, person, building, other } = await anAuthenticated()
    const somebody = await fixtures.linked(organizationId, "alan", sojourn.user(unique("moving")))
    const theirs = await tokenOf(enter(somebody, building, T(0)))
    const own = await tokenOf(enter(person, building, T(0)))
    want(await enter(person, other, T(30), { leaves: [own, theirs] }), 400)
    expect(await inside(building)).toBe(2)
    want(await enter(person, other, T(30), { leaves: [own] }), 201)
    expect([await inside(building), await inside(other)]).toEqual([1, 1])
  })
})

describe("`exclusivePlaces` (spec: stays#exclusive)", () => {
  const makeExclusive = async (id: number, exclusivePlaces: boolean | null = true) =>
    want(await put(operator, `/operator/organization/${id}/policy`, { exclusivePlaces }), 200).json

  it("an entrance into a place ends the person's stays in other places, but its ancestors", async () => {
    const { organizationId, person, building, room, other } = await anAuthenticated()
    expect(await makeExclusive(organizationId)).toEqual({ organizationId, exclusivePlaces: true })
    want(await enterWhole(person, organizationId, T(0)), 201)
    want(await enter(person, building, T(0)), 201)
    want(await enter(person, room, T(10)), 201)
    expect([await inside(building), await inside(room)]).toEqual([1, 1])
    want(await enter(person, other, T(20)), 201)
    expect([await inside(building), await inside(room), await inside(other)]).toEqual([0, 0, 1])
    const listed = want(await get(owner, `/access/place/${building}/authenticated/ada`), 200).json
    expect(listed).toMatchObject([{ entranceTimestamp: T(0), exitTimestamp: T(20) }])
    const counter = want(await get(owner, `/presence/organization/${organizationId}/counter`), 200).json.counter
    expect(counter).toBe(1)
  })

  it("a stay that began after the entrance ends at its own beginning", async () => {
    const { organizationId, person, building, other } = await anAuthenticated()
    await makeExclusive(organizationId)
    want(await enter(person, building, T(60)), 201)
    want(await enter(person, other, T(30)), 201)
    const listed = want(await get(owner, `/access/place/${building}/authenticated/ada`), 200).json
    expect(listed).toMatchObject([{ entranceTimestamp: T(60), exitTimestamp: T(60) }])
  })

  it("leaves others alone: other people, anonymous organizations, and all once it is lifted", async () => {
    const { organizationId, person, building, other } = await anAuthenticated()
    const somebody = await fixtures.linked(organizationId, "alan", sojourn.user(unique("moving")))
    await makeExclusive(organizationId)
    want(await enter(somebody, building, T(0)), 201)
    want(await enter(person, building, T(0)), 201)
    want(await enter(person, other, T(10)), 201)
    expect([await inside(building), await inside(other)]).toEqual([1, 1])
    await makeExclusive(organizationId, null)
    want(await enter(somebody, other, T(20)), 201)
    expect([await inside(building), await inside(other)]).toEqual([1, 2])
    const anonymous = await anAnonymous()
    await makeExclusive(anonymous.organizationId)
    want(await enter(phone, anonymous.one, T(0)), 201)
    want(await enter(phone, anonymous.two, T(1)), 201)
    expect([await inside(anonymous.one), await inside(anonymous.two)]).toEqual([1, 1])
  })

  it("an entrance that its Idempotency-Key repeats ends nothing", async () => {
    const { organizationId, person, building, other } = await anAuthenticated()
    await makeExclusive(organizationId)
    const headers = { "idempotency-key": unique("key") }
    const first = want(await enter(person, building, T(0), {}, headers), 201).json
    want(await enter(person, other, T(10)), 201)
    expect(want(await enter(person, building, T(0), {}, headers), 201).json).toEqual(first)
    expect([await inside(building), await inside(other)]).toEqual([0, 1])
  })
})
