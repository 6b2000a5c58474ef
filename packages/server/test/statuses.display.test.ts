/** Displays over HTTP (spec: devices#displays). Which endpoints refuse them is in the table of `authorization.test.ts`. */
import { describe, expect, it } from "vitest"
import { makeEventStreams } from "./eventStream.ts"
import { at, makeFixtures, NOWHERE, square, unique, want, whole } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"
import { IMAGES } from "./images.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { authenticated, call, enter, get, operator, organization, owner, place, post, put } = fixtures
const open = makeEventStreams(sojourn.port)

const withToken = (token: string): Bearer => ({ id: "display", mail: "", token })

const make = async (organizationId: number, over: object = {}) =>
  want(
    await post(owner, `/device/organization/${organizationId}`, {
      name: "Wall",
      premises: [{ organization: true }],
      kind: "display",
      ...over
    }),
    201
  ).json

/** A display of an organization, as a caller. */
const aDisplay = async (organizationId: number) => {
  const { deviceId, token } = await make(organizationId)
  return { deviceId, display: withToken(token) }
}
const aCounter = async (organizationId: number) => withToken((await make(organizationId, { kind: "counter" })).token)

const listed = async (organizationId: number) =>
  want(await get(owner, `/device/organization/${organizationId}`), 200).json
const policy = (id: number, change: object) => put(operator, `/operator/organization/${id}/policy`, change)
const rotate = async (deviceId: number) =>
  withToken(want(await post(owner, `/device/${deviceId}/token`, undefined), 200).json.token)
const of = (...ids: ReadonlyArray<number>) => `?organizations=${ids.join()}`
const follow = async (who: Bearer, id: number) => {
  const stream = await open(who, of(id))
  await stream.want("snapshot")
  return stream
}

/** The queries of all that a display reads but images and the stream, of an organization and one of its places. */
const readings = (organizationId: number, placeId: number): ReadonlyArray<string> => {
  const today = `step=day&from=${at(-60)}&to=${at(60)}`
  return [
    `/organization/${organizationId}`,
    `/place/organization/${organizationId}`,
    `/place/organization/${organizationId}?level=0`,
    `/floorplans/organization/${organizationId}`,
    ...[`organization/${organizationId}`, `place/${placeId}`].flatMap((premises) => [
      `/presence/${premises}/counter`,
      `/capacity/${premises}`,
      `/presence/${premises}/history?${today}`
    ])
  ]
}

const image = async (id: number, who: Bearer, headers: Record<string, string> = {}) =>
  fetch(`${sojourn.baseUrl}/floorplan/organization/${id}?level=0`, {
    headers: { authorization: `Bearer ${await who.token}`, ...headers }
  })

/** An organization with a place that has a capacity, and a floor plan. */
const anEquipped = async (made: Promise<any>) => {
  const { id } = await made
  const { id: placeId } = await place(id, square(0))
  const plan = `/floorplan/organization/${id}?level=0&west=11&south=45&east=12&north=46`
  want(await call(owner, "PUT", plan, { body: IMAGES["image/png"], type: "image/png" }), 200)
  want(await put(owner, `/capacity/place/${placeId}`, { capacity: 3 }), 200)
  return { id, placeId }
}

describe("the kind of a device", () => {
  it("is answered of displays alone: made, listed, and with a new token", async () => {
    const { id } = await organization()
    const display = await make(id)
    const counters = [await make(id, { kind: "counter" }), await make(id, { kind: null })]
    expect(display).toMatchObject({ kind: "display", token: expect.stringMatching(/^sjd_[A-Za-z0-9_-]{43}$/) })
    for (const counter of counters) expect(counter).not.toHaveProperty("kind")
    const [first, ...others] = await listed(id)
    expect(first).toMatchObject({ deviceId: display.deviceId, kind: "display", state: "new", drift: 0 })
    expect(others).toHaveLength(2)
    for (const other of others) expect(other).not.toHaveProperty("kind")
    const rotated = want(await post(owner, `/device/${display.deviceId}/token`, undefined), 200).json
    expect(rotated).toMatchObject({ kind: "display" })
    const { entries } = want(
      await get(owner, `/audit/organization/${id}?from=${at(-600)}&to=${at(600)}&action=device.create`),
      200
    ).json
    expect(entries.map(({ changes }: any) => changes.kind)).toEqual([undefined, undefined, { to: "display" }])
  })

  it.each(["Display", "", 1, "camera"])("%j: 400", async (kind) => {
    const { id } = await organization()
    want(
      await post(owner, `/device/organization/${id}`, { name: "Wall", premises: [{ organization: true }], kind }),
      400
    )
    want(await get(owner, `/device/organization/${id}`), 204)
  })

  it("a display without premises, or of a place of another organization: 400", async () => {
    const { id } = await organization()
    const { id: foreign } = await place((await organization()).id)
    for (const premises of [[], [{ placeId: foreign }]]) {
      want(await post(owner, `/device/organization/${id}`, { name: "Wall", premises, kind: "display" }), 400)
    }
  })
})

describe("a display", () => {
  it.each([
    ["an anonymous", () => organization()],
    ["an authenticated", () => authenticated()]
  ] as const)(
    "of %s organization reads what an administrator reads of it, whatever premises it shows",
    async (_, made) => {
      const { id, placeId } = await anEquipped(made())
      const { token } = await make(id, { premises: [{ placeId }] })
      for (const path of readings(id, placeId)) {
        const [own, administrators] = [await get(withToken(token), path), await get(owner, path)]
        expect([own.status, own.json], path).toEqual([200, administrators.json])
      }
      const read = await image(id, withToken(token))
      expect([read.status, new Uint8Array(await read.arrayBuffer())]).toEqual([200, IMAGES["image/png"]])
      expect((await image(id, withToken(token), { "if-none-match": read.headers.get("etag")! })).status).toBe(304)
      const stream = await open(withToken(token), of(id))
      expect((await stream.want("snapshot")).data.organizations).toMatchObject([{ organizationId: id, inside: 0 }])
      want(await put(owner, `/capacity/place/${placeId}`, { capacity: 5 }), 200)
      const audit = want(await get(owner, `/audit/organization/${id}?from=${at(-600)}&to=${at(600)}`), 200).json
      expect(audit.entries.map(({ action }: any) => action)).not.toContain("person.read")
    }
  )

  it("sees each change as it is published", async () => {
    const { id } = await organization()
    want(await policy(id, { eventGrain: 0 }), 200)
    const { display } = await aDisplay(id)
    const stream = await follow(display, id)
    want(await enter(sojourn.user(unique("user")), whole(id)), 201)
    expect((await stream.want("presence.changed")).data).toMatchObject({ entered: 1, inside: 1 })
    expect(want(await get(display, `/presence/organization/${id}/counter`), 200).json).toEqual({
      organizationId: id,
      counter: 1
    })
  })

  it("reads what was published where an anonymous organization has a publishing interval", async () => {
    const { id } = await organization()
    want(await policy(id, { eventGrain: 60 }), 200)
    const { display } = await aDisplay(id)
    const before = want(await get(display, `/presence/organization/${id}/counter`), 200).json.counter
    want(await enter(sojourn.user(unique("user")), whole(id)), 201)
    const [own, administrators] = await Promise.all(
      [display, owner].map((who) => get(who, `/presence/organization/${id}/counter`))
    )
    expect([before, own!.json]).toEqual([0, administrators!.json])
  })

  it("reads nothing of another organization: 403, or 404 where there is nothing", async () => {
    const { id, placeId } = await anEquipped(organization())
    const { id: own } = await organization()
    const { display } = await aDisplay(own)
    for (const path of readings(id, placeId)) want(await get(display, path), 403, path)
    expect([(await image(id, display)).status, (await image(NOWHERE, display)).status]).toEqual([403, 404])
    for (const path of readings(NOWHERE, NOWHERE)) {
      want(await get(display, path), path.startsWith("/place/") ? 403 : 404, path)
    }
    for (const [ids, status] of [
      [[id], 403],
      [[own, id], 403],
      [[own, NOWHERE], 404]
    ] as const) {
      const { status: answered } = await open(display, of(...ids))
      expect(answered).toBe(status)
    }
  })

  it("counts nothing, and a counter reads nothing: 403", async () => {
    const { id, placeId } = await anEquipped(organization())
    const { display } = await aDisplay(id)
    const counter = await aCounter(id)
    const body = { readings: [{ organization: true, epoch: "a", in: 1, out: 0 }] }
    want(await post(display, "/device/count", body), 403)
    for (const path of readings(id, placeId)) want(await get(counter, path), 403, path)
    expect((await image(id, counter)).status).toBe(403)
    expect((await open(counter, of(id))).status).toBe(403)
    for (const who of [display, counter]) {
      const plan = `/floorplan/organization/${id}?level=0&west=11&south=45&east=12&north=46`
      want(await call(who, "PUT", plan, { body: IMAGES["image/png"], type: "image/png" }), 403)
      want(await call(who, "DELETE", `/floorplan/organization/${id}?level=0`), 403)
    }
    expect(await fixtures.inside(whole(id))).toBe(0)
  })

  it("that is removed loses its streams, and then every reading is 401", async () => {
    const { id } = await organization()
    const { deviceId, display } = await aDisplay(id)
    const { display: other } = await aDisplay(id)
    const [stream, stays] = [await follow(display, id), await follow(other, id)]
    want(await call(owner, "DELETE", `/device/${deviceId}`), 204)
    expect((await stream.want("gone")).data).toEqual({ organizationId: id, reason: "forbidden" })
    expect((await stream.want("end")).data).toEqual({ reason: "forbidden" })
    await stream.closed
    await expect.poll(async () => (await get(display, `/organization/${id}`)).status).toBe(401)
    want(await get(display, `/presence/organization/${id}/counter`), 401)
    expect((await open(display, of(id))).status).toBe(401)
    want(await get(other, `/organization/${id}`), 200)
    expect(stays.text()).not.toContain("event: end")
  })

  it("keeps the streams of its token and of the former one, and loses those of the one before", async () => {
    const { id } = await organization()
    const { deviceId, display } = await aDisplay(id)
    const first = await follow(display, id)
    const second = await follow(await rotate(deviceId), id)
    want(await get(display, `/organization/${id}`), 200)
    await rotate(deviceId)
    expect((await first.want("end")).data).toEqual({ reason: "expired" })
    await expect.poll(async () => (await get(display, `/organization/${id}`)).status).toBe(401)
    expect(second.text()).not.toContain("event: end")
  })

  it("of an organization that is deleted says so", async () => {
    const { id } = await organization()
    const stream = await follow((await aDisplay(id)).display, id)
    await fixtures.deleteOrganization(id)
    const messages = await stream.until(({ event }) => event === "gone")
    expect(messages.at(-1)!.data).toEqual({ organizationId: id, reason: "deleted" })
    expect((await stream.want("end")).data).toEqual({ reason: "forbidden" })
  })

  it("is `ok` while it asks or has a stream open, `silent` after, and its refused requests say nothing", async () => {
    const { id } = await organization()
    want(await policy(id, { deviceSilentAfter: 1 }), 200)
    const [streaming, asking, refused] = [await aDisplay(id), await aDisplay(id), await aDisplay(id)]
    const events = await follow(owner, id)
    const own = await follow(streaming.display, id)
    want(await get(asking.display, `/organization/${id}`), 200)
    want(await get(refused.display, `/device/organization/${id}`), 403)
    want(await get(refused.display, `/organization/${NOWHERE}`), 404)
    const changed = await events.until(({ data }) => data.state === "silent")
    expect(changed.map(({ data }) => [data.type, data.deviceId])).toEqual([["device.changed", asking.deviceId]])
    const [one, other, third] = await listed(id)
    expect(one).toMatchObject({ state: "ok", lastSeenAt: expect.stringMatching(/:00\.000Z$/) })
    expect([other.state, third]).toEqual(["silent", expect.not.objectContaining({ lastSeenAt: expect.anything() })])
    expect(third.state).toBe("new")
    want(await get(asking.display, `/place/organization/${id}`), 204)
    const back = await events.until(({ data }) => data.state === "ok")
    expect(back.map(({ data }) => data.deviceId)).toEqual([asking.deviceId])
    own.close()
  })
})
