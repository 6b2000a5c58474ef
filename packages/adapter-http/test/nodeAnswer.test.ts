/** Answers to clients of `node:http` that read slowly or leave: a pushed body is held back, and closed. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { openPushed } from "../src/pipeline/nodeAnswer.ts"
import type { BodySink } from "../src/pipeline/answer.ts"

/** A pushed body on a connection whose client reads nothing yet, and what happens to the body. */
const pushing = async () => {
  const happened: Array<string> = []
  const sinks: Array<BodySink> = []
  const server = createServer((_, response: ServerResponse) =>
    openPushed(response, {
      _tag: "Pushed",
      contentType: "text/plain",
      contentLength: undefined,
      open: (sink) => void sinks.push(sink),
      drained: () => void happened.push("drained"),
      close: () => void happened.push("closed")
    })
  ).listen(0, "127.0.0.1")
  await once(server, "listening")
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.pause().on("error", () => {})
  client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
  while (sinks.length === 0) await pause(5)
  return {
    client,
    happened,
    sink: sinks[0]!,
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      await once(server.close(), "close")
    }
  }
}

const text = (word: string) => new TextEncoder().encode(word)

describe("a pushed body", () => {
  it("arrives in order, in chunks of several pieces", async () => {
    await using pushed = await pushing()
    const { client, happened, sink } = pushed
    assert.isTrue(sink.write([text("one "), text("two ")]))
    sink.write([text("in full")])
    sink.end()
    let heard = ""
    client.on("data", (chunk) => (heard += String(chunk))).resume()
    await once(client, "end")
    const [head, body] = heard.split("\r\n\r\n") as [string, string]
    assert.match(head, /^HTTP\/1\.1 200 [^]*\r\nTransfer-Encoding: chunked/)
    assert.strictEqual(heard.slice(head.length).replaceAll(/[0-9a-f]+\r\n|\r\n/g, ""), "one two in full")
    assert.isDefined(body)
    assert.deepStrictEqual(happened, ["closed"])
  })

  it("is held back while its client does not read, and goes on when it has read", async () => {
    await using pushed = await pushing()
    const { client, happened, sink } = pushed
    const piece = new Uint8Array(1024 * 1024)
    while (sink.write([text("a"), piece]));
    await pause(50)
    assert.deepStrictEqual(
      happened.filter((what) => what === "closed"),
      []
    )
    const before = happened.length
    for (let nth = 0; nth < 16; nth++) sink.write([piece])
    await pause(50)
    assert.strictEqual(happened.length, before)
    client.resume()
    while (happened.length === before) await pause(5)
    assert.deepStrictEqual(happened.slice(before), ["drained"])
  })

  it("is closed when its client leaves, and closes the connection when it is destroyed", async () => {
    {
      await using pushed = await pushing()
      pushed.client.destroy()
      while (pushed.happened.length === 0) await pause(5)
      assert.deepStrictEqual(pushed.happened, ["closed"])
    }
    await using pushed = await pushing()
    const left = once(pushed.client.resume(), "close")
    pushed.sink.destroy()
    await left
    while (pushed.happened.length === 0) await pause(5)
    assert.deepStrictEqual(pushed.happened, ["closed"])
  })
})
