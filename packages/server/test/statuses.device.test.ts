/** Devices and counting over HTTP. */
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, square, want, whole } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, place, post, put, get } = fixtures

const phone = sojourn.user("phone")
const asProblem = { headers: { accept: "application/problem+json" } }

/** A caller with the token of a device. */
const withToken = (token: string) => ({ ...phone, token })

const make = async (organizationId: number, premises: ReadonlyArray<object> = [{ organization: true }], over = {}) =>
  want(await post(owner, `/device/organization/${organizationId}`, { name: "Door", premises, ...over }), 201).json
const listed = async (organizationId: number) =>
  want(await get(owner, `/device/organization/${organizationId}`), 200).json
const count = (device: any, ...readings: ReadonlyArray<object>) =>
  post(withToken(device.token), "/device/count", { readings })
const accepted = async (answer: ReturnType<typeof post>) => want(await answer, 200).json.accepted
const ofOrganization = (into: number, out: number, epoch = "a") => ({ organization: true, epoch, in: into, out })
const ofPlace = (placeId: number, into: number, out: number, epoch = "a") => ({ placeId, epoch, in: into, out })
const insideOf = (id: number) => fixtures.inside(whole(id))

describe("POST /device/organization/{organizationId} (spec: devices#make)", () => {
  it("201 the device with its token, which no list answers", async () => {
    const { id: organizationId } = await organization()
    const { id: placeId } = await place(organizationId, square(0))
    const made = await make(organizationId, [{ organization: true }, { placeId }], { name: "Main door" })
    expect(made).toEqual({
      deviceId: made.deviceId,
      organizationId,
      name: "Main door",
      premises: [{ organization: true }, { placeId }],
      creationDate: expect.stringMatching(/Z$/),
      token: expect.stringMatching(/^sjd_[A-Za-z0-9_-]{43}$/)
    })
    const { token: _, ...fields } = made
    expect(await listed(organizationId)).toEqual([{ ...fields, state: "new", drift: 0 }])
    const rotated = want(await post(owner, `/device/${made.deviceId}/token`, undefined), 200).json
    expect(rotated).toEqual({ ...fields, token: expect.stringMatching(/^sjd_/) })
    expect(rotated.token).not.toBe(made.token)
  })

  it.each([
    ["no premises", { premises: [] }],
    ["21 premises", { premises: Array.from({ length: 21 }, () => ({ organization: true })) }],
    ["both members", { premises: [{ organization: true, placeId: 1 }] }],
    ["neither member", { premises: [{}] }],
    ["a false organization", { premises: [{ organization: false }] }],
    ["no name", { name: undefined }],
    ["an empty name", { name: "" }],
    ["a name of 101 characters", { name: "x".repeat(101) }],
    ["a place that was never issued", { premises: [{ placeId: NOWHERE }] }]
  ])("%s: 400", async (_, over) => {
    const { id } = await organization()
    const body = { name: "Door", premises: [{ organization: true }], ...over }
    want(await post(owner, `/device/organization/${id}`, body), 400)
    want(await get(owner, `/device/organization/${id}`), 204)
  })

  it("a place of another organization: 400", async () => {
    const { id } = await organization()
    const { id: placeId } = await place((await organization()).id)
    want(await post(owner, `/device/organization/${id}`, { name: "Door", premises: [{ placeId }] }), 400)
  })
})

describe("the token of a device (spec: devices#tokens)", () => {
  it("sends readings and does nothing else", async () => {
    const { id } = await organization()
    const device = await make(id)
    const caller = withToken(device.token)
    want(await get(caller, "/organization"), 403)
    want(await get(caller, `/organization/${id}`), 403)
    want(await get(caller, `/device/organization/${id}`), 403)
    want(await get(caller, `/presence/organization/${id}/counter`), 403)
    want(await post(caller, "/movement/track/organization", { organizationId: id, movementType: "entrance" }), 403)
    want(await get(caller, "/operator/deletionrequest"), 403)
  })

  it("that is none: 401 with WWW-Authenticate", async () => {
    for (const token of ["sjd_", `sjd_${"A".repeat(43)}`, `sjd_${"A".repeat(44)}`, `sjd_${"!".repeat(43)}`]) {
      const refused = want(await count({ token }, ofOrganization(1, 0)), 401)
      expect(refused.headers["www-authenticate"]).toBe("Bearer")
    }
  })
})

describe("POST /device/count (spec: devices#counting)", async () => {
  const shared = await make((await organization()).id)

  it("never falls below 0: what is missing is drift, which people who come in soon after repay", async () => {
    const { id } = await organization()
    const device = await make(id)
    expect(await accepted(count(device, ofOrganization(2, 5)))).toBe(1)
    expect(await insideOf(id)).toBe(0)
    expect((await listed(id))[0]).toMatchObject({
      state: "ok",
      drift: 3,
      lastSeenAt: expect.stringMatching(/:00\.000Z$/)
    })
    const other = await make(id)
    expect(await accepted(count(other, ofOrganization(2, 0)))).toBe(1)
    expect(await insideOf(id)).toBe(0)
    expect(await listed(id)).toMatchObject([{ drift: 1 }, { drift: 0 }])
    want(await put(owner, `/presence/organization/${id}/counted`, { counted: 0 }), 200)
    expect(await accepted(count(other, ofOrganization(3, 0)))).toBe(1)
    expect(await insideOf(id)).toBe(1)
    expect(await listed(id)).toMatchObject([{ drift: 1 }, { drift: 0 }])
  })

  it("new epochs that count more than 100,000 people within a minute: 409, and nothing is counted", async () => {
    const { id } = await organization()
    const device = await make(id)
    const epochs = (first: number, most: number) =>
      Array.from({ length: most }, (_, n) => ofOrganization(10_000, 0, `${first + n}`))
    expect(await accepted(count(device, ...epochs(0, 9)))).toBe(9)
    want(await count(device, ...epochs(9, 2)), 409)
    expect(await accepted(count(device, ...epochs(9, 1), ofOrganization(10_001, 0, "0")))).toBe(2)
    want(await count(device, ofOrganization(1, 0, "more")), 409)
    expect(await insideOf(id)).toBe(100_001)
  })

  it("an epoch that was forgotten changes nothing", async () => {
    const { id } = await organization()
    const device = await make(id)
    for (let n = 0; n < 1_100; n += 100) {
      const readings = Array.from({ length: 100 }, (_, i) => ofOrganization(1, 1, `${n + i}`))
      expect(await accepted(count(device, ...readings))).toBe(100)
    }
    expect(await accepted(count(device, ofOrganization(9, 0, "0")))).toBe(0)
    expect(await insideOf(id)).toBe(0)
  })

  it("premises of which the device was not made: 403, before a step that is too large; a wrong form is 400 before both", async () => {
    const { id } = await organization()
    const { id: placeId } = await place(id, square(0))
    const device = await make(id)
    want(await count(device, ofOrganization(10_001, 0), ofPlace(placeId, 1, 0)), 403)
    want(await count(device, ofPlace(NOWHERE, 1, 0)), 403)
    want(await count(device, ofPlace(placeId, 1, 0), ofOrganization(-1, 0)), 400)
    expect(await insideOf(id)).toBe(0)
  })

  it.each([
    ["no readings", []],
    ["101 readings", Array.from({ length: 101 }, () => ofOrganization(0, 0))],
    ["a negative total", [ofOrganization(0, -1)]],
    ["half a person", [ofOrganization(0.5, 0)]],
    ["a total above 2^53-1", [ofOrganization(2 ** 53, 0)]],
    ["an empty epoch", [ofOrganization(1, 0, "")]],
    ["an epoch of 65 characters", [ofOrganization(1, 0, "x".repeat(65))]],
    ["no premises", [{ epoch: "a", in: 1, out: 0 }]],
    ["both premises", [{ ...ofOrganization(1, 0), placeId: 1 }]],
    ["a time that is none", [{ ...ofOrganization(1, 0), at: "yesterday" }]]
  ])("%s: 400", async (_, readings) => {
    want(await post(withToken(shared.token), "/device/count", { readings }), 400)
  })

  it("the time of a reading is accepted and not used", async () => {
    const device = await make((await organization()).id)
    expect(await accepted(count(device, { ...ofOrganization(1, 0), at: "2001-01-01T00:00:00Z" }))).toBe(1)
  })
})

describe("PUT and GET /presence/.../counted (spec: devices#corrections)", () => {
  it("corrects the number, and answers what is inside in all", async () => {
    const { id: organizationId } = await organization()
    const { id: placeId } = await place(organizationId, square(0))
    const ofWhole = `/presence/organization/${organizationId}/counted`
    want(await post(phone, "/movement/track/organization", { organizationId, movementType: "entrance" }), 201)
    expect(want(await get(owner, ofWhole), 200).json).toEqual({ organizationId, counted: 0, inside: 1 })
    expect(want(await put(owner, ofWhole, { counted: 7 }), 200).json).toEqual({ organizationId, counted: 7, inside: 8 })
    expect(want(await put(owner, ofWhole, { counted: 2 }), 200).json).toEqual({ organizationId, counted: 2, inside: 3 })
    expect(await insideOf(organizationId)).toBe(3)
    expect(want(await put(owner, `/presence/place/${placeId}/counted`, { counted: 1_000_000 }), 200).json).toEqual({
      placeId,
      counted: 1_000_000,
      inside: 1_000_000
    })
  })

  it.each([-1, 1_000_001, 1.5, "1", null])("%j: 400", async (counted) => {
    const { id } = await organization()
    want(await put(owner, `/presence/organization/${id}/counted`, { counted }), 400)
  })
})

describe("the policy of devices (spec: devices#policy)", () => {
  const policy = (id: number, change: object) => put(operator, `/operator/organization/${id}/policy`, change)

  it("members are answered where they were set", async () => {
    const { id: organizationId } = await organization()
    const set = { countedResetAt: "04:00", timeZone: "Europe/Rome", deviceSilentAfter: 60 }
    expect(want(await policy(organizationId, set), 200).json).toEqual({ organizationId, ...set })
    const lifted = { countedResetAt: null, timeZone: null, deviceSilentAfter: null }
    expect(want(await policy(organizationId, lifted), 200).json).toEqual({ organizationId })
  })

  it.each([
    { countedResetAt: "4:00" },
    { countedResetAt: "24:00" },
    { countedResetAt: "04:60" },
    { timeZone: "Mars/Olympus" },
    { timeZone: "+01:00" },
    { deviceSilentAfter: 0 },
    { deviceSilentAfter: 86_401 }
  ])("%j: 400", async (change) => {
    want(await policy((await organization()).id, change), 400)
  })
})

describe("musters count the people of devices (spec: musters#counted)", () => {
  it("inside includes them at the start, and left counts those whom devices count out", async () => {
    const { id } = await organization()
    const device = await make(id)
    expect(await accepted(count(device, ofOrganization(6, 0)))).toBe(1)
    const started = want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201).json
    expect(started).toMatchObject({ inside: 6, left: 0, counted: 6, missing: 6 })
    expect(await accepted(count(device, ofOrganization(7, 4)))).toBe(1)
    want(await put(owner, `/presence/organization/${id}/counted`, { counted: 2 }), 200)
    expect(want(await get(owner, `/muster/${started.musterId}`), 200).json).toMatchObject({ left: 4, counted: 2 })
    expect(want(await post(owner, `/muster/${started.musterId}/end`, undefined), 200).json).toMatchObject({
      left: 4,
      counted: 2
    })
    expect(await accepted(count(device, ofOrganization(9, 4)))).toBe(1)
    expect(want(await get(owner, `/muster/${started.musterId}`), 200).json).toMatchObject({ left: 4, counted: 2 })
  })

  it("counted is left out where nothing was ever counted", async () => {
    const { id } = await organization()
    const started = want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201).json
    expect(started).not.toHaveProperty("counted")
  })
})

it("the problem of a refused reading says why", async () => {
  const device = await make((await organization()).id)
  const body = { readings: [ofOrganization(10_001, 0)] }
  expect(want(await post(withToken(device.token), "/device/count", body, asProblem), 400).json).toMatchObject({
    type: "urn:sojourn:problem:step-too-large"
  })
})
