/** The presence stream over HTTP: its messages, its readers, how it resumes and ends. */
import { Duration } from "effect"
import { describe, expect, it } from "vitest"
import { makeEventStreams, type EventStream, type Message } from "./eventStream.ts"
import { makeFixtures, NOWHERE, square, unique, want, whole } from "./fixtures.ts"
import { type Bearer, sojournForThisFile, startSojourn } from "./harness.ts"

const sojourn = await sojournForThisFile()
const { bind, call, deleteOrganization, enter, leave, operator, organization, owner, place, post, put } =
  makeFixtures(sojourn)
const open = makeEventStreams(sojourn.port)

const of = (...ids: ReadonlyArray<number | string>) => `?organizations=${ids.join(",")}`
const someone = () => sojourn.user(unique("user"))

/** An organization whose events are published at once. */
const lively = async (): Promise<any> => {
  const made = await organization()
  want(await put(operator, `/operator/organization/${made.id}/policy`, { eventGrain: 0 }), 200)
  return made
}

/** Opens a stream of organizations, and reads its snapshot. */
const follow = async (who: Bearer, ...ids: ReadonlyArray<number>) => {
  const stream = await open(who, of(...ids))
  await stream.want("snapshot")
  return stream
}
const enters = async (id: number) => want(await enter(someone(), whole(id)), 201)

const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const isOf = (version: number) => (message: Message) => message.data.version === version

describe("GET /presence/stream", () => {
  it("200 a snapshot at once, then each event with the version that follows", async () => {
    const { id } = await lively()
    const { id: placeId } = await place(id)
    const stream = await open(owner, of(id))
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-request-id": expect.any(String)
    })
    const snapshot = await stream.want("snapshot")
    const none = { inside: 0, entered: 0, left: 0, level: "none" }
    expect(snapshot.data).toEqual({
      reason: "start",
      organizations: [{ organizationId: id, version: 1, ...none, places: [{ placeId, ...none }] }]
    })
    expect(stream.text()).toMatch(/^retry: 1000\n\n/)
    const visitor = someone()
    const { exitToken } = want(await enter(visitor, { kind: "place", id: placeId }), 201).json
    const changed = { type: "presence.changed", organizationId: id, at: stamp, placeId }
    expect((await stream.want("presence.changed")).data).toEqual({
      version: 2,
      ...changed,
      entered: 1,
      left: 0,
      inside: 1
    })
    want(await leave(visitor, { kind: "place", id: placeId }, exitToken), 202)
    expect((await stream.want("presence.changed")).data).toEqual({
      version: 3,
      ...changed,
      entered: 0,
      left: 1,
      inside: 0
    })
    want(await enter(visitor, whole(id)), 201)
    const { data } = await stream.want("presence.changed")
    expect(data).toEqual({
      version: 4,
      type: "presence.changed",
      organizationId: id,
      at: stamp,
      entered: 1,
      left: 0,
      inside: 1
    })
  })

  it("has the events of capacities, places and the organization", async () => {
    const { id } = await lively()
    const stream = await follow(owner, id)
    want(await put(owner, `/capacity/organization/${id}`, { capacity: 1 }), 200)
    const event = { organizationId: id, at: stamp }
    expect((await stream.want("capacity.changed")).data).toEqual({
      version: 1,
      type: "capacity.changed",
      ...event,
      level: "normal",
      inside: 0,
      capacity: 1
    })
    await enters(id)
    expect((await stream.want("presence.changed")).data.version).toBe(2)
    expect((await stream.want("capacity.changed")).data).toMatchObject({ version: 3, level: "full", inside: 1 })
    const { id: placeId } = await place(id)
    const changed = { type: "place.changed", ...event, placeId }
    expect((await stream.want("place.changed")).data).toEqual({ version: 4, ...changed, changed: "created" })
    want(await put(owner, "/place", { id: placeId, name: "East wing" }), 200)
    expect((await stream.want("place.changed")).data).toEqual({ version: 5, ...changed, changed: "updated" })
    want(await enter(someone(), { kind: "place", id: placeId }), 201)
    await stream.want("presence.changed")
    want(await call(owner, "DELETE", `/place/${placeId}`), 205)
    expect((await stream.want("presence.changed")).data).toMatchObject({ version: 7, placeId, left: 1, inside: 0 })
    expect((await stream.want("place.changed")).data).toEqual({ version: 8, ...changed, changed: "deleted" })
    want(await put(owner, "/organization", { id, city: "Padova" }), 200)
    expect((await stream.want("organization.changed")).data).toEqual({
      version: 9,
      type: "organization.changed",
      ...event,
      changed: "updated"
    })
    want(await put(owner, `/capacity/organization/${id}`, { capacity: null }), 200)
    const lifted = (await stream.want("capacity.changed")).data
    expect(lifted).toEqual({ version: 10, type: "capacity.changed", ...event, level: "none", inside: 1 })
  })

  it("has the events of musters: started, updated when something changed, ended", async () => {
    const { id } = await lively()
    const stream = await follow(owner, id)
    const muster = want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201).json
    const { musterId } = muster
    const expectMuster = async (state: string, version: number) => {
      const { data } = await stream.want("muster.changed")
      expect(data).toEqual({ version, type: "muster.changed", organizationId: id, at: stamp, musterId, state })
    }
    await expectMuster("started", 1)
    const safe = (count: number) => post(owner, `/muster/${musterId}/safe`, { count })
    for (const count of [3, 3, 4]) want(await safe(count), 200)
    want(await call(owner, "POST", `/muster/${musterId}/end`), 200)
    want(await call(owner, "POST", `/muster/${musterId}/end`), 200)
    want(await safe(5), 409)
    // A request that changed nothing has no event.
    want(await put(owner, "/organization", { id, description: "afterwards" }), 200)
    for (const [n, state] of ["updated", "updated", "ended"].entries()) await expectMuster(state, n + 2)
    expect((await stream.want("organization.changed")).data).toMatchObject({ version: 5 })
    const next = want(await post(owner, `/muster/organization/${id}`, { kind: "evacuation" }), 201).json
    const resumed = await open(owner, of(id), { "last-event-id": stream.lastId() })
    expect((await resumed.want("muster.changed")).data).toMatchObject({
      musterId: next.musterId,
      state: "started",
      version: 6
    })
  })

  it("a snapshot has the totals, capacities and levels of an organization and its places", async () => {
    const { id } = await lively()
    const { id: placeId } = await place(id)
    want(await put(owner, `/capacity/place/${placeId}`, { capacity: 2, warnAt: 0.5 }), 200)
    const visitor = someone()
    const { exitToken } = want(await enter(visitor, whole(id)), 201).json
    want(await leave(visitor, whole(id), exitToken), 202)
    want(await enter(visitor, { kind: "place", id: placeId }), 201)
    const follower = await open(owner, of(id))
    await follower.until(({ data }) => data.placeId === placeId || data.organizations?.[0].places[0].inside === 1)
    const stream = await open(owner, of(id))
    const [{ version, ...totals }] = (await stream.want("snapshot")).data.organizations
    expect(version).toBeGreaterThan(2)
    expect(totals).toEqual({
      organizationId: id,
      inside: 0,
      entered: 1,
      left: 1,
      level: "none",
      places: [{ placeId, inside: 1, entered: 1, left: 0, capacity: 2, level: "warning" }]
    })
  })

  it("one stream has many organizations, each with versions of its own", async () => {
    const ids: Array<number> = []
    for (let i = 0; i < 20; i++) ids.push((await lively()).id)
    ids.reverse()
    const stream = await open(owner, of(...ids))
    const { data } = await stream.want("snapshot")
    expect(data.organizations.map((one: any) => one.organizationId)).toEqual(ids)
    for (const id of [ids[3]!, ids[19]!]) {
      await enters(id)
      expect((await stream.want("presence.changed")).data).toMatchObject({ organizationId: id, version: 1 })
    }
    const resumed = await open(owner, of(...ids), { "last-event-id": stream.lastId() })
    await enters(ids[7]!)
    for (const one of [stream, resumed]) {
      expect((await one.want("presence.changed")).data).toMatchObject({ organizationId: ids[7], version: 1 })
    }
  })

  it("an organization that is named twice is on the stream once", async () => {
    const { id } = await organization()
    const stream = await open(owner, of(id, id))
    expect((await stream.want("snapshot")).data.organizations).toHaveLength(1)
  })
})

describe("authorization of presence streams", () => {
  it.each([
    ["no list", ""],
    ["an empty list", "?organizations="],
    ["an empty element", "?organizations=1,,2"],
    ["a word", "?organizations=all"],
    ["a negative id", "?organizations=-1"],
    ["an id beyond all Longs", "?organizations=9223372036854775808"],
    ["more than 20", of(...Array.from({ length: 21 }, (_, i) => i + 1))],
    ["two lists", "?organizations=1&organizations=2"],
    ["commas alone", `?organizations=${",".repeat(8_000)}`],
    ["an id in another notation", "?organizations=0x1"],
    ["an id with a sign", "?organizations=%2B1"],
    ["an id with a blank", "?organizations=%201"],
    ["an id in other digits", "?organizations=%D9%A1"],
    ["an id with NUL", "?organizations=1%00"],
    ["an id of 8 KiB", `?organizations=${"1".repeat(8_192)}`]
  ])("400 %s, before 404 and 403", async (_, query) => {
    expect((await open(owner, query)).status).toBe(400)
    expect((await open(sojourn.administrator(unique("stranger")), query)).status).toBe(400)
    expect((await open(someone(), query)).status).toBe(403)
    expect((await open(undefined, query)).status).toBe(401)
  })

  it("404 an unknown organization, before 403 one that the administrator is not bound to", async () => {
    const { id } = await organization()
    const stranger = sojourn.administrator(unique("stranger"))
    expect((await open(owner, of(NOWHERE))).status).toBe(404)
    expect((await open(owner, of(id, NOWHERE))).status).toBe(404)
    expect((await open(stranger, of(id, NOWHERE))).status).toBe(404)
    expect((await open(stranger, of(id))).status).toBe(403)
    expect((await open(operator, of(id))).status).toBe(403)
    const viewer = await bind(id, stranger, "viewer")
    expect((await open(viewer, of(id))).status).toBe(200)
    const other = await organization()
    want(await call(owner, "GET", `/organization/${other.id}`), 200)
    expect((await open(viewer, of(id, other.id))).status).toBe(403)
  })

  it("401 without credentials and with bad ones; 405 for other methods; HEAD has headers alone", async () => {
    const { id } = await organization()
    expect((await open(undefined, of(id))).status).toBe(401)
    expect((await open("Bearer nonsense", of(id))).status).toBe(401)
    expect(want(await post(owner, `/presence/stream${of(id)}`, {}), 405).headers.allow).toBe("GET, HEAD")
    const head = want(await call(owner, "HEAD", `/presence/stream${of(id)}`), 200)
    expect(head.headers["content-type"]).toBe("text/event-stream")
    expect(head.text).toBe("")
    expect(want(await call(owner, "HEAD", `/presence/stream${of(NOWHERE)}`), 404).text).toBe("")
  })
})

describe("resuming", () => {
  const moved = async (id: number, times: number, stream: EventStream, from: number) => {
    for (let i = 1; i <= times; i++) {
      await enters(id)
      await stream.until(isOf(from + i))
    }
  }

  it("after an id has the missed events alone, by the header and by the query", async () => {
    const { id } = await lively()
    const witness = await open(owner, of(id))
    const { id: first } = await witness.want("snapshot")
    await moved(id, 3, witness, 0)
    for (const resume of [
      () => open(owner, of(id), { "last-event-id": first! }),
      () => open(owner, `${of(id)}&lastEventId=${encodeURIComponent(first!)}`),
      () => open(owner, `${of(id)}&lastEventId=nonsense`, { "last-event-id": first! })
    ]) {
      const stream = await resume()
      for (const version of [1, 2, 3]) {
        expect((await stream.want("presence.changed")).data).toMatchObject({ version, inside: version })
      }
    }
    witness.close()
    await witness.closed
    const stream = await open(owner, of(id), { "last-event-id": witness.lastId() })
    await moved(id, 1, stream, 3)
  })

  it("after the id of a message has the later events of each organization", async () => {
    const [{ id: one }, { id: two }] = [await lively(), await lively()]
    const witness = await follow(owner, one, two)
    await enters(one)
    const { id } = await witness.want("presence.changed")
    await enters(two)
    await witness.want("presence.changed")
    await enters(one)
    await witness.want("presence.changed")
    const stream = await open(owner, of(one, two), { "last-event-id": id! })
    const missed = [await stream.want("presence.changed"), await stream.want("presence.changed")]
    const versions = missed.map(({ data }) => [data.organizationId, data.version])
    expect(versions).toHaveLength(2)
    expect(versions).toEqual(
      expect.arrayContaining([
        [one, 2],
        [two, 1]
      ])
    )
  })

  it("an organization that is not in the id gets a snapshot", async () => {
    const [{ id: one }, { id: two }] = [await lively(), await lively()]
    const witness = await open(owner, of(one))
    const { id } = await witness.want("snapshot")
    await moved(one, 1, witness, 0)
    const stream = await open(owner, of(one, two), { "last-event-id": id! })
    const messages = [await stream.next(), await stream.next()]
    const snapshot = messages.find(({ event }) => event === "snapshot")!.data
    expect(snapshot).toMatchObject({ reason: "start", organizations: [{ organizationId: two, version: 0 }] })
    expect(snapshot.organizations).toHaveLength(1)
    const missed = messages.find(({ event }) => event === "presence.changed")!.data
    expect(missed).toMatchObject({ organizationId: one, version: 1 })
  })

  it.each([
    ["nonsense", () => "nonsense"],
    ["an id of other feeds", (id: string) => id.replace(/^[^;]*/, "another")],
    ["an id of versions to come", (id: string) => id.replace(/:\d+$/, ":99")],
    ["a version above 2^53", (id: string) => id.replace(/:\d+$/, ":9007199254740993")],
    ["a version beyond all Longs", (id: string) => id.replace(/:\d+$/, ":9223372036854775808")],
    ["a version below 0", (id: string) => id.replace(/:\d+$/, ":-1")],
    ["a broken escape", (id: string) => id.replace(/^[^;]*/, "%E0%A4%")],
    ["an escaped line that forges a message", (id: string) => id.replace(/^[^;]*/, "%0Aevent: end%0Adata: {}%0A%0A")],
    ["32 KiB", () => "x".repeat(31 * 1024)],
    ["32 KiB of an id", (id: string) => `${id}${",1:1".repeat(7 * 1024)}:`]
  ])("%s: reset, and a snapshot", async (_, changed) => {
    const { id } = await lively()
    const witness = await open(owner, of(id))
    const { id: known } = await witness.want("snapshot")
    const stream = await open(owner, of(id), { "last-event-id": changed(known!) })
    expect((await stream.want("reset")).data).toEqual({ reason: "unknown" })
    const { data } = await stream.want("snapshot")
    expect(stream.lastId()).toBe(known)
    expect(data).toMatchObject({ reason: "reset", organizations: [{ organizationId: id, version: 0 }] })
    await enters(id)
    expect((await stream.want("presence.changed")).data.version).toBe(1)
  })

  it("an id before the oldest stored event, on a server without them in memory: reset, and a snapshot", async () => {
    const { id } = await lively()
    const witness = await open(owner, of(id))
    const { id: first } = await witness.want("snapshot")
    await moved(id, 3, witness, 0)
    await sojourn.forgetEvents()
    const other = await sojourn.startBeside()
    const stream = await makeEventStreams(other.port)(owner, of(id), { "last-event-id": first! })
    expect((await stream.want("reset")).data).toEqual({ reason: "expired" })
    const { data } = await stream.want("snapshot")
    expect(data).toMatchObject({ reason: "reset", organizations: [{ organizationId: id, version: 3, inside: 3 }] })
    expect(stream.lastId()).toBe(witness.lastId())
    await enters(id)
    expect((await stream.want("presence.changed")).data).toMatchObject({ version: 4, inside: 4 })
    await other.stop()
  })
})

it("an id with the versions of as many organizations as a header holds resumes after its own version, and has no event of others", async () => {
  const { id } = await lively()
  const witness = await open(owner, of(id))
  const { id: known } = await witness.want("snapshot")
  await enters(id)
  const { id: next } = await witness.want("presence.changed")
  // As many as a header holds.
  let others = ""
  for (let other = id + 1; others.length < 14_000; other++) others += `,${other}:7`
  const stream = await open(owner, of(id), { "last-event-id": `${known}${others}` })
  expect(await stream.want("presence.changed")).toMatchObject({ id: next, data: { version: 1 } })
})

describe("the end of a stream, or of an organization on it", () => {
  it("a removed permission: `gone`, and events of the other organizations continue; `end` after the last one", async () => {
    const [{ id: one }, { id: two }] = [await lively(), await lively()]
    const viewer = sojourn.administrator(unique("viewer"))
    await bind(one, viewer, "viewer")
    await bind(two, viewer, "viewer")
    const stream = await follow(viewer, one, two)
    const unbind = (organizationId: number) =>
      post(owner, "/administrator/unbindadministrator", { organizationId, administratorId: viewer.id, permission: 1 })
    want(await unbind(one), 204)
    expect((await stream.want("gone")).data).toEqual({ organizationId: one, reason: "forbidden" })
    await enters(one)
    await enters(two)
    expect((await stream.want("presence.changed")).data.organizationId).toBe(two)
    want(await unbind(two), 204)
    expect((await stream.want("gone")).data).toEqual({ organizationId: two, reason: "forbidden" })
    expect((await stream.want("end")).data).toEqual({ reason: "forbidden" })
    await stream.closed
  })

  it("a deleted organization: `gone`", async () => {
    const [{ id: one }, { id: two }] = [await lively(), await lively()]
    const stream = await follow(owner, one, two)
    await deleteOrganization(one)
    expect((await stream.want("gone")).data).toEqual({ organizationId: one, reason: "deleted" })
    await enters(two)
    expect((await stream.want("presence.changed")).data.organizationId).toBe(two)
  })

  it("a closed connection removes its stream", async () => {
    const { id } = await organization()
    const stream = await follow(owner, id)
    stream.close()
    await stream.closed
    const streams = async () =>
      (await call(undefined, "GET", "/metrics")).text.match(/^sojourn_presence_streams (\d+)$/m)?.[1]
    // The metrics are up to a second old.
    await expect.poll(streams, { timeout: 30_000 }).toBe("0")
  })
})

describe("limits of the number of streams", () => {
  it("20 per caller: a further stream ends the oldest one, and no other", async () => {
    const { id } = await lively()
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    const other = await follow(owner, id)
    const streams: Array<EventStream> = []
    for (let i = 0; i < 22; i++) streams.push(await follow(viewer, id))
    // A stream that did not end would get this instead.
    await enters(id)
    for (const replaced of streams.slice(0, 2)) {
      expect((await replaced.want("end")).data).toEqual({ reason: "replaced" })
      await replaced.closed
    }
    for (const stream of [other, ...streams.slice(2)]) await stream.want("presence.changed")
    const resumed = await open(viewer, of(id), { "last-event-id": streams[0]!.lastId() })
    expect((await resumed.want("presence.changed")).data).toMatchObject({ version: 1, inside: 1 })
  })

  it("20 per caller on each server: a replaced stream resumes at another server without loss", async () => {
    const { id } = await lively()
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    const beside = await sojourn.startBeside()
    const [here, there]: [Array<EventStream>, Array<EventStream>] = [[], []]
    for (let i = 0; i < 20; i++) {
      here.push(await open(viewer, of(id)))
      there.push(await makeEventStreams(beside.port)(viewer, of(id)))
    }
    for (const stream of [...here, ...there]) await stream.want("snapshot")
    const further = await follow(viewer, id)
    await enters(id)
    expect((await here[0]!.want("end")).data).toEqual({ reason: "replaced" })
    const resumed = await makeEventStreams(beside.port)(viewer, of(id), { "last-event-id": here[0]!.lastId() })
    for (const stream of [resumed, further, ...here.slice(1), ...there.slice(1)]) {
      expect((await stream.want("presence.changed")).data).toMatchObject({ version: 1, inside: 1 })
    }
    expect((await there[0]!.until(({ event }) => event === "end")).at(-1)!.data).toEqual({ reason: "replaced" })
    await beside.stop()
  })

  it("a tenth of all streams per organization when others request streams; more when none do", async () => {
    const server = await startSojourn({
      streams: { maxSubscribers: 20, maxSubscribersPerCaller: 20, streamLifetime: Duration.hours(1) }
    })
    const { organization, owner } = makeFixtures(server)
    const [{ id: crowded }, { id: other }, { id: third }] = [
      await organization(),
      await organization(),
      await organization()
    ]
    const callers = [owner]
    const fixtures = makeFixtures(server)
    for (let i = 0; i < 4; i++) {
      const viewer = server.administrator(unique("viewer"))
      for (const id of [crowded, other, third]) await fixtures.bind(id, viewer, "viewer")
      callers.push(viewer)
    }
    const openThere = makeEventStreams(server.port)
    const streams: Array<EventStream> = []
    for (let i = 0; i < 20; i++) {
      const stream = await openThere(callers[i % 5], of(crowded))
      await stream.want("snapshot")
      streams.push(stream)
    }
    // The organization that has all places gets no further one.
    const refused = await openThere(owner, of(crowded))
    expect(refused.status).toBe(503)
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/)
    for (const [n, query] of [of(other), of(other), of(crowded, third)].entries()) {
      const stream = await openThere(owner, query)
      await stream.want("snapshot")
      expect((await streams[n]!.want("end")).data).toEqual({ reason: "replaced" })
      await streams[n]!.closed
    }
    // It has its tenth, and asks for more.
    expect((await openThere(owner, of(other))).status).toBe(503)
    expect((await openThere(owner, of(other, crowded))).status).toBe(503)
    expect((await openThere(owner, of(other, third))).status).toBe(200)
    await server.stop()
  })
})

describe("resuming many streams at once", () => {
  it("from different positions: each gets the events after its position, or a snapshot", async () => {
    const { id } = await lively()
    const witness = await open(owner, of(id))
    const known = (await witness.want("snapshot")).id!
    const last = 1_010
    const change = () => put(owner, "/organization", { id, city: unique("city") })
    for (let version = 0; version < last; version += 10) {
      for (const answer of await Promise.all(Array.from({ length: 10 }, change))) want(answer, 200)
    }
    await witness.until(isOf(last))
    witness.close()
    await witness.closed
    const positions = [0, 5, 9, 10, 11, 100, 500, 509, 510, 1_009, 1_010, 1_011]
    const at = (position: number) => known.replace(/:\d+$/, `:${position}`)
    const streams = await Promise.all(
      positions.map((position) => open(owner, of(id), { "last-event-id": at(position) }))
    )
    for (const [n, position] of positions.entries()) {
      const stream = streams[n]!
      if (position > last) expect((await stream.want("reset")).data).toEqual({ reason: "unknown" })
      if (position > last || last - position > 1_000) {
        const { data } = await stream.want("snapshot")
        expect(data.reason).toBe(position > last ? "reset" : "behind")
        expect(data.organizations).toMatchObject([{ organizationId: id, version: last }])
        continue
      }
      for (let version = position + 1; version <= last; version++) {
        expect((await stream.want("organization.changed")).data.version).toBe(version)
      }
    }
    want(await change(), 200)
    for (const stream of streams) expect((await stream.want("organization.changed")).data.version).toBe(last + 1)
  })
})

it("one stream has the events of many places of an organization", async () => {
  const { id } = await lively()
  const places: Array<number> = []
  for (let i = 0; i < 8; i++) places.push((await place(id, square(i))).id)
  const stream = await open(owner, of(id))
  const { data } = await stream.want("snapshot")
  expect(data.organizations[0].places.map((one: any) => one.placeId)).toEqual(places)
  await Promise.all(places.map(async (placeId) => want(await enter(someone(), { kind: "place", id: placeId }), 201)))
  const events = await stream.until(({ data }) => data.version === 16)
  expect(events.map((one) => one.data.version)).toEqual([9, 10, 11, 12, 13, 14, 15, 16])
})
