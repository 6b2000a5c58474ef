/** The presence stream and its client over stores in memory: snapshots, resumption, slow subscribers, rotation and outages. */
import { assert, describe, it } from "@effect/vitest"
import { followPresence } from "@sojourn/adapter-http/client"
import { layerStores } from "@sojourn/adapter-memory"
import { type OrganizationId, PresenceFeed, StoreError, Timestamp } from "@sojourn/core"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Scope, Stream } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { StreamPosition } from "../src/presence/eventId.ts"
import { AREA, compose, type Composition } from "./composed.ts"

interface Message {
  readonly event: string
  readonly id: string
  readonly data: any
}

/** Reads the messages of a stream, one by one. */
const readerOf = (response: Response) => {
  assert.strictEqual(response.status, 200)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  let comments = ""
  const arrived: Array<Message> = []
  const next = async (): Promise<Message | undefined> => {
    while (arrived.length === 0) {
      const { done, value } = await reader.read()
      if (done) return undefined
      const blocks = (rest + value).split("\n\n")
      rest = blocks.pop()!
      for (const block of blocks) {
        const of = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1]
        const data = of("data")
        if (data === undefined) comments += `${block}\n`
        else arrived.push({ event: of("event")!, id: of("id")!, data: JSON.parse(data) })
      }
    }
    return arrived.shift()
  }
  const want = async (event: string): Promise<Message> => {
    const message = await next()
    assert.strictEqual(message?.event, event, JSON.stringify(message))
    return message!
  }
  return { next, want, comments: () => comments, cancel: () => reader.cancel() }
}

type Composed = Awaited<ReturnType<typeof compose>>

/** A new organization with an owner, and the requests of a test about it. */
const organizationOf = async ({ call, fetchHere, baseUrl }: Composed) => {
  const answer = await call("operator:op", "POST", "/operator/organization", {
    name: crypto.randomUUID(),
    trackingArea: AREA,
    trackingMode: "anonymous",
    owner: { administratorId: "owner", mail: "owner@example.test" }
  })
  const id: number = answer.json.id
  await call("operator:op", "PUT", `/operator/organization/${id}/policy`, { eventGrain: 0 })
  const path = `/presence/stream?organizations=${id}`
  const headers = (lastEventId?: string) => ({
    authorization: "Bearer administrator:owner",
    ...(lastEventId !== undefined && { "last-event-id": lastEventId })
  })
  return {
    id,
    /** Adds one event to its feed. */
    change: async () => {
      const { status } = await call("administrator:owner", "PUT", "/organization", { id, city: crypto.randomUUID() })
      assert.strictEqual(status, 200)
    },
    /** The stream without a socket. */
    openHere: async (lastEventId?: string) =>
      readerOf(await fetchHere(new Request(`http://here${path}`, { headers: headers(lastEventId) }))),
    open: async (lastEventId?: string) => readerOf(await fetch(`${baseUrl}${path}`, { headers: headers(lastEventId) })),
    ask: (method = "GET") => fetch(`${baseUrl}${path}`, { method, headers: headers() })
  }
}

/** Stores in memory whose feed is changed, for several compositions. */
const stores = async (change: (feed: PresenceFeed["Service"]) => PresenceFeed["Service"] = (feed) => feed) => {
  const scope = await Effect.runPromise(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(layerStores, scope))
  const feed = Context.get(context, PresenceFeed)
  const layer = Layer.succeedContext(Context.add(context, PresenceFeed, change(feed)))
  return { feed, layer }
}

const composed = async (composition: Composition = {}) => {
  const server = await compose(composition)
  return { server, organization: await organizationOf(server) }
}

describe("the presence stream", () => {
  it("comes by the web handler too, and a client that cancels leaves nothing", async () => {
    const { organization } = await composed({ streams: { maxSubscribers: 1 } })
    const stream = await organization.openHere()
    await stream.want("snapshot")
    await organization.change()
    assert.strictEqual((await stream.want("organization.changed")).data.version, 1)
    assert.strictEqual(stream.comments(), "retry: 1000\n")
    assert.strictEqual((await organization.ask()).status, 503)
    await stream.cancel()
    await (await organization.open()).want("snapshot")
  })

  it("503 with Retry-After beyond the largest number of streams; HEAD takes none of them", async () => {
    const { organization } = await composed({ streams: { maxSubscribers: 2 } })
    for (let i = 0; i < 4; i++) assert.strictEqual((await organization.ask("HEAD")).status, 200)
    const streams = [await organization.open(), await organization.open()]
    const refused = await organization.ask()
    assert.strictEqual(refused.status, 503)
    assert.strictEqual(refused.headers.get("retry-after"), "1")
    for (const stream of streams) await stream.want("snapshot")
  })

  it("a snapshot takes the place of 1,000 events, for a client that reads nothing and at a resume", async () => {
    const { organization } = await composed()
    const [slow, quick] = [await organization.openHere(), await organization.openHere()]
    const { id } = await slow.want("snapshot")
    await quick.want("snapshot")
    for (let changes = 0; changes < 1100; changes += 50) {
      await Promise.all(Array.from({ length: 50 }, organization.change))
      for (let i = 1; i <= 50; i++) {
        assert.strictEqual((await quick.want("organization.changed")).data.version, changes + i)
      }
    }
    // Messages that were written before still arrive.
    let message = (await slow.next())!
    let version = 0
    while (message.event !== "snapshot") {
      assert.strictEqual(message.data.version, ++version)
      message = (await slow.next())!
    }
    assert.isBelow(version, 100)
    assert.strictEqual(message.data.reason, "behind")
    assert.strictEqual(message.data.organizations[0].version, 1100)
    await organization.change()
    assert.strictEqual((await slow.want("organization.changed")).data.version, 1101)

    await slow.cancel()
    await quick.cancel()
    // As many are missing at a resume.
    const resumed = await organization.openHere(id)
    const { data } = await resumed.want("snapshot")
    assert.deepStrictEqual([data.reason, data.organizations[0].version], ["behind", 1101])
    await organization.change()
    assert.strictEqual((await resumed.want("organization.changed")).data.version, 1102)
  })

  it("ends when the credentials expire", async () => {
    let isValid = true
    const { organization } = await composed({ isValid: (token) => isValid || token !== "administrator:owner" })
    const stream = await organization.open()
    await stream.want("snapshot")
    isValid = false
    assert.deepStrictEqual((await stream.want("end")).data, { reason: "expired" })
    assert.isUndefined(await stream.next())
  })

  it("ends when the credentials expire before anything was read for it, and takes its place with it", async () => {
    let isValid = true
    const answering = Deferred.makeUnsafe<void>()
    const { layer } = await stores((feed) => ({
      ...feed,
      generation: Effect.andThen(Deferred.await(answering), feed.generation)
    }))
    const { organization } = await composed({
      stores: layer,
      streams: { maxSubscribers: 1 },
      isValid: (token) => isValid || token !== "administrator:owner"
    })
    const stream = await organization.open()
    isValid = false
    assert.deepStrictEqual((await stream.want("end")).data, { reason: "expired" })
    assert.isUndefined(await stream.next())
    isValid = true
    await Effect.runPromise(Deferred.succeed(answering, undefined))
    await (await organization.open()).want("snapshot")
  })

  it("rotates at the end of its life, and another one goes on", async () => {
    const { organization } = await composed({ streams: { lifetime: Duration.millis(1) } })
    const stream = await organization.open()
    const { id } = await stream.want("snapshot")
    assert.deepStrictEqual((await stream.want("end")).data, { reason: "rotate" })
    assert.isUndefined(await stream.next())
    await organization.change()
    assert.strictEqual((await (await organization.open(id)).want("organization.changed")).data.version, 1)
  })

  it("ends while the server drains, also one that is opened then", async () => {
    const draining = Deferred.makeUnsafe<Duration.Duration>()
    const { organization } = await composed({ streams: { drain: Deferred.await(draining) } })
    const streams = [await organization.open(), await organization.open()]
    for (const stream of streams) await stream.want("snapshot")
    await Effect.runPromise(Deferred.succeed(draining, Duration.millis(10)))
    for (const stream of [...streams, await organization.open()]) {
      let message = await stream.next()
      if (message?.event === "snapshot") message = await stream.next()
      assert.deepStrictEqual([message?.event, message?.data], ["end", { reason: "shutdown" }])
      assert.isUndefined(await stream.next())
    }
  })

  it("ends with what serves it", async () => {
    const { server, organization } = await composed()
    const stream = await organization.openHere()
    await stream.want("snapshot")
    await server.stop()
    assert.deepStrictEqual((await stream.want("end")).data, { reason: "shutdown" })
    assert.isUndefined(await stream.next())
  })

  it("goes on at another server of the same storage: each event once", async () => {
    const shared = await stores()
    const { organization } = await composed({ stores: shared.layer })
    const other = await compose({ stores: shared.layer })
    const stream = await organization.open()
    let { id } = await stream.want("snapshot")
    const resume = async () =>
      readerOf(
        await fetch(`${other.baseUrl}/presence/stream?organizations=${organization.id}`, {
          headers: { authorization: "Bearer administrator:owner", "last-event-id": id }
        })
      )
    await organization.change()
    id = (await stream.want("organization.changed")).id
    await stream.cancel()
    await organization.change()
    await organization.change()
    const resumed = await resume()
    assert.strictEqual((await resumed.want("organization.changed")).data.version, 2)
    assert.strictEqual((await resumed.want("organization.changed")).data.version, 3)
    await organization.change()
    assert.strictEqual((await resumed.want("organization.changed")).data.version, 4)
  })

  it("an id of events that were forgotten: reset, and a snapshot", async () => {
    const { feed, layer } = await stores()
    const { organization } = await composed({ stores: layer })
    const known = await organization.openHere()
    const { id } = await known.want("snapshot")
    await known.cancel()
    for (let i = 0; i < 3; i++) await organization.change()
    await Effect.runPromise(feed.forget(Timestamp(Date.now() + 60_000), 10))
    const stream = await organization.open(id)
    assert.deepStrictEqual((await stream.want("reset")).data, { reason: "expired" })
    const { data } = await stream.want("snapshot")
    assert.deepStrictEqual([data.reason, data.organizations[0].version], ["reset", 3])
  })

  it("stays while the storage is away, says so once, and goes on without loss", async () => {
    const storage = { isAway: false, refusals: 0 }
    const { layer } = await stores((feed) => ({
      ...feed,
      eventsAfter: (...request) =>
        Effect.suspend(() => {
          if (!storage.isAway) return feed.eventsAfter(...request)
          storage.refusals++
          return Effect.fail(new StoreError({ operation: "read the feed", cause: "away" }))
        })
    }))
    const { organization } = await composed({ stores: layer })
    const stream = await organization.open()
    await stream.want("snapshot")
    storage.isAway = true
    await organization.change()
    const { id, data } = await stream.want("stale")
    assert.deepStrictEqual(data, {})
    while (storage.refusals < 3) await Effect.runPromise(Effect.sleep("50 millis"))
    storage.isAway = false
    await organization.change()
    assert.strictEqual((await stream.want("organization.changed")).data.version, 1)
    assert.strictEqual((await stream.want("organization.changed")).data.version, 2)
    const resumed = await organization.open(id)
    assert.strictEqual((await resumed.want("organization.changed")).data.version, 1)
  })

  it("shows that the counts are current once the storage is back, where nothing happened", async () => {
    const storage = { isAway: false }
    const { layer } = await stores((feed) => ({
      ...feed,
      eventsAfter: (...request) =>
        Effect.suspend(() =>
          storage.isAway
            ? Effect.fail(new StoreError({ operation: "read the feed", cause: "away" }))
            : feed.eventsAfter(...request)
        )
    }))
    const { organization } = await composed({ stores: layer })
    const begun = await organization.open()
    const { id, data } = await begun.want("snapshot")
    const streams = [begun, await organization.openHere(id)]
    for (let outage = 0; outage < 2; outage++) {
      storage.isAway = true
      for (const stream of streams) assert.strictEqual((await stream.want("stale")).id, id)
      storage.isAway = false
      for (const stream of streams) {
        assert.deepStrictEqual(await stream.want("snapshot"), {
          event: "snapshot",
          id,
          data: { ...data, reason: "behind" }
        })
      }
    }
    await organization.change()
    for (const stream of streams) {
      assert.strictEqual((await stream.want("organization.changed")).data.version, 1)
      await stream.cancel()
    }
  })

  it("gives the event that is published while a snapshot is read after an outage, and no snapshot in its place", async () => {
    const storage = { isAway: false, beforeSnapshots: async () => {} }
    const { layer } = await stores((feed) => ({
      ...feed,
      generation: Effect.suspend(() =>
        storage.isAway
          ? Effect.fail(new StoreError({ operation: "read the generation", cause: "away" }))
          : feed.generation
      ),
      snapshots: (ids) => Effect.andThen(Effect.promise(storage.beforeSnapshots), feed.snapshots(ids))
    }))
    const { organization } = await composed({ stores: layer })
    const stream = await organization.open()
    await stream.want("snapshot")
    storage.isAway = true
    await stream.want("stale")
    storage.beforeSnapshots = organization.change
    storage.isAway = false
    assert.strictEqual((await stream.want("organization.changed")).data.version, 1)
    // The stream stays live, however long the snapshot takes.
    const isRead = Deferred.makeUnsafe<void>()
    storage.beforeSnapshots = () => Effect.runPromise(Deferred.await(isRead))
    storage.isAway = true
    await stream.want("stale")
    storage.isAway = false
    for (const version of [2, 3]) {
      await organization.change()
      assert.strictEqual((await stream.want("organization.changed")).data.version, version)
    }
    await Effect.runPromise(Deferred.succeed(isRead, undefined))
    await organization.change()
    assert.strictEqual((await stream.want("organization.changed")).data.version, 4)
  })

  it("says that the storage is away when it does not answer, also to a subscriber that nothing was read for", async () => {
    const answering = Deferred.makeUnsafe<void>()
    const { layer } = await stores((feed) => ({
      ...feed,
      generation: Effect.andThen(Deferred.await(answering), feed.generation)
    }))
    const { organization } = await composed({ stores: layer })
    const stream = await organization.open()
    const { id } = await stream.want("stale")
    // Its id stands for nothing: there is nothing to be lost.
    const resumed = await organization.open(id)
    await Effect.runPromise(Deferred.succeed(answering, undefined))
    for (const one of [stream, resumed]) {
      const { data } = await one.want("snapshot")
      assert.deepStrictEqual([data.reason, data.organizations[0].version], ["start", 0])
    }
  })

  it("starts over when the feeds were replaced", async () => {
    let generation = "one; two"
    const { layer } = await stores((feed) => ({ ...feed, generation: Effect.sync(() => generation) }))
    const { organization } = await composed({ stores: layer })
    const stream = await organization.open()
    const { id } = await stream.want("snapshot")
    await organization.change()
    await stream.want("organization.changed")
    assert.strictEqual((await (await organization.open(id)).want("organization.changed")).data.version, 1)
    generation = "three"
    assert.deepStrictEqual((await stream.want("reset")).data, { reason: "unknown" })
    const { data } = await stream.want("snapshot")
    assert.deepStrictEqual([data.reason, data.organizations[0].version], ["reset", 1])
    await organization.change()
    assert.strictEqual((await stream.want("organization.changed")).data.version, 2)
    assert.deepStrictEqual((await (await organization.open(id)).want("reset")).data, { reason: "unknown" })
  })
})

describe("the client", () => {
  it("reads typed messages as a stream, and connects again without loss", async () => {
    const { server, organization } = await composed({ streams: { lifetime: Duration.millis(1) } })
    const organizationId = BigInt(organization.id) as OrganizationId
    const versions = await Effect.runPromise(
      Effect.gen(function* () {
        const client = yield* server.clientOf("administrator:owner")
        const begun = yield* Deferred.make<void>()
        const following = yield* followPresence(client, [organizationId]).pipe(
          Stream.tap(({ event }) => (event === "end" ? Deferred.succeed(begun, undefined) : Effect.void)),
          Stream.filter((message) => message.event === "organization.changed"),
          Stream.map(({ data }) => data.version),
          Stream.take(3),
          Stream.runCollect,
          Effect.forkChild({ startImmediately: true })
        )
        yield* Deferred.await(begun)
        for (let i = 0; i < 3; i++) yield* Effect.promise(organization.change)
        return yield* Fiber.join(following)
      })
    )
    assert.deepStrictEqual(versions, [1, 2, 3])
  })

  it("leaves out an organization that is gone when it connects again, and misses nothing of the others", async () => {
    const { server, organization: gone } = await composed()
    const left = await organizationOf(server)
    const deleteGone = async () => {
      await server.call("administrator:owner", "POST", "/organization/requestdeletion", { organizationId: gone.id })
      const pending = await server.call("operator:op", "GET", "/operator/deletionrequest?status=pending")
      const path = `/operator/deletionrequest/${pending.json[0].id}/approve`
      assert.strictEqual((await server.call("operator:op", "POST", path)).status, 204)
    }
    const lists: Array<string | null> = []
    let connection = new AbortController()
    const breakable: typeof fetch = async (url, init) => {
      lists.push(new URL(String(url)).searchParams.get("organizations"))
      const response = await fetch(url, init)
      connection = new AbortController()
      return new Response(response.body!.pipeThrough(new TransformStream(), { signal: connection.signal }), response)
    }
    const react = async (event: string) => {
      if (event === "snapshot") await deleteGone()
      if (event !== "gone") return
      connection.abort()
      await left.change()
    }
    const messages = await Effect.runPromise(
      Effect.gen(function* () {
        const client = yield* server.clientOf("administrator:owner")
        const organizationIds = [gone, left].map(({ id }) => BigInt(id) as OrganizationId)
        return yield* followPresence(client, organizationIds).pipe(
          Stream.tap(({ event }) => Effect.promise(() => react(event))),
          Stream.take(3),
          Stream.runCollect
        )
      }).pipe(Effect.provideService(FetchHttpClient.Fetch, breakable))
    )
    assert.deepStrictEqual(
      messages.map(({ event }) => event),
      ["snapshot", "gone", "organization.changed"]
    )
    assert.deepInclude(messages[2]!.data, { organizationId: BigInt(left.id), version: 1 })
    assert.deepStrictEqual(lists, [`${gone.id},${left.id}`, `${left.id}`])
  })

  it("reads lines that end as those of some proxies, and data of several lines", async () => {
    const { server } = await composed()
    const foreign: typeof fetch = async () => {
      const text =
        'retry: 1000\r\n\r\nid: 1\r\nevent: gone\r\ndata: {"organizationId":\r\ndata: 1,\r\ndata: "reason":"forbidden"}\r\n\r\n'
      const pieces = new ReadableStream({
        start: (controller) => {
          for (const character of text) controller.enqueue(new TextEncoder().encode(character))
          controller.close()
        }
      })
      return new Response(pieces, { headers: { "content-type": "text/event-stream" } })
    }
    const messages = await Effect.runPromise(
      Effect.gen(function* () {
        const client = yield* server.clientOf("administrator:owner")
        return yield* Stream.runCollect(followPresence(client, [BigInt(1) as OrganizationId]))
      }).pipe(Effect.provideService(FetchHttpClient.Fetch, foreign))
    )
    assert.deepStrictEqual(messages, [
      { id: "1", event: "gone", data: { organizationId: BigInt(1) as OrganizationId, reason: "forbidden" } }
    ])
  })

  it("ends when the connection breaks after the last organization is gone", async () => {
    const { server } = await composed()
    let connections = 0
    const goneAtOnce: typeof fetch = async () => {
      connections++
      const message = 'event: gone\ndata: {"organizationId":1,"reason":"forbidden"}\n\n'
      return new Response(message, { headers: { "content-type": "text/event-stream" } })
    }
    const messages = await Effect.runPromise(
      Effect.gen(function* () {
        const client = yield* server.clientOf("administrator:owner")
        const following = followPresence(client, [BigInt(1) as OrganizationId])
        return yield* Stream.runCollect(Stream.take(following, 2))
      }).pipe(Effect.provideService(FetchHttpClient.Fetch, goneAtOnce))
    )
    assert.lengthOf(messages, 1)
    assert.strictEqual(connections, 1)
  })

  it("fails where it is refused for good", async () => {
    const { server } = await composed()
    const failure = await Effect.runPromise(
      Effect.gen(function* () {
        const client = yield* server.clientOf("administrator:owner")
        return yield* Effect.flip(Stream.runDrain(followPresence(client, [BigInt(999) as OrganizationId])))
      })
    )
    assert.strictEqual(failure._tag, "NotFound")
  })
})

describe("an id", () => {
  it("is read as it was written, whatever the generation is", () => {
    const [one, two, last] = [1n, 2n, 9223372036854775807n] as unknown as ReadonlyArray<OrganizationId>
    for (const generation of ["", "1", "a;b/c", "2026-05-04T09:30:00Z", "ä \n:,%"].map(encodeURIComponent)) {
      const position = new StreamPosition()
      position.begin(two!, "another")
      for (const id of [one!, last!]) position.begin(id, generation)
      assert.strictEqual(position.advance([]), ";")
      const versions = [[one!, 0] as const, [last!, 9007199254740991] as const, [two!, 7] as const]
      for (const sent of [versions.slice(0, 1), versions.slice(0, 2), versions]) {
        const id = position.advance(sent)
        assert.match(id, /^[\x21-\x7e]+$/)
        const parsed = StreamPosition.parse(id, [one!, two!, last!])!
        assert.strictEqual(parsed.advance([]), id)
        for (const [organizationId, version] of sent) {
          const expected = { generation: organizationId === two ? "another" : generation, version }
          assert.deepStrictEqual(parsed.entries.get(organizationId), expected)
        }
        assert.isUndefined(StreamPosition.parse(id, [two!])!.entries.get(one!))
      }
    }
  })

  it("that nothing wrote is none", () => {
    for (const id of [
      "",
      "x",
      "x;1",
      "x;1:",
      "x;1:2,",
      "x;-1:2",
      "%;1:2",
      "x;1:2;",
      "x;1:2/",
      "/x;1:2",
      "x;1:2/%;2:1"
    ]) {
      assert.isUndefined(StreamPosition.parse(id, []), id)
    }
  })
})
