/** The client's presence stream over connections that break, end and fall silent. */
import { type Connection, makeClient, type PresenceMessage, Refused } from "@sojourn/client"
import { Administrator, AdministratorId, Mail } from "@sojourn/core"
import { getEventListeners } from "node:events"
import { afterAll, assert, describe, it, vi } from "vitest"
import { ada, clientOf, operator, serve, userOf } from "./walk.ts"

const server = await serve()
afterAll(() => server.stop())

const AREA = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
const owner = { administratorId: "ada", mail: "ada@example.org" }
const { id: organizationId } = await clientOf(server, operator).operator.createOrganization({
  body: { name: "Museum", trackingArea: AREA, trackingMode: "anonymous", owner }
})
const enter = () =>
  clientOf(server, userOf("tim")).movement.trackOrganization({ body: { movementType: "entrance", organizationId } })
const organizations = [organizationId]

const stream = (...parts: ReadonlyArray<string>) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      }
    }),
    { headers: { "content-type": "text/event-stream" } }
  )

/** The messages of a stream that the server answers, one connection after the other, and the id that each resumed from. */
const readAll = async (...connections: ReadonlyArray<() => Response>) => {
  const states: Array<Connection> = []
  const resumed: Array<string | undefined> = []
  const fetch = async (_: string, init: RequestInit) => {
    const connect = connections[resumed.push((init.headers as Record<string, string>)["last-event-id"]) - 1]
    return connect === undefined ? new Response(null, { status: 403 }) : connect()
  }
  const messages: Array<PresenceMessage> = []
  try {
    const options = { onConnection: (state: Connection) => void states.push(state) }
    for await (const message of makeClient({ baseUrl: "http://h", fetch }).stream.presence({ organizations }, options))
      messages.push(message)
  } catch (error) {
    assert.instanceOf(error, Refused)
  }
  return { messages, resumed, states }
}

/** A connection whose lines end as those of some proxies and servers do, whose data has several lines, cut between any two bytes. */
const foreign = () =>
  stream(
    ...[
      'retry: 1000\r\n\r\n: comment\r\nid: 1\r\nevent: gone\r\ndata: {\r\ndata: "organizationId": 7,\r\n',
      'data: "reason": "deleted"}\r\n\r\nid: 2\revent: end\rdata: {"reason":\rdata: "forbidden"}\r\r'
    ].flatMap((text) => [...text])
  )

const event = (id: string, name: string, data: object) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`

describe("the stream of presence events", () => {
  it("is read whatever ends its lines, and with data of several lines", async () => {
    const { messages } = await readAll(foreign)
    assert.deepStrictEqual(messages, [
      { id: "1", event: "gone", data: { organizationId: 7, reason: "deleted" } },
      { id: "2", event: "end", data: { reason: "forbidden" } }
    ])
  })

  it("begins with a snapshot, and goes on with each change", async () => {
    const counts: Array<number> = []
    for await (const message of clientOf(server, ada).stream.presence({ organizations })) {
      if (message.event === "snapshot") {
        counts.push(message.data.organizations[0]!.inside)
        await enter()
      }
      if (message.event === "presence.changed") {
        counts.push(message.data.inside)
        break
      }
    }
    assert.deepStrictEqual(counts, [0, 1])
  })

  it("goes on after the last message, when the connection breaks or the server ends it", async () => {
    const end = event("c", "end", { reason: "rotate" })
    const { messages, resumed, states } = await readAll(
      () => stream("retry: 1000\n\n: ping\n\n", event("a", "reset", { reason: "expired" })),
      () => {
        throw new TypeError("fetch failed")
      },
      () => new Response(null, { status: 503 }),
      () => stream(event("b", "reset", { reason: "expired" }), end.slice(0, 20), end.slice(20))
    )
    assert.deepStrictEqual(
      messages.map(({ id }) => id),
      ["a", "b", "c"]
    )
    assert.deepStrictEqual(resumed, [undefined, "a", "a", "a", "c"])
    assert.deepStrictEqual(states.slice(0, 4), ["live", "lost", "lost", "live"])
  })

  it("begins anew after `stale`, as nothing else would show that the counts are current", async () => {
    const one = event("a", "reset", { reason: "expired" })
    const { resumed, states } = await readAll(
      () => stream(one, event("b", "stale", {})),
      () => stream(event("c", "stale", {}) + one)
    )
    assert.deepStrictEqual(resumed, [undefined, undefined, "a"])
    assert.deepStrictEqual(states, ["live", "live"])
  })

  it("goes on over another connection, when one is silent in the middle of a message", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const half = new TextEncoder().encode(event("a", "stale", {}).slice(0, 10))
      const silent = () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(half) }))
      const read = readAll(silent, () => stream(event("b", "stale", {})))
      for (let second = 0; second < 60; second++) await vi.advanceTimersByTimeAsync(1_000)
      const { messages, states } = await read
      assert.deepStrictEqual(
        messages.map(({ id }) => id),
        ["b"]
      )
      assert.strictEqual(states[0], "lost")
    } finally {
      vi.useRealTimers()
    }
  })

  it("goes on a minute or two after another stream of the caller replaced it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let connections = 0
      const connect = (answer: string) => () => {
        connections++
        return stream(answer)
      }
      const read = readAll(connect(event("a", "end", { reason: "replaced" })), connect(event("b", "stale", {})))
      await vi.advanceTimersByTimeAsync(59_000)
      assert.strictEqual(connections, 1)
      await vi.advanceTimersByTimeAsync(120_000)
      const { resumed, states } = await read
      assert.deepStrictEqual(resumed.slice(0, 2), [undefined, "a"])
      assert.deepStrictEqual(states.slice(0, 2), ["live", "replaced"])
    } finally {
      vi.useRealTimers()
    }
  })

  it("is lost after as long a silence as is allowed, and leaves no listener of an earlier connection behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const stopping = new AbortController()
    try {
      let connections = 0
      const fetch = async (_: string, { signal }: RequestInit) => {
        connections++
        const start = (controller: ReadableStreamDefaultController) => {
          controller.enqueue(new TextEncoder().encode(event("a", "reset", { reason: "expired" })))
          signal!.addEventListener("abort", () => controller.error(signal!.reason))
        }
        return new Response(new ReadableStream({ start }))
      }
      const states: Array<Connection> = []
      const read = async () => {
        const options = {
          signal: stopping.signal,
          timeout: 18_000,
          onConnection: (state: Connection) => void states.push(state)
        }
        for await (const _ of makeClient({ baseUrl: "http://h", fetch }).stream.presence({ organizations }, options));
      }
      const reading = read().catch((error: unknown) => error)
      while (states.length === 0) await vi.advanceTimersByTimeAsync(1)
      await vi.advanceTimersByTimeAsync(17_900)
      assert.deepStrictEqual(states, ["live"])
      await vi.advanceTimersByTimeAsync(2_000)
      assert.strictEqual(states[1], "lost")
      for (let n = 0; n < 40; n++) await vi.advanceTimersByTimeAsync(10_000)
      assert.isAbove(connections, 15)
      assert.isAtMost(getEventListeners(stopping.signal, "abort").length, 2)
      stopping.abort(new Error("enough"))
      assert.strictEqual(((await reading) as Error).message, "enough")
    } finally {
      vi.useRealTimers()
    }
  })

  it("connects again at once when a browser says that its network is back", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const network = new EventTarget()
    vi.stubGlobal("addEventListener", network.addEventListener.bind(network))
    try {
      const read = readAll(() => {
        throw new TypeError("fetch failed")
      }, foreign)
      await vi.advanceTimersByTimeAsync(100)
      network.dispatchEvent(new Event("online"))
      await vi.advanceTimersByTimeAsync(0)
      assert.lengthOf((await read).messages, 2)
    } finally {
      vi.useRealTimers()
      vi.unstubAllGlobals()
    }
  })

  it("leaves out an organization that is gone when it connects again, and misses nothing of the others", async () => {
    const bob = clientOf(server, Administrator(AdministratorId.make("bob"), Mail.make("bob@example.org")))
    const create = async (name: string) => {
      const owner = { administratorId: "bob", mail: "bob@example.org" }
      const body = { name, trackingArea: AREA, trackingMode: "anonymous", owner } as const
      const { id } = await clientOf(server, operator).operator.createOrganization({ body })
      await bob.administrator.bind({ body: { organizationId: id, administratorId: "ada", permission: "viewer" } })
      return id
    }
    const [gone, left] = [await create("Works"), await create("Library")]
    const lists: Array<string | null> = []
    let connection = new AbortController()
    const fetch = async (url: string, init: RequestInit) => {
      lists.push(new URL(url).searchParams.get("organizations"))
      const response = await server.fetch(url, init)
      connection = new AbortController()
      return new Response(response.body!.pipeThrough(new TransformStream(), { signal: connection.signal }), response)
    }
    const events: Array<string> = []
    for await (const message of clientOf(server, ada, fetch).stream.presence({ organizations: [gone, left] })) {
      events.push(message.event)
      if (message.event === "snapshot")
        await bob.administrator.unbind({ body: { organizationId: gone, administratorId: "ada" } })
      if (message.event === "gone") {
        connection.abort()
        await bob.organization.edit({ body: { id: left, city: "Padova" } })
      }
      if (message.event === "organization.changed") {
        assert.deepInclude(message.data, { organizationId: left, version: 1 })
        break
      }
    }
    assert.deepStrictEqual(events, ["snapshot", "gone", "organization.changed"])
    assert.deepStrictEqual(lists, [`${gone},${left}`, `${left}`])
  })

  it("ends when the connection breaks after the last organization is gone", async () => {
    const { messages, resumed } = await readAll(() =>
      stream(event("a", "gone", { organizationId, reason: "forbidden" }))
    )
    assert.lengthOf(messages, 1)
    assert.lengthOf(resumed, 1)
  })

  it("ends with withdrawn permissions, and throws where the server refuses it for good", async () => {
    const { resumed } = await readAll(() => stream(event("a", "end", { reason: "forbidden" })))
    assert.lengthOf(resumed, 1)
    const refused = async () => {
      for await (const _ of clientOf(server, userOf("tim")).stream.presence({ organizations })) assert.fail()
    }
    assert.strictEqual(((await refused().catch((error: unknown) => error)) as Refused).status, 403)
  })

  it("ends its connection when it is left, and throws the reason of its signal", async () => {
    const signals: Array<AbortSignal> = []
    const fetch = (url: string, init: RequestInit) => {
      signals.push(init.signal!)
      return server.fetch(url, init)
    }
    for await (const _ of clientOf(server, ada, fetch).stream.presence({ organizations })) break
    assert.isTrue(signals[0]!.aborted)

    const stopping = new AbortController()
    const follow = async () => {
      const messages = clientOf(server, ada, fetch).stream.presence({ organizations }, { signal: stopping.signal })
      for await (const _ of messages) stopping.abort(new Error("enough"))
    }
    assert.strictEqual(((await follow().catch((error: unknown) => error)) as Error).message, "enough")
  })
})
