/** Links to persons of a directory, and what depends on them, over HTTP. */
import { describe, expect, it } from "vitest"
import { DEMO_PASSWORD, DEMO_SERVER } from "../src/demo/people.ts"
import { at, type Kind, makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, organization, authenticated, authenticatedPremises, post, get } = fixtures
const { link, unlink, linked, enter, leave, stay, inside } = fixtures

const someone = () => sojourn.user(unique("someone"))
const stranger = sojourn.administrator("a-stranger")
const UNREACHABLE = "ldaps://directory.invalid/dc=example?uid?sub"
const unreachable = () => organization({ authenticationServerURL: UNREACHABLE })

describe("POST /authenticationserver/link (spec: accounts#link-proof)", () => {
  it("201 {organizationId, orgAuthServerId}", async () => {
    const o = await authenticated()
    expect(want(await link(someone(), o.id, "ada"), 201).json).toEqual({ organizationId: o.id, orgAuthServerId: "ada" })
  })

  it("works for an anonymous organization that has an authentication server", async () => {
    const o = await organization({ authenticationServerURL: DEMO_SERVER })
    want(await link(someone(), o.id, "ada"), 201)
  })

  it("a person who is linked to one user can be linked to another only after an unlink (403)", async () => {
    const o = await authenticated()
    const [first, second] = [await linked(o.id, "ada"), someone()]
    want(await link(second, o.id, "ada"), 403)
    want(await unlink(first, o.id), 205)
    want(await link(second, o.id, "ada"), 201)
    want(await link(first, o.id, "ada"), 403)
  })

  it.each([
    ["a wrong password", "ada", "wrong"],
    ["an unknown username", "nobody", DEMO_PASSWORD],
    ["an empty password", "ada", ""]
  ])("%s: 403 refused", async (_, username, password) => {
    want(await link(someone(), (await authenticated()).id, username, password), 403)
  })

  it("no authentication server: 400", async () => {
    want(await link(someone(), (await organization()).id, "ada"), 400)
  })
})

describe("DELETE /authenticationserver/link/{organizationId} (spec: accounts#link-exists)", () => {
  it("205 Nothing; the second time 404", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    expect(want(await unlink(user, o.id), 205).text).toBe("")
    want(await unlink(user, o.id), 404)
  })
})

describe.each(["organization", "place"] as const)(
  "movements of people known to the organization, at one %s",
  (kind: Kind) => {
    const scene = async (person = "ada") => {
      const where = await authenticatedPremises(kind)
      return { where, user: await linked(where.organizationId, person) }
    }

    it("the answer to an entrance contains the caller's linked person", async () => {
      const { where, user } = await scene()
      const movement = want(await enter(user, where, { timestamp: at(-60) }), 201).json
      expect(movement).toEqual({
        movementType: 1,
        [`${kind}Id`]: where.id,
        timestamp: at(-60),
        exitToken: movement.exitToken,
        orgAuthServerId: "ada"
      })
      const exit = want(await leave(user, where, movement.exitToken, { timestamp: at(-30) }), 202).json
      expect(exit).toEqual({ ...movement, movementType: -1, timestamp: at(-30) })
    })

    it("a caller who is not linked: 403, and the counter is unchanged", async () => {
      const { where } = await scene()
      want(await enter(someone(), where), 403)
      want(await enter(someone(), where, { orgAuthServerId: "ada" }), 403)
      expect(await inside(where)).toBe(0)
    })

    it("another person's `orgAuthServerId`: 403; the caller's own: 201", async () => {
      const { where, user } = await scene()
      want(await enter(user, where, { orgAuthServerId: "alan" }), 403)
      expect(await inside(where)).toBe(0)
      const { exitToken } = want(await enter(user, where, { orgAuthServerId: "ada" }), 201).json
      want(await leave(user, where, exitToken, { orgAuthServerId: "alan" }), 403)
      expect(await inside(where)).toBe(1)
      want(await leave(user, where, exitToken, { orgAuthServerId: "ada" }), 202)
    })

    it("an exit with an unknown token: 403 with another person's `orgAuthServerId`, else 400", async () => {
      const { where, user } = await scene()
      want(await leave(user, where, "worthless", { orgAuthServerId: "alan" }), 403)
      want(await leave(user, where, "worthless", { orgAuthServerId: "ada" }), 400)
      want(await leave(user, where, "worthless"), 400)
      want(await leave(someone(), where, "worthless", { orgAuthServerId: "ada" }), 400)
    })
  }
)

describe("GET /report/place/{placeId} (spec: stays#report)", () => {
  const populated = async () => {
    const where = await authenticatedPremises("place")
    const viewer = await fixtures.bind(where.organizationId, sojourn.administrator(unique("viewer")), "viewer")
    return {
      where,
      viewer,
      ada: await linked(where.organizationId, "ada"),
      alan: await linked(where.organizationId, "alan")
    }
  }
  const report = (who: Parameters<typeof get>[0], id: number) => get(who, `/report/place/${id}`)

  it("200 the list, 204 when it is empty; a viewer may read it", async () => {
    const { where, viewer, ada, alan } = await populated()
    want(await report(viewer, where.id), 204)
    await stay(ada, where, -1000, -900)
    await stay(ada, where, -800, -750)
    await stay(alan, where, -500, -500)
    const expected = [
      { placeId: where.id, orgAuthServerId: "ada", totalTime: 150 },
      { placeId: where.id, orgAuthServerId: "alan", totalTime: 0 }
    ]
    for (const who of [viewer, owner]) {
      const list = want(await report(who, where.id), 200).json
      expect(list.sort((one: any, other: any) => (one.orgAuthServerId < other.orgAuthServerId ? -1 : 1))).toEqual(
        expected
      )
    }
  })
})

describe("POST /authenticationserver/userinformation (spec: accounts#authentication-servers)", () => {
  const ask = (
    who: Parameters<typeof post>[0],
    organizationId: unknown,
    orgAuthServerIds: unknown,
    over: object = {}
  ) =>
    post(who, "/authenticationserver/userinformation", {
      organizationId,
      organizationCredentials: { username: "ada", password: DEMO_PASSWORD },
      orgAuthServerIds,
      ...over
    })
  const credentials = (username: unknown, password: unknown) => ({ organizationCredentials: { username, password } })
  const ADA = { orgAuthServerId: "ada", name: "Ada", surname: "Lovelace" }
  const ALAN = { orgAuthServerId: "alan", name: "Alan", surname: "Turing" }

  it("200 {orgAuthServerId, name, surname} of each known person", async () => {
    const o = await authenticated()
    const list = want(await ask(owner, o.id, ["alan", "nobody", "ada"]), 200).json
    expect(list).toHaveLength(2)
    expect(list).toEqual(expect.arrayContaining([ADA, ALAN]))
  })

  it("204 none found", async () => {
    want(await ask(owner, (await authenticated()).id, ["nobody"]), 204)
  })

  it('["*"] alone returns every person that the credentials may read', async () => {
    const o = await authenticated()
    expect(want(await ask(owner, o.id, ["*"]), 200).json).toHaveLength(3)
    expect(want(await ask(owner, o.id, ["*", "ada"]), 200).json).toEqual([ADA])
  })

  it("400 the organization has no authentication server", async () => {
    want(await ask(owner, (await organization()).id, ["ada"]), 400)
  })

  it("403 not bound, also when there is no server", async () => {
    want(await ask(stranger, (await organization()).id, ["ada"]), 403)
  })

  it.each([
    ["a wrong password", "ada", "wrong"],
    ["an unknown username", "nobody", DEMO_PASSWORD]
  ])("403 the server refuses the credentials: %s", async (_, username, password) => {
    want(await ask(owner, (await authenticated()).id, ["ada"], credentials(username, password)), 403)
  })

  it("502 the server cannot be reached", async () => {
    want(await ask(owner, (await unreachable()).id, ["ada"]), 502)
  })

  it("1 to 100 ids are accepted, 0 and 101 are 400", async () => {
    const o = await authenticated()
    want(await ask(owner, o.id, []), 400)
    want(await ask(owner, o.id, ["ada", ...Array.from({ length: 99 }, (_, i) => `x${i}`)]), 200)
    want(await ask(owner, o.id, ["ada", ...Array.from({ length: 100 }, (_, i) => `x${i}`)]), 400)
    want(
      await ask(
        owner,
        o.id,
        Array.from({ length: 101 }, () => "ada")
      ),
      400
    )
  })

  it.each([
    ["organizationId left out", { organizationId: undefined }],
    ["organizationId null", { organizationId: null }],
    ["organizationId text", { organizationId: "1" }],
    ["organizationId 2^53", { organizationId: 2 ** 53 }],
    ["no credentials", { organizationCredentials: undefined }],
    ["credentials null", { organizationCredentials: null }],
    ["credentials that are text", { organizationCredentials: "ada:secret" }],
    ["no username", credentials(undefined, "x")],
    ["no password", credentials("ada", undefined)],
    ["a null password", credentials("ada", null)],
    ["a username that is no text", credentials(1, "x")],
    ["a password with a NUL", credentials("ada", "\u0000")],
    ["no ids", { orgAuthServerIds: undefined }],
    ["ids null", { orgAuthServerIds: null }],
    ["ids that are text", { orgAuthServerIds: "ada" }],
    ["an id that is no text", { orgAuthServerIds: ["ada", 5] }],
    ["an id that is null", { orgAuthServerIds: [null] }],
    ["an id with a NUL", { orgAuthServerIds: ["a\u0000"] }],
    ["an id with a lone surrogate", { orgAuthServerIds: ["\ud800"] }]
  ])("%s: 400", async (_, over) => {
    want(await ask(owner, NOWHERE, ["ada"], over), 400)
  })
})
