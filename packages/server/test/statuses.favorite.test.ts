/** Favorites over HTTP. */
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { organization, authenticated, post, get, linked } = fixtures

const someone = () => sojourn.user(unique("someone"))
const add = (who: Parameters<typeof post>[0], body: unknown) => post(who, "/favorite/addfavorite", body)
const drop = (who: Parameters<typeof post>[0], body: unknown) => post(who, "/favorite/removefavorite", body)
const favorites = (who: ReturnType<typeof someone>, of = who.id) => get(who, `/favorite/${encodeURIComponent(of)}`)

describe("POST /favorite/addfavorite (spec: organizations#favorite-once)", () => {
  it("201 the added favorite, including the organization", async () => {
    const [user, o] = [someone(), await organization()]
    const before = Date.now()
    const favorite = want(await add(user, { organizationId: o.id }), 201).json
    expect(favorite).toEqual({
      userId: user.id,
      organizationId: o.id,
      creationDate: favorite.creationDate,
      organization: want(await get(user, `/organization/${o.id}`), 200).json
    })
    expect(Math.abs(Date.parse(favorite.creationDate) - before)).toBeLessThan(10_000)
  })

  it("the user's own userId may be sent, and null counts as left out", async () => {
    const user = someone()
    want(await add(user, { userId: user.id, organizationId: (await organization()).id }), 201)
    const nulls = { userId: null, orgAuthServerId: null, organizationId: (await organization()).id }
    expect(want(await add(user, nulls), 201).json.userId).toBe(user.id)
  })

  it("the creationDate and the organization in the request are ignored", async () => {
    const [user, o] = [someone(), await organization()]
    const body = { organizationId: o.id, creationDate: "1999-01-01T00:00:00Z", organization: { id: 5 }, unknown: [1] }
    const favorite = want(await add(user, body), 201).json
    expect(favorite.creationDate).not.toContain("1999")
    expect(favorite.organization.id).toBe(o.id)
    expect(favorite).not.toHaveProperty("unknown")
  })

  it("the user already has the organization as a favorite: 400", async () => {
    const [user, o] = [someone(), await organization()]
    want(await add(user, { organizationId: o.id }), 201)
    expect(want(await add(user, { organizationId: o.id }), 400).text).toBe("")
    expect(want(await favorites(user), 200).json).toHaveLength(1)
  })

  it("unknown organization: 404, also with another user's userId", async () => {
    want(await add(someone(), { organizationId: NOWHERE }), 404)
    want(await add(someone(), { organizationId: NOWHERE, userId: "another" }), 404)
  })

  it("another user's `userId`: 403", async () => {
    const [user, o] = [someone(), await organization()]
    want(await add(user, { organizationId: o.id, userId: "another" }), 403)
    want(await add(user, { organizationId: o.id, userId: "" }), 403)
    want(await favorites(user), 204)
  })

  it("a user whose account is not linked to the organization's account: 403", async () => {
    const [user, o] = [someone(), await authenticated()]
    want(await add(user, { organizationId: o.id }), 403)
    want(await add(user, { organizationId: o.id, orgAuthServerId: "ada" }), 403)
    want(await favorites(user), 204)
  })

  it("a linked user: 201 with the orgAuthServerId", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    expect(want(await add(user, { organizationId: o.id }), 201).json.orgAuthServerId).toBe("ada")
  })

  it("an `orgAuthServerId` that is not the linked one: 403; the linked one: 201", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    want(await add(user, { organizationId: o.id, orgAuthServerId: "alan" }), 403)
    want(await add(user, { organizationId: o.id, orgAuthServerId: "" }), 403)
    expect(want(await add(user, { organizationId: o.id, orgAuthServerId: "ada" }), 201).json.orgAuthServerId).toBe(
      "ada"
    )
  })

  it("`orgAuthServerId` sent to an anonymous organization is ignored and never stored", async () => {
    const [user, o] = [someone(), await organization()]
    expect(want(await add(user, { organizationId: o.id, orgAuthServerId: "ada" }), 201).json).not.toHaveProperty(
      "orgAuthServerId"
    )
  })
})

describe("GET /favorite/{userId} (spec: organizations#favorite-lifetime)", () => {
  it("lists Organizations as GET /organization/{id} answers them; 204 when the list is empty", async () => {
    const user = someone()
    want(await favorites(user), 204)
    const [one, two] = [await organization(), await organization({ description: "the second" })]
    for (const { id } of [two, one]) want(await add(user, { organizationId: id }), 201)
    const list = want(await favorites(user), 200).json
    expect(list).toHaveLength(2)
    for (const o of [one, two]) expect(list).toContainEqual(want(await get(user, `/organization/${o.id}`), 200).json)
  })

  it("the supplied userId is incorrect: 400", async () => {
    const user = someone()
    want(await favorites(user, "another"), 400)
    want(await favorites(user, `${user.id}x`), 400)
    want(await favorites(user, user.id.toUpperCase()), 400)
    want(await favorites(user, "a\u0000b"), 400)
  })

  it.each(["auth0|42", "a/b", "ä ö", "50%", "a,b", "a?b#c", "..", "😀", "a%2Fb", "x".repeat(256)])(
    "the id in the path is percent-decoded: %s",
    async (id) => {
      const user = sojourn.user(id)
      want(await favorites(user), 204)
      want(await add(user, { organizationId: (await organization()).id, userId: id }), 201)
      want(await favorites(user), 200)
    }
  )
})

describe("POST /favorite/removefavorite (spec: organizations#favorite-removed)", () => {
  it("205 Nothing, and the favorite is gone", async () => {
    const [user, o] = [someone(), await organization()]
    const favorite = want(await add(user, { organizationId: o.id }), 201).json
    expect(want(await drop(user, favorite), 205).text).toBe("")
    want(await favorites(user), 204)
  })

  it("not found on removal: 404", async () => {
    const [user, o] = [someone(), await organization()]
    want(await drop(user, { organizationId: o.id }), 404)
    want(await drop(user, { organizationId: NOWHERE }), 404)
    want(await add(user, { organizationId: o.id }), 201)
    want(await drop(user, { organizationId: o.id, userId: user.id }), 205)
    want(await drop(user, { organizationId: o.id }), 404)
  })

  it("another user's `userId`: 403, and that user's favorite remains", async () => {
    const [user, o] = [someone(), await organization()]
    want(await add(user, { organizationId: o.id }), 201)
    want(await drop(someone(), { organizationId: o.id, userId: user.id }), 403)
    want(await favorites(user), 200)
  })
})
