import { describe, expect, it } from "vitest"
import { DEMO_PASSWORD, DEMO_SERVER } from "../src/demo/people.ts"
import { at, type Kind, LEVEL, makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, authenticated, authenticatedPremises, post, put, get, remove } = fixtures
const { link, unlink, linked, enter, leave, stay, inside, anonymous, ofPeople } = fixtures

const someone = () => sojourn.user(unique("someone"))
const stranger = sojourn.administrator("a-stranger")
const UNREACHABLE = "ldaps://directory.invalid/dc=example?uid?sub"
const unreachable = () => organization({ authenticationServerURL: UNREACHABLE })
const sendLink = (who: Parameters<typeof post>[0], body: unknown) => post(who, "/authenticationserver/link", body)

describe("POST /authenticationserver/link (contract, section 8)", () => {
  it("201 {organizationId, orgAuthServerId}", async () => {
    const o = await authenticated()
    expect(want(await link(someone(), o.id, "ada"), 201).json).toEqual({ organizationId: o.id, orgAuthServerId: "ada" })
  })

  it("works for an anonymous organization that has an authentication server", async () => {
    const o = await organization({ authenticationServerURL: DEMO_SERVER })
    want(await link(someone(), o.id, "ada"), 201)
  })

  it("linking the same person again: 201", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    want(await link(user, o.id, "ada"), 201)
  })

  it("linking another person replaces the link, and another user can link the former person", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    expect(want(await link(user, o.id, "alan"), 201).json.orgAuthServerId).toBe("alan")
    await linked(o.id, "ada")
    want(await link(someone(), o.id, "alan"), 403)
  })

  it("a person who is linked to one user can be linked to another only after an unlink (403)", async () => {
    const o = await authenticated()
    const [first, second] = [await linked(o.id, "ada"), someone()]
    want(await link(second, o.id, "ada"), 403)
    want(await unlink(first, o.id), 205)
    want(await link(second, o.id, "ada"), 201)
    want(await link(first, o.id, "ada"), 403)
  })

  it("a refused link leaves the existing link unchanged", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    await linked(o.id, "alan")
    want(await link(user, o.id, "alan"), 403)
    want(await link(user, o.id, "grace", "wrong"), 403)
    want(await ofPeople(user, { kind: "organization", id: o.id }, "ada"), 204)
  })

  it("links are per organization", async () => {
    const [one, other] = [await authenticated(), await authenticated()]
    const user = await linked(one.id, "ada")
    want(await link(someone(), other.id, "ada"), 201)
    want(await enter(user, { kind: "organization", id: other.id }), 403)
    want(await link(user, other.id, "alan"), 201)
    want(await ofPeople(user, { kind: "organization", id: one.id }, "ada"), 204)
  })

  it.each([
    ["a wrong password", "ada", "wrong"],
    ["an unknown username", "nobody", DEMO_PASSWORD],
    ["an empty password", "ada", ""],
    ["an empty username", "", DEMO_PASSWORD],
    ["another case", "ADA", DEMO_PASSWORD],
    ["a filter", "*", DEMO_PASSWORD],
    ["a blank behind", "ada ", DEMO_PASSWORD]
  ])("%s: 403 refused", async (_, username, password) => {
    want(await link(someone(), (await authenticated()).id, username, password), 403)
  })

  it("no authentication server: 400", async () => {
    want(await link(someone(), (await organization()).id, "ada"), 400)
  })

  it("unknown organization: 404", async () => {
    want(await link(someone(), NOWHERE, "ada"), 404)
  })

  it("a server that cannot be reached: 502", async () => {
    want(await link(someone(), (await unreachable()).id, "ada"), 502)
  })

  it("administrators and operators: 403", async () => {
    const o = await authenticated()
    for (const who of [owner, operator]) want(await link(who, o.id, "ada"), 403)
    want(await sendLink(undefined, { organizationId: o.id, username: "ada", password: DEMO_PASSWORD }), 401)
  })

  it.each([
    ["no organizationId", { username: "ada", password: "x" }],
    ["a textual organizationId", { organizationId: "1", username: "ada", password: "x" }],
    ["organizationId 0", { organizationId: 0, username: "ada", password: "x" }],
    ["organizationId null", { organizationId: null, username: "ada", password: "x" }],
    ["no username", { organizationId: NOWHERE, password: "x" }],
    ["username null", { organizationId: NOWHERE, username: null, password: "x" }],
    ["a username that is no text", { organizationId: NOWHERE, username: 5, password: "x" }],
    ["no password", { organizationId: NOWHERE, username: "ada" }],
    ["password null", { organizationId: NOWHERE, username: "ada", password: null }],
    ["a password that is no text", { organizationId: NOWHERE, username: "ada", password: ["x"] }],
    ["a NUL in the username", { organizationId: NOWHERE, username: "a\u0000", password: "x" }],
    ["a NUL in the password", { organizationId: NOWHERE, username: "ada", password: "\u0000" }],
    ["a lone surrogate", { organizationId: NOWHERE, username: "\ud800", password: "x" }]
  ])("%s: 400", async (_, body) => {
    want(await sendLink(someone(), body), 400)
  })

  it("of two users who link one person concurrently exactly one is linked", async () => {
    const o = await authenticated()
    const answers = await Promise.all(Array.from({ length: 10 }, () => link(someone(), o.id, "ada")))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(9)
  })
})

describe("DELETE /authenticationserver/link/{organizationId} (contract, section 8)", () => {
  it("205 Nothing; the second time 404", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    expect(want(await unlink(user, o.id), 205).text).toBe("")
    want(await unlink(user, o.id), 404)
  })

  it("not linked, or unknown organization: 404; malformed: 400", async () => {
    want(await unlink(someone(), (await authenticated()).id), 404)
    want(await unlink(someone(), NOWHERE), 404)
    for (const id of ["x", "-1", "1.0", "9223372036854775808"]) {
      want(await remove(someone(), `/authenticationserver/link/${id}`), 400)
    }
  })

  it("an unlink does not affect another user's link", async () => {
    const o = await authenticated()
    const user = await linked(o.id, "ada")
    want(await unlink(someone(), o.id), 404)
    want(await ofPeople(user, { kind: "organization", id: o.id }, "ada"), 204)
  })

  it("administrators and operators get 403", async () => {
    const o = await authenticated()
    for (const who of [owner, operator]) want(await remove(who, `/authenticationserver/link/${o.id}`), 403)
    want(await remove(undefined, `/authenticationserver/link/${o.id}`), 401)
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

    it("an entrance during an open stay answers that stay's token and timestamp, and the counter is unchanged", async () => {
      const { where, user } = await scene()
      const first = want(await enter(user, where, { timestamp: at(-600) }), 201).json
      expect(want(await enter(user, where, { timestamp: at(-300) }), 201).json).toEqual(first)
      expect(want(await enter(user, where), 201).json).toEqual(first)
      expect(await inside(where)).toBe(1)
      want(await leave(user, where, first.exitToken), 202)
      expect(await inside(where)).toBe(0)
    })

    it("20 concurrent entrances of one person count once", async () => {
      const { where, user } = await scene()
      const answers = await Promise.all(Array.from({ length: 20 }, () => enter(user, where)))
      expect(new Set(answers.map((answer) => want(answer, 201).json.exitToken)).size).toBe(1)
      expect(await inside(where)).toBe(1)
    })

    it("an entrance after the exit opens a new stay", async () => {
      const { where, user } = await scene()
      const token = await stay(user, where)
      const next = want(await enter(user, where), 201).json
      expect(next.exitToken).not.toBe(token)
      expect(await inside(where)).toBe(1)
    })

    it("a person who is linked to another user keeps the open stay", async () => {
      const { where, user } = await scene()
      const { exitToken, timestamp } = want(await enter(user, where), 201).json
      want(await unlink(user, where.organizationId), 205)
      const heir = await linked(where.organizationId, "ada")
      expect(want(await enter(heir, where), 201).json).toMatchObject({ exitToken, timestamp })
      expect(await inside(where)).toBe(1)
    })

    it("an exit with the token of another person's stay is 400, and that stay remains open", async () => {
      const { where, user } = await scene()
      const alan = await linked(where.organizationId, "alan")
      const { exitToken } = want(await enter(user, where), 201).json
      want(await leave(alan, where, exitToken), 400)
      want(await leave(alan, where, exitToken, { orgAuthServerId: "alan" }), 400)
      expect(await inside(where)).toBe(1)
      want(await leave(user, where, exitToken), 202)
      want(await leave(alan, where, exitToken), 400)
    })

    it("an unlink during a stay is allowed: the stay keeps its person and its token works", async () => {
      const { where, user } = await scene()
      const { exitToken } = want(await enter(user, where, { timestamp: at(-60) }), 201).json
      want(await unlink(user, where.organizationId), 205)
      want(await enter(user, where), 403)
      expect(await inside(where)).toBe(1)
      const exit = want(await leave(user, where, exitToken, { timestamp: at(-30) }), 202).json
      expect(exit.orgAuthServerId).toBe("ada")
      expect(await inside(where)).toBe(0)
      const accesses = want(await ofPeople(owner, where, "ada"), 200).json
      expect(accesses).toMatchObject([{ orgAuthServerId: "ada", entranceTimestamp: at(-60), exitTimestamp: at(-30) }])
    })

    it("an exit needs only the token: a caller who is not linked may use it", async () => {
      const { where, user } = await scene()
      const { exitToken } = want(await enter(user, where), 201).json
      want(await leave(someone(), where, exitToken), 202)
    })

    it("an exit by a caller who is linked to another person than the stay's is 400", async () => {
      const { where, user } = await scene()
      const { exitToken } = want(await enter(user, where), 201).json
      want(await link(user, where.organizationId, "alan"), 201)
      want(await leave(user, where, exitToken), 400)
      expect(await inside(where)).toBe(1)
      want(await link(user, where.organizationId, "ada"), 201)
      want(await leave(user, where, exitToken), 202)
    })

    it("a stay that is open when the mode changes to anonymous keeps its person, and its token works", async () => {
      const { where, user } = await scene()
      const { exitToken } = want(await enter(user, where, { timestamp: at(-60) }), 201).json
      want(await put(owner, "/organization", { id: where.organizationId, trackingMode: "anonymous" }), 200)
      expect(await inside(where)).toBe(1)
      const another = want(await enter(user, where), 201).json
      expect(another).not.toHaveProperty("orgAuthServerId")
      expect(another.exitToken).not.toBe(exitToken)
      expect(await inside(where)).toBe(2)
      want(await leave(user, where, exitToken, { timestamp: at(-30) }), 202)
      expect(want(await ofPeople(owner, where, "ada"), 200).json).toHaveLength(1)
    })

    it("any caller can close an anonymous stay with its token after the mode changes to authenticated", async () => {
      const where = await fixtures.premises(kind)
      const { exitToken } = want(await enter(someone(), where, { timestamp: at(-60) }), 201).json
      const change = { id: where.organizationId, trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER }
      want(await put(owner, "/organization", change), 200)
      const ada = await linked(where.organizationId, "ada")
      const exit = want(await leave(ada, where, exitToken, { timestamp: at(-30) }), 202).json
      expect(exit).not.toHaveProperty("orgAuthServerId")
      want(await anonymous(someone(), where, exitToken), 200)
      want(await ofPeople(owner, where, "ada"), 204)
    })

    it("the same exit again is 202 again; at another time it is 400", async () => {
      const { where, user } = await scene()
      const { exitToken } = want(await enter(user, where, { timestamp: at(-60) }), 201).json
      const first = want(await leave(user, where, exitToken, { timestamp: at(-30) }), 202).json
      expect(want(await leave(user, where, exitToken, { timestamp: at(-30) }), 202).json).toEqual(first)
      expect(want(await leave(user, where, exitToken), 202).json).toEqual(first)
      want(await leave(user, where, exitToken, { timestamp: at(-29) }), 400)
      expect(want(await ofPeople(user, where, "ada"), 200).json).toHaveLength(1)
    })

    it("an exit before its entrance: 400", async () => {
      const { where, user } = await scene()
      const { exitToken } = want(await enter(user, where, { timestamp: at(-60) }), 201).json
      want(await leave(user, where, exitToken, { timestamp: at(-61) }), 400)
      want(await leave(user, where, exitToken, { timestamp: at(-60) }), 202)
    })

    it("a retried entrance (Idempotency-Key) after the exit answers the same token and does not count", async () => {
      const { where, user } = await scene()
      const headers = { "idempotency-key": unique("key") }
      const first = want(await enter(user, where, { timestamp: at(-60) }, { headers }), 201).json
      want(await leave(user, where, first.exitToken, { timestamp: at(-30) }), 202)
      expect(want(await enter(user, where, { timestamp: at(-60) }, { headers }), 201).json).toEqual(first)
      expect(await inside(where)).toBe(0)
    })

    it("a person's stays in the organization and in a place are separate", async () => {
      const { where, user } = await scene()
      const elsewhere = await fixtures.premisesOf(kind === "place" ? "organization" : "place", where.organizationId, 7)
      want(await enter(user, where), 201)
      expect(await inside(elsewhere)).toBe(0)
      want(await enter(user, elsewhere), 201)
      expect(await inside(where)).toBe(1)
      expect(await inside(elsewhere)).toBe(1)
    })
  }
)

describe("GET /report/place/{placeId} (interface, section 4.8)", () => {
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
  const report = (who: Parameters<typeof get>[0], id: number | string) => get(who, `/report/place/${id}`)

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

  it("`totalTime` is a whole number of seconds for durations with milliseconds", async () => {
    const { where, ada } = await populated()
    const ms = (milliseconds: number) => new Date(Date.parse(at(-5000)) + milliseconds).toISOString()
    for (const [from, to] of [
      [0, 600],
      [1000, 1600],
      [2000, 2700]
    ] as const) {
      const { exitToken } = want(await enter(ada, where, { timestamp: ms(from) }), 201).json
      want(await leave(ada, where, exitToken, { timestamp: ms(to) }), 202)
    }
    const [{ totalTime }] = want(await report(owner, where.id), 200).json
    expect(Number.isInteger(totalTime)).toBe(true)
    expect(totalTime).toBeGreaterThanOrEqual(1)
    expect(totalTime).toBeLessThanOrEqual(2)
  })

  it("open stays and anonymous stays are left out", async () => {
    const { where, ada } = await populated()
    want(await enter(ada, where), 201)
    want(await report(owner, where.id), 204)
    const nobody = await fixtures.premises("place")
    await stay(someone(), nobody)
    want(await report(owner, nobody.id), 204)
  })

  it("the organization's own stays and other places' are left out", async () => {
    const { where, ada } = await populated()
    const other = await fixtures.premisesOf("place", where.organizationId, 3)
    await stay(ada, { kind: "organization", id: where.organizationId, organizationId: where.organizationId }, -100, -50)
    await stay(ada, other, -100, -50)
    want(await report(owner, where.id), 204)
    expect(want(await report(owner, other.id), 200).json).toMatchObject([{ placeId: other.id, totalTime: 50 }])
  })

  it("403 not bound, 404 unknown, 400 malformed, 403 for users and operators", async () => {
    const { where, ada } = await populated()
    want(await report(stranger, where.id), 403)
    want(await report(owner, NOWHERE), 404)
    want(await report(stranger, NOWHERE), 404)
    want(await report(owner, "x"), 400)
    for (const who of [ada, operator]) want(await report(who, where.id), 403)
    want(await report(undefined, where.id), 401)
  })
})

describe("POST /authenticationserver/userinformation (interface, section 4.8)", () => {
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

  it("duplicates are answered once", async () => {
    expect(want(await ask(owner, (await authenticated()).id, ["ada", "ada"]), 200).json).toEqual([ADA])
  })

  it('["*"] returns every person whom the given credentials may see', async () => {
    const o = await authenticated()
    expect(want(await ask(owner, o.id, ["*"]), 200).json).toHaveLength(3)
  })

  it('"*" beside other identifiers or within one is an ordinary identifier', async () => {
    const o = await authenticated()
    expect(want(await ask(owner, o.id, ["*", "ada"]), 200).json).toEqual([ADA])
    want(await ask(owner, o.id, ["*", "*"]), 204)
    want(await ask(owner, o.id, ["a*"]), 204)
    want(await ask(owner, o.id, ["**"]), 204)
  })

  it.each(["viewer", "manager", "owner"] as const)("a %s may read them", async (level) => {
    const o = await authenticated()
    const who = await fixtures.bind(o.id, sojourn.administrator(unique(level)), level)
    want(await ask(who, o.id, ["ada"]), 200)
    expect(LEVEL[level]).toBeGreaterThan(0)
  })

  it("400 the organization has no authentication server", async () => {
    want(await ask(owner, (await organization()).id, ["ada"]), 400)
  })

  it("403 not bound, also when there is no server", async () => {
    want(await ask(stranger, (await authenticated()).id, ["ada"]), 403)
    want(await ask(stranger, (await organization()).id, ["ada"]), 403)
  })

  it.each([
    ["a wrong password", "ada", "wrong"],
    ["an empty password", "ada", ""],
    ["an unknown username", "nobody", DEMO_PASSWORD],
    ["an empty username", "", ""]
  ])("403 the server refuses the credentials: %s", async (_, username, password) => {
    want(await ask(owner, (await authenticated()).id, ["ada"], credentials(username, password)), 403)
  })

  it("404 unknown organization", async () => {
    want(await ask(owner, NOWHERE, ["ada"]), 404)
    want(await ask(stranger, NOWHERE, ["ada"]), 404)
  })

  it("502 the server cannot be reached", async () => {
    want(await ask(owner, (await unreachable()).id, ["ada"]), 502)
  })

  it("users and operators: 403; no credentials: 401", async () => {
    const o = await authenticated()
    for (const who of [await linked(o.id, "ada"), operator]) want(await ask(who, o.id, ["ada"]), 403)
    want(await ask(undefined, o.id, ["ada"]), 401)
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
