/** When a stream counts as lost, and where another one goes on: after the last message, or with a snapshot after `stale`. */
import { getEventListeners } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it, onTestFinished, vi } from "vitest"
import { type Connection, follow } from "../src/browser/live/follow.ts"

const snapshot = 'id: a1\nevent: snapshot\ndata: {"reason":"start","organizations":[]}\n\n'
const stale = "id: a2\nevent: stale\ndata: {}\n\n"

/** Follows a stream for the time of the test, with what a browser has and Node lacks. Returns the states of the connection as they come. */
const following = (fetch: (path: string, init: RequestInit) => Promise<Response>): ReadonlyArray<Connection> => {
  const network = new EventTarget()
  vi.stubGlobal("fetch", fetch)
  vi.stubGlobal("addEventListener", network.addEventListener.bind(network))
  vi.stubGlobal("removeEventListener", network.removeEventListener.bind(network))
  const states: Array<Connection> = []
  const stop = follow({
    token: "token",
    organizationIds: [1],
    onMessage: () => {},
    onConnection: (state) => void states.push(state),
    onRefused: () => {}
  })
  onTestFinished(() => {
    stop()
    vi.unstubAllGlobals()
  })
  return states
}

/** The id with which the page opens its second stream, after one that broke after these messages. */
const resumedAfter = async (messages: string): Promise<string | undefined> => {
  const ids: Array<string | undefined> = []
  const second = Promise.withResolvers<void>()
  const server = createServer(({ headers }, response) => {
    ids.push(headers["last-event-id"] as string | undefined)
    if (ids.length > 1) second.resolve()
    response.end(messages)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { fetch } = globalThis
  following((path, init) => fetch(`${origin}${path}`, init))
  await second.promise
  return ids[1]
}

describe("a stream that breaks", () => {
  it("is resumed after its last message", async () => {
    assert.strictEqual(await resumedAfter(snapshot), "a1")
  })

  it("begins anew after `stale`, as nothing else would show that the counts are current", async () => {
    assert.isUndefined(await resumedAfter(snapshot + stale))
  })

  it("is resumed after a message that followed `stale`", async () => {
    assert.strictEqual(await resumedAfter(stale + snapshot), "a1")
  })
})

describe("a stream that is lost again and again", () => {
  it("leaves no listener of an earlier attempt behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const listen = vi.spyOn(AbortSignal.prototype, "addEventListener")
    onTestFinished(() => void listen.mockRestore())
    let attempts = 0
    following(() => {
      attempts++
      return Promise.reject(new TypeError("no network"))
    })
    for (let n = 0; n < 30; n++) await vi.advanceTimersByTimeAsync(10_000)
    assert.isAbove(attempts, 20)
    const signals = new Set(listen.mock.contexts as ReadonlyArray<AbortSignal>)
    for (const signal of signals) assert.isAtMost(getEventListeners(signal, "abort").length, 2)
  })
})

describe("a stream in which nothing arrives any more, and that does not end", () => {
  it("is lost within 20 seconds, and not between two comments of the server", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const states = following(async (_, { signal }) => {
      const start = (controller: ReadableStreamDefaultController) => {
        controller.enqueue(new TextEncoder().encode(snapshot))
        signal!.addEventListener("abort", () => controller.error(signal!.reason))
      }
      return new Response(new ReadableStream({ start }))
    })
    while (states.length === 0) await vi.advanceTimersByTimeAsync(1)
    await vi.advanceTimersByTimeAsync(15_500)
    assert.notInclude(states, "lost")
    await vi.advanceTimersByTimeAsync(4_400)
    assert.include(states, "lost")
  })
})

describe("a stream that another page of the administrator replaced", () => {
  it("says so, and is resumed a minute or two later, so that pages do not replace each other in a circle", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const ids: Array<string | undefined> = []
    const states = following(async (_, { headers }) => {
      ids.push((headers as Record<string, string>)["last-event-id"])
      return new Response(`${snapshot}id: a2\nevent: end\ndata: {"reason":"replaced"}\n\n`)
    })
    while (!states.includes("replaced")) await vi.advanceTimersByTimeAsync(1)
    await vi.advanceTimersByTimeAsync(59_000)
    assert.lengthOf(ids, 1)
    await vi.advanceTimersByTimeAsync(62_000)
    assert.deepStrictEqual(ids.slice(0, 2), [undefined, "a2"])
  })
})
