import { describe, expect, it } from "vitest"
import { DEMO_SERVER } from "../src/demo/people.ts"
import { GROUNDS, makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, authenticated, post, put, get, linked } = fixtures

const someone = () => sojourn.user(unique("someone"))
const add = (who: Parameters<typeof post>[0], body: unknown) => post(who, "/favorite/addfavorite", body)
const drop = (who: Parameters<typeof post>[0], body: unknown) => post(who, "/favorite/removefavorite", body)
const favorites = (who: ReturnType<typeof someone>, of = who.id) => get(who, `/favorite/${encodeURIComponent(of)}`)

describe("POST /favorite/addfavorite (interface, section 4.5)", () => {
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

  it("administrators and operators: 403", async () => {
    const o = await organization()
    for (const who of [owner, operator]) want(await add(who, { organizationId: o.id }), 403)
  })

  it.each([
    ["no organizationId", {}],
    ["organizationId null", { organizationId: null }],
    ["a textual organizationId", { organizationId: "1" }],
    ["organizationId 0", { organizationId: 0 }],
    ["organizationId 2^53", { organizationId: 2 ** 53 }],
    ["a userId that is no text", { organizationId: NOWHERE, userId: 5 }],
    ["an orgAuthServerId that is no text", { organizationId: NOWHERE, orgAuthServerId: {} }],
    ["a NUL", { organizationId: NOWHERE, userId: "a\u0000" }],
    ["a lone surrogate", { organizationId: NOWHERE, orgAuthServerId: "\udc00" }],
    ["a list", [1]]
  ])("%s: 400, by add and by remove", async (_, body) => {
    want(await add(someone(), body), 400)
    want(await drop(someone(), body), 400)
  })

  it("of two concurrent requests exactly one is 201", async () => {
    const [user, o] = [someone(), await organization()]
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(user, { organizationId: o.id })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9)
  })
})

describe("GET /favorite/{userId} (interface, section 4.5)", () => {
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

  it("administrators and operators: 403, also with their own id", async () => {
    for (const who of [owner, operator]) want(await favorites(who), 403)
  })

  it("lists them in the order in which they were added, also when their areas fill many database pages", async () => {
    const user = someone()
    const trackingArea = GROUNDS + " ".repeat(100 * 1024)
    const organizations: Array<any> = []
    for (let n = 0; n < 7; n++) organizations.push(await organization({ trackingArea }))
    organizations.reverse()
    for (const { id } of organizations) want(await add(user, { organizationId: id }), 201)
    const ids = organizations.map(({ id }) => id)
    const long = want(await favorites(user), 200).json
    expect(long.map(({ id }: any) => id)).toEqual(ids)
    expect(long[3]).toEqual(want(await get(user, `/organization/${ids[3]}`), 200).json)
    want(await favorites(user, "another"), 400)
    want(await drop(user, { organizationId: ids[2] }), 205)
    want(await add(user, { organizationId: ids[2] }), 201)
    const again = want(await favorites(user), 200).json.map(({ id }: any) => id)
    expect(again).toEqual([...ids.filter((id) => id !== ids[2]), ids[2]])
  })

  it("shows the organization as it is now", async () => {
    const [user, o] = [someone(), await organization()]
    want(await add(user, { organizationId: o.id }), 201)
    const renamed = want(await put(owner, "/organization", { id: o.id, name: unique("renamed") }), 200).json
    expect(want(await favorites(user), 200).json).toEqual([renamed])
  })
})

describe("POST /favorite/removefavorite (interface, section 4.5)", () => {
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

  it("after removal it may be added again", async () => {
    const [user, o] = [someone(), await organization()]
    for (let i = 0; i < 2; i++) {
      want(await add(user, { organizationId: o.id }), 201)
      want(await drop(user, { organizationId: o.id }), 205)
    }
  })

  it("a user removes a favorite of an organization that they are not linked to any more", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    want(await add(user, { organizationId: o.id }), 201)
    want(await fixtures.unlink(user, o.id), 205)
    want(await favorites(user), 200)
    want(await drop(user, { organizationId: o.id }), 205)
  })

  it("administrators and operators: 403", async () => {
    for (const who of [owner, operator]) want(await drop(who, { organizationId: NOWHERE }), 403)
  })
})

describe("favorites (contract, small print)", () => {
  it("remain when the tracking mode changes", async () => {
    const [user, o] = [someone(), await organization()]
    want(await add(user, { organizationId: o.id }), 201)
    const change = { id: o.id, trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER }
    want(await put(owner, "/organization", change), 200)
    expect(want(await favorites(user), 200).json[0].trackingMode).toBe("authenticated")
    want(await drop(user, { organizationId: o.id }), 205)
    want(await add(user, { organizationId: o.id }), 403)
  })

  it("are deleted with their organization", async () => {
    const [user, o] = [someone(), await organization()]
    want(await add(user, { organizationId: o.id }), 201)
    want(await post(owner, "/organization/requestdeletion", { organizationId: o.id }), 204)
    const requests = want(await get(operator, "/operator/deletionrequest?status=pending"), 200).json
    const { id } = requests.find((request: any) => request.organizationId === o.id)
    want(await fixtures.call(operator, "POST", `/operator/deletionrequest/${id}/approve`), 204)
    want(await favorites(user), 204)
    want(await drop(user, { organizationId: o.id }), 404)
    want(await add(user, { organizationId: o.id }), 404)
  })

  it("of one user are not listed for another", async () => {
    const [one, two, o] = [someone(), someone(), await organization()]
    want(await add(one, { organizationId: o.id }), 201)
    want(await favorites(two), 204)
    want(await drop(two, { organizationId: o.id }), 404)
    want(await favorites(one), 200)
  })
})
