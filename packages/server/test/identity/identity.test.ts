/** Identity end to end: a real OpenID provider, a real directory of 1,000 people, and the server as a process. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Premises, unique, want, whole } from "../fixtures.ts"
import { runHere } from "../runHere.ts"
import { missing, PEOPLE, person, type Slapd, startSlapd } from "./Slapd.ts"
import { type Bearer, startTown, type Town } from "./Town.ts"

const title = "with an OpenID provider and a directory of 1,000 people"
describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (skipped: ${missing})`, () => {
  let slapd: Slapd
  let town: Town

  beforeAll(async () => {
    slapd = await startSlapd()
    town = await startTown({ flags: ["--no-own-issuer"], directories: [slapd.server] })
  })
  afterAll(async () => {
    await town?.stop()
    await slapd?.stop()
  })

  let next = 0
  /** A person of the directory who is not linked yet. */
  const newPerson = () => person(next++)
  /** A new user, linked to such a person. */
  const linked = async (organizationId: number) => {
    const [user, { uid, password }] = [town.user(), newPerson()]
    want(await town.link(user, organizationId, uid, password), 201)
    return { user, uid }
  }
  const accesses = (who: Bearer, where: Pick<Premises, "kind" | "id">, ...people: ReadonlyArray<string>) =>
    town.ofPeople(who, where, people.map(encodeURIComponent).join(","))
  /** An administrator who was invited by mail and has called. */
  const invited = async (organizationId: number, permission: number) => {
    const guest = town.bearer("administrator", unique("guest"))
    const invitation = { organizationId, mail: guest.mail.toUpperCase(), permission }
    const made = want(await town.post(town.owner, "/administrator/createadministrator", invitation), 201).json
    expect(made.administratorId).not.toBe(guest.id)
    return guest
  }

  it("links users who prove an account in the directory, and no others", async () => {
    const organizationId = await town.organization(slapd.url)
    const [ada, eve, { uid, password }] = [town.user(), town.user(), newPerson()]
    want(await town.enter(ada, whole(organizationId)), 403)
    for (const [name, word] of [
      [uid, "wrong"],
      [uid, ""],
      ["nobody", password],
      ["*", password]
    ] as const) {
      want(await town.link(ada, organizationId, name, word), 403)
    }
    const proved = want(await town.link(ada, organizationId, uid, password), 201)
    expect(proved.json).toEqual({ organizationId, orgAuthServerId: uid })
    want(await town.link(eve, organizationId, uid, password), 403)
    want(await town.enter(eve, whole(organizationId)), 403)
    want(await town.unlink(ada, organizationId), 205)
    want(await town.link(eve, organizationId, uid.toUpperCase(), password), 201)
    want(await town.link(ada, organizationId, uid, password), 403)
  })

  it("shows accesses, total times and names of all people to an administrator who was invited by mail", async () => {
    const organizationId = await town.organization(slapd.url)
    const hall = await town.premisesOf("place", organizationId)
    const people = [await linked(organizationId), await linked(organizationId)]
    for (const [i, { user }] of people.entries()) {
      await town.stay(user, hall, -900, -800 + i)
      await town.stay(user, hall, -700, -690)
    }
    const ids = people.map(({ uid }) => uid)
    const guest = await invited(organizationId, 1)
    const [permission] = want(await town.get(guest, `/administrator/permission/${guest.id}`), 200).json
    expect(permission).toMatchObject({
      administratorId: guest.id,
      organizationId,
      permission: 1,
      nominatedBy: town.owner.id
    })

    expect(want(await accesses(guest, hall, ...ids), 200).json).toHaveLength(4)
    const report = want(await town.get(guest, `/report/place/${hall.id}`), 200).json
    const sums = new Map(report.map((row: any) => [row.orgAuthServerId, row.totalTime]))
    expect(sums).toEqual(new Map(ids.map((id, i) => [id, 110 + i])))

    const me = person(PEOPLE - 1)
    const ask = (who: Bearer, orgAuthServerIds: ReadonlyArray<string>, password = me.password) =>
      town.post(who, "/authenticationserver/userinformation", {
        organizationId,
        organizationCredentials: { username: me.uid, password },
        orgAuthServerIds
      })
    const names = want(await ask(guest, ids), 200).json
    const expected = ids
      .map((uid) => person(Number(uid.slice(1))))
      .map(({ uid, name, surname }) => ({
        orgAuthServerId: uid,
        name,
        surname
      }))
    expect(new Set(names)).toEqual(new Set(expected))
    expect(want(await ask(guest, ["*"]), 200).json).toHaveLength(PEOPLE)
    want(await ask(guest, ["nobody"]), 204)
    want(await ask(guest, ids, "wrong"), 403)
    want(await ask(town.bearer("administrator", unique("stranger")), ids), 403)
    want(await ask(people[0]!.user, ids), 403)
  })

  it("does not accept an invitation by an address that the provider has not verified", async () => {
    const organizationId = await town.organization()
    const guest = town.bearer("administrator", unique("guest"))
    const invitation = { organizationId, mail: guest.mail, permission: 2 }
    want(await town.post(town.owner, "/administrator/createadministrator", invitation), 201)
    const [thief, silent] = [unique("thief"), unique("silent")]
    for (const token of [
      await town.provider.token("administrator", thief, guest.mail, false),
      await town.provider.token("administrator", silent)
    ]) {
      want(await town.call(`Bearer ${token}`, "GET", `/organization/${organizationId}`), 403)
    }
    want(await town.get(guest, `/organization/${organizationId}`), 200)
    want(await town.get(guest, `/administrator/permission/${thief}`), 403)
  })

  it("accepts no token of the own issuer when it is disabled, and publishes no key of it", async () => {
    const made = await runHere(["token", "--kind", "user", "--id", "somebody", "--data", town.data])
    const token = made.out.trim()
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    want(await town.call(`Bearer ${token}`, "GET", "/organization"), 401)
    want(await town.get(town.user(), "/organization"), 200)
    const form = { grant_type: "password", username: "somebody", password: "word" }
    want(await town.post(undefined, "/authentication/token", undefined, { form }), 404)
    want(await town.get(undefined, "/.well-known/jwks.json"), 404)
  })
})
