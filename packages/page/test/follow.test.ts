/** Where another stream goes on after one that broke: after the last message, or with a snapshot after `stale`. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it, onTestFinished, vi } from "vitest"
import { follow } from "../src/browser/live/follow.ts"

const snapshot = 'id: a1\nevent: snapshot\ndata: {"reason":"start","organizations":[]}\n\n'
const stale = "id: a2\nevent: stale\ndata: {}\n\n"

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
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { fetch } = globalThis
  const network = new EventTarget()
  // What a browser has and Node lacks: addresses relative to the page, and events of the network.
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => fetch(`${origin}${path}`, init))
  vi.stubGlobal("addEventListener", network.addEventListener.bind(network))
  vi.stubGlobal("removeEventListener", network.removeEventListener.bind(network))
  const stop = follow({
    token: "token",
    organizationIds: [1],
    onMessage: () => {},
    onConnection: () => {},
    onRefused: () => {}
  })
  onTestFinished(() => {
    stop()
    vi.unstubAllGlobals()
    server.close()
    server.closeAllConnections()
  })
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
