/** Devices and counting over HTTP. */
import { describe, expect, it } from "vitest"
import { eventually } from "./faults/eventually.ts"
import { makeFixtures, NOWHERE, square, want, whole } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, place, post, put, get, remove } = fixtures

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
const insidePlace = (id: number) => fixtures.inside({ kind: "place", id })

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

  it("premises that are named twice count once", async () => {
    const { id } = await organization()
    const made = await make(id, [{ organization: true }, { organization: true }])
    expect(made.premises).toEqual([{ organization: true }])
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

  it("another one leaves the former valid for a minute, and a third ends the first", async () => {
    const { id } = await organization()
    const first = await make(id)
    const second = want(await post(owner, `/device/${first.deviceId}/token`, undefined), 200).json
    expect(second).toEqual({ ...first, token: expect.stringMatching(/^sjd_/) })
    expect(second.token).not.toBe(first.token)
    expect(await accepted(count(first, ofOrganization(1, 0)))).toBe(1)
    expect(await accepted(count(second, ofOrganization(2, 0)))).toBe(1)
    const third = want(await post(owner, `/device/${first.deviceId}/token`, undefined), 200).json
    expect(await accepted(count(second, ofOrganization(3, 0)))).toBe(1)
    expect(await accepted(count(third, ofOrganization(4, 0)))).toBe(1)
    await eventually("the first one ends", async () => (await count(first, ofOrganization(4, 0))).status === 401)
    expect(await insideOf(id)).toBe(4)
  })

  it("of a removed device is refused, and what it counted stays counted", async () => {
    const { id } = await organization()
    const device = await make(id)
    expect(await accepted(count(device, ofOrganization(3, 1)))).toBe(1)
    expect(want(await remove(owner, `/device/${device.deviceId}`), 204).text).toBe("")
    want(await count(device, ofOrganization(9, 0)), 401)
    want(await remove(owner, `/device/${device.deviceId}`), 404)
    want(await post(owner, `/device/${device.deviceId}/token`, undefined), 404)
    want(await get(owner, `/device/organization/${id}`), 204)
    expect(await insideOf(id)).toBe(2)
  })
})

describe("POST /device/count (spec: devices#counting)", async () => {
  const shared = await make((await organization()).id)

  it("counts what totals are above the highest seen, however often and in whatever order they come", async () => {
    const { id } = await organization()
    const device = await make(id)
    expect(await accepted(count(device, ofOrganization(5, 2)))).toBe(1)
    expect(await accepted(count(device, ofOrganization(5, 2)))).toBe(0)
    expect(await accepted(count(device, ofOrganization(9, 2), ofOrganization(7, 3), ofOrganization(9, 3)))).toBe(2)
    expect(await accepted(count(device, ofOrganization(1, 0)))).toBe(0)
    expect(await insideOf(id)).toBe(6)
    expect(await accepted(count(device, ofOrganization(2, 0, "b")))).toBe(1)
    expect(await insideOf(id)).toBe(8)
    expect(await accepted(count(device, ofOrganization(10, 3)))).toBe(1)
    expect(await insideOf(id)).toBe(9)
  })

  it("adds to the open stays, of the premises that the reading names alone", async () => {
    const { id } = await organization()
    const { id: placeId } = await place(id, square(0))
    const device = await make(id, [{ placeId }, { organization: true }])
    want(await post(phone, "/movement/track/place", { placeId, movementType: "entrance" }), 201)
    expect(await accepted(count(device, ofPlace(placeId, 4, 1)))).toBe(1)
    expect(await insidePlace(placeId)).toBe(4)
    expect(await insideOf(id)).toBe(0)
    expect(want(await get(owner, `/presence/place/${placeId}/counted`), 200).json).toEqual({
      placeId,
      counted: 3,
      inside: 4
    })
  })

  it("never falls below 0: what is missing is drift", async () => {
    const { id } = await organization()
    const device = await make(id)
    expect(await accepted(count(device, ofOrganization(2, 5)))).toBe(1)
    expect(await insideOf(id)).toBe(0)
    expect((await listed(id))[0]).toMatchObject({
      state: "ok",
      drift: 3,
      lastSeenAt: expect.stringMatching(/:00\.000Z$/)
    })
    expect(await accepted(count(device, ofOrganization(3, 5)))).toBe(1)
    expect(await insideOf(id)).toBe(1)
  })

  it("a step of 10,000 counts, and one above is 400 with all that came with it", async () => {
    const { id } = await organization()
    const { id: placeId } = await place(id, square(0))
    const device = await make(id, [{ placeId }, { organization: true }])
    want(await count(device, ofPlace(placeId, 5, 0), ofOrganization(10_001, 0)), 400)
    want(await count(device, ofOrganization(0, 10_001)), 400)
    expect([await insideOf(id), await insidePlace(placeId)]).toEqual([0, 0])
    expect(await accepted(count(device, ofOrganization(10_000, 0), ofOrganization(20_000, 10_000)))).toBe(2)
    expect(await insideOf(id)).toBe(10_000)
    expect((await listed(id))[0].drift).toBe(0)
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

  it("the 20 newest epochs count, and a reading of an older one changes nothing", async () => {
    const { id } = await organization()
    const device = await make(id)
    for (let epoch = 1; epoch <= 21; epoch++) {
      expect(await accepted(count(device, ofOrganization(1, 0, `epoch ${epoch}`)))).toBe(1)
    }
    expect(await accepted(count(device, ofOrganization(9, 0, "epoch 1")))).toBe(0)
    expect(await accepted(count(device, ofOrganization(2, 0, "epoch 2")))).toBe(1)
    expect(await insideOf(id)).toBe(22)
  })

  it("a deleted place leaves the device, and takes its people along", async () => {
    const { id } = await organization()
    const { id: placeId } = await place(id, square(0))
    const device = await make(id, [{ placeId }, { organization: true }])
    expect(await accepted(count(device, ofPlace(placeId, 4, 0)))).toBe(1)
    want(await remove(owner, `/place/${placeId}`), 205)
    want(await count(device, ofPlace(placeId, 5, 0)), 403)
    expect((await listed(id))[0].premises).toEqual([{ organization: true }])
    expect(await accepted(count(device, ofOrganization(1, 0)))).toBe(1)
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

  it("a number that never fits the counts of a device goes on from the correction", async () => {
    const { id } = await organization()
    const device = await make(id)
    expect(await accepted(count(device, ofOrganization(3, 9)))).toBe(1)
    want(await put(owner, `/presence/organization/${id}/counted`, { counted: 5 }), 200)
    expect(await accepted(count(device, ofOrganization(3, 11)))).toBe(1)
    expect(await insideOf(id)).toBe(3)
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

  it("a device that sends nothing is silent, and ok again with its next reading", async () => {
    const { id } = await organization()
    want(await policy(id, { deviceSilentAfter: 1 }), 200)
    const device = await make(id)
    const idle = await make(id, [{ organization: true }], { name: "Idle" })
    expect(await accepted(count(device, ofOrganization(1, 0)))).toBe(1)
    await eventually("the device is silent", async () => (await listed(id))[0].state === "silent")
    expect(await accepted(count(device, ofOrganization(1, 0)))).toBe(0)
    expect(await listed(id)).toMatchObject([
      { deviceId: device.deviceId, state: "ok" },
      { deviceId: idle.deviceId, state: "new" }
    ])
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
