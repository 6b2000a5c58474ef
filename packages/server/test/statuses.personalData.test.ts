/** Export and erasure of personal data over HTTP. */
import { describe, expect, it } from "vitest"
import { at, makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { operator, owner, authenticated, organization, place, linked, bind, post, get, enter, leave, stay } = fixtures

const { exportData: exported, eraseData: erase } = fixtures
const ledger = (id: number) => get(operator, `/operator/organization/${id}/erasure`)

const NOTHING_ERASED = {
  accountLinks: 0,
  favorites: 0,
  accesses: 0,
  openStays: 0,
  retriedEntrances: 0,
  musterEntries: 0,
  accounts: 0,
  permissions: 0,
  mentions: 0
}
const NOTHING_STORED = {
  accountLinks: [],
  favorites: [],
  organizationAccesses: [],
  placeAccesses: [],
  openOrganizationStays: [],
  openPlaceStays: [],
  retriedOrganizationEntrances: [],
  retriedPlaceEntrances: [],
  musterEntries: [],
  accounts: [],
  permissions: [],
  nominations: [],
  deletionRequests: [],
  deletionDecisions: [],
  startedMusters: [],
  sweptPlaces: [],
  createdWebhooks: [],
  auditEntries: []
}

/** A user linked to "ada" of a new organization, with a closed stay of 30 minutes, two open stays, and a favorite. */
const adaSomewhere = async () => {
  const { id: organizationId } = await authenticated()
  const hall = await place(organizationId)
  const whole = { kind: "organization", id: organizationId, organizationId } as const
  const inHall = { kind: "place", id: hall.id, organizationId } as const
  const user = await linked(organizationId, "ada")
  const token = await stay(user, inHall)
  const key = { headers: { "idempotency-key": unique("key") } }
  const { exitToken } = want(await enter(user, whole, { timestamp: at(-60) }, key), 201).json
  want(await enter(user, inHall, { timestamp: at(-30) }), 201)
  const favorite = want(await post(user, "/favorite/addfavorite", { organizationId }), 201).json
  return { organizationId, hall, whole, inHall, user, token, exitToken, favorite }
}

describe("POST /operator/personaldata/export", () => {
  it("200: all data about a user, in the interface's fields, without tokens", async () => {
    const { organizationId, hall, user, favorite, token, exitToken } = await adaSomewhere()
    const answer = want(await exported({ userId: user.id }), 200)
    const { subject, exportDate, ...data } = answer.json
    const person = { orgAuthServerId: "ada" }
    const ids = { id: expect.any(Number) }
    const recorded = { ...ids, recordedTimestamp: expect.stringMatching(/Z$/) }
    expect(subject).toEqual({ userId: user.id })
    expect(Math.abs(Date.parse(exportDate) - Date.now())).toBeLessThan(60_000)
    expect(data).toEqual({
      ...NOTHING_STORED,
      accountLinks: [{ userId: user.id, organizationId, ...person }],
      favorites: [
        {
          userId: user.id,
          organizationId,
          ...person,
          creationDate: `${favorite.creationDate.slice(0, 10)}T00:00:00.000Z`
        }
      ],
      placeAccesses: [{ ...ids, placeId: hall.id, ...person, entranceTimestamp: at(-3600), exitTimestamp: at(-1800) }],
      openOrganizationStays: [{ ...recorded, organizationId, ...person, entranceTimestamp: at(-60) }],
      openPlaceStays: [{ ...recorded, placeId: hall.id, ...person, entranceTimestamp: at(-30) }],
      retriedOrganizationEntrances: [
        { organizationId, ...person, entranceTimestamp: at(-60), usedTimestamp: expect.stringMatching(/Z$/) }
      ]
    })
    for (const secret of [token, exitToken]) expect(answer.text).not.toContain(secret)
    const ofPerson = want(await exported({ organizationId, ...person }), 200).json
    expect(ofPerson).toEqual({ subject: { organizationId, ...person }, exportDate: ofPerson.exportDate, ...data })
  })

  it("200: all data about an administrator, by id and by mail address, without the password", async () => {
    const { id: organizationId } = await organization()
    const password = unique("a long password")
    const mail = `${unique("boss")}@Example.test`
    const creation = { organizationId, mail, password, permission: 3, orgAuthServerId: "ada" }
    const { administratorId } = want(await post(owner, "/administrator/createadministrator", creation), 201).json
    const boss = sojourn.administrator(administratorId, "")
    const viewer = sojourn.administrator(unique("viewer"))
    want(await get(viewer, `/administrator/permission/${viewer.id}`), 204)
    const binding = { organizationId, administratorId: viewer.id, permission: 1 }
    want(await post(boss, "/administrator/bindadministrator", binding), 201)
    const requestReason = "we close"
    want(await post(boss, "/organization/requestdeletion", { organizationId, requestReason }), 204)

    const answer = want(await exported({ administratorId }), 200)
    const permission = { administratorId, organizationId, permission: 3, mail, orgAuthServerId: "ada" }
    expect(answer.json).toEqual({
      subject: { administratorId },
      exportDate: answer.json.exportDate,
      ...NOTHING_STORED,
      accounts: [{ administratorId, mail, isMailUnproved: true, hasPassword: true }],
      permissions: [{ ...permission, nominatedBy: owner.id }],
      nominations: [{ organizationId, permission: 1 }],
      auditEntries: answer.json.auditEntries,
      deletionRequests: [
        {
          id: expect.any(Number),
          organizationId,
          administratorId,
          requestReason,
          status: "pending",
          creationDate: expect.stringMatching(/Z$/)
        }
      ]
    })
    // Whom the administrator bound is another's.
    expect(answer.json.auditEntries.map(({ action, target }: any) => [action, target?.kind])).toEqual([
      ["permission.create", "administrator"],
      ["permission.create", undefined],
      ["deletionRequest.create", "deletionRequest"]
    ])
    for (const others of [password, "scrypt", viewer.id]) expect(answer.text).not.toContain(others)
    const byMail = want(await exported({ mail: mail.toUpperCase() }), 200).json
    const apart = { subject: 0, exportDate: 0, auditEntries: 0 }
    expect({ ...byMail, ...apart }).toEqual({ ...answer.json, ...apart })
  })

  it("200 with empty lists for an unknown data subject", async () => {
    const subjects = [
      { userId: unique("nobody") },
      { organizationId: NOWHERE, orgAuthServerId: "ada" },
      { administratorId: unique("nobody") },
      { mail: "nobody@example.test" },
      { operatorId: unique("nobody") }
    ]
    for (const subject of subjects) {
      const { exportDate, ...document } = want(await exported(subject), 200).json
      expect(document).toEqual({ subject, ...NOTHING_STORED })
      expect(want(await erase(subject), 200).json).toEqual(NOTHING_ERASED)
    }
  })
})

describe("POST /operator/personaldata/erase", () => {
  it.each(["user", "person"])(
    "200: the numbers of erased records of a %s; nothing remains, and a second erasure answers zeros",
    async (by) => {
      const { organizationId, hall, whole, inHall, user, exitToken } = await adaSomewhere()
      const person = { organizationId, orgAuthServerId: "ada" }
      const subject = by === "user" ? { userId: user.id } : person
      expect(want(await erase(subject), 200).json).toEqual({
        ...NOTHING_ERASED,
        accountLinks: 1,
        accesses: 1,
        openStays: 2,
        retriedEntrances: 1,
        ...(by === "user" ? { favorites: 1 } : { mentions: 1 })
      })
      expect(want(await exported(person), 200).json).toMatchObject(NOTHING_STORED)
      for (const where of [whole, inHall]) {
        expect(await fixtures.inside(where)).toBe(0)
        want(await fixtures.ofPeople(owner, where, "ada"), 204)
        want(await fixtures.ofPeople(user, where, "ada"), 403)
        want(await enter(user, where), 403)
      }
      want(await get(owner, `/report/place/${hall.id}`), 204)
      want(await leave(user, whole, exitToken), 400)
      want(await get(user, `/favorite/${user.id}`), by === "user" ? 204 : 200)
      expect(want(await erase(subject), 200).json).toEqual(NOTHING_ERASED)
    }
  )

  it("409 an administrator who is an organization's only owner, even with other administrators bound to it", async () => {
    const boss = sojourn.administrator(unique("boss"))
    const { id } = await organization({ owner: { administratorId: boss.id, mail: boss.mail } })
    const json = { accept: "application/problem+json" }
    const refusal = want(
      await post(operator, "/operator/personaldata/erase", { administratorId: boss.id }, { headers: json }),
      409
    )
    expect(refusal.json).toMatchObject({ status: 409, detail: expect.stringContaining(`owner of ${id}`) })
    expect(refusal.text).not.toContain(boss.id)
    want(await erase({ mail: boss.mail }), 409)
    want(await get(boss, `/administrator/organization/${id}`), 200)
  })

  it("200 an administrator: their permissions are removed, and their id is removed from records about others", async () => {
    const { id } = await organization()
    const boss = await bind(id, sojourn.administrator(unique("boss")), "owner")
    const viewer = sojourn.administrator(unique("viewer"))
    want(await get(viewer, `/administrator/permission/${viewer.id}`), 204)
    const binding = { organizationId: id, administratorId: viewer.id, permission: 1 }
    want(await post(boss, "/administrator/bindadministrator", binding), 201)
    want(await post(boss, "/organization/requestdeletion", { organizationId: id, requestReason: "we close" }), 204)

    expect(want(await erase({ administratorId: boss.id }), 200).json).toEqual({
      ...NOTHING_ERASED,
      accounts: 1,
      permissions: 1,
      // With three entries of the audit.
      mentions: 5
    })
    const bound = want(await get(owner, `/administrator/organization/${id}`), 200).json
    expect(bound.map((one: any) => [one.administratorId, one.nominatedBy])).toEqual([
      [owner.id, owner.id],
      [viewer.id, "(erased)"]
    ])
    const requests = want(await get(operator, "/operator/deletionrequest?status=pending"), 200)
    const request = requests.json.find((one: any) => one.organizationId === id)
    expect(request.administratorId).toBe("(erased)")
    expect(request).not.toHaveProperty("requestReason")
    // An owner can still change the level of a permission whose `nominatedBy` was erased, by sending it as recorded.
    const update = { ...bound[1], permission: 2 }
    expect(want(await fixtures.patch(owner, "/administrator/updatepermission", update), 201).json).toEqual(update)
  })
})

describe("the data subject in the body", () => {
  it.each([
    ["no subject", {}],
    ["only null", { userId: null }],
    ["an empty user", { userId: "" }],
    ["a user of 257 characters", { userId: "x".repeat(257) }],
    ["a user with a NUL", { userId: "a\u0000" }],
    ["a number", { userId: 5 }],
    ["a person without an organization", { orgAuthServerId: "ada" }],
    ["an organization without a person", { organizationId: 1 }],
    ["a person of organization 0", { organizationId: 0, orgAuthServerId: "ada" }],
    ["a person of an organization that is text", { organizationId: "1", orgAuthServerId: "ada" }],
    ["a malformed mail address", { mail: "ada" }],
    ["a user and an administrator", { userId: "ada", administratorId: "ada" }],
    ["an administrator and a mail address", { administratorId: "ada", mail: "ada@example.test" }],
    ["a user and a person", { userId: "ada", organizationId: 1, orgAuthServerId: "ada" }],
    ["a list", [{ userId: "ada" }]]
  ])("%s: 400", async (_, subject) => {
    want(await exported(subject), 400)
    want(await erase(subject), 400)
  })

  it("null counts as left out", async () => {
    want(await exported({ userId: unique("nobody"), mail: null, organizationId: null }), 200)
  })
})

describe("GET /operator/organization/{organizationId}/erasure", () => {
  it("204 before the first erasure, then the sums erased per day, without ids of persons", async () => {
    const { organizationId, hall, user } = await adaSomewhere()
    want(await ledger(organizationId), 204)
    const grace = await linked(organizationId, "grace")
    await stay(grace, { kind: "place", id: hall.id, organizationId }, -7200, -5400)
    const total = async () => {
      const answer = await get(owner, `/report/place/${hall.id}`)
      return (answer.json ?? []).reduce((sum: number, one: any) => sum + one.totalTime, 0)
    }
    const before = await total()
    want(await erase({ userId: user.id }), 200)
    const entry = {
      organizationId,
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      people: 1,
      accesses: 1,
      openStays: 2
    }
    const answer = want(await ledger(organizationId), 200)
    expect(answer.json).toEqual([{ ...entry, totalTime: before - (await total()) }])
    want(await erase({ organizationId, orgAuthServerId: "grace" }), 200)
    const sums = want(await ledger(organizationId), 200).json.reduce(
      (sum: any, one: any) => [sum[0] + one.people, sum[1] + one.totalTime],
      [0, 0]
    )
    expect(sums).toEqual([2, before])
    for (const who of [user.id, "ada", "grace"]) expect(answer.text).not.toContain(who)
  })
})
