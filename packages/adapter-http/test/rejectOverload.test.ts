/** The answer of an overloaded server to a client that reads nothing before it has sent its whole body. */
import { assert, describe, it } from "@effect/vitest"
import { rejectOverload } from "@sojourn/adapter-http"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { setTimeout } from "node:timers/promises"

describe("a rejected request", () => {
  it.each([
    ["no body", ""],
    ["a problem", "Accept: application/problem+json\r\n"]
  ])("with a long body is answered with %s before its connection is closed", async (_, accept) => {
    const server = createServer((request, response) => rejectOverload(request, response)).listen(0, "127.0.0.1")
    await once(server, "listening")
    const body = "x".repeat(3_000_000)
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
    const failed: Array<Error> = []
    let text = ""
    socket.on("error", (error) => failed.push(error))
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\n${accept}Content-Length: ${body.length}\r\n\r\n${body.slice(1_000_000)}`
    )
    // The server has answered by then.
    await setTimeout(200)
    socket.write(body.slice(0, 1_000_000))
    await setTimeout(200)
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    await Promise.race([once(socket, "end").catch(() => undefined), setTimeout(1_000)])
    socket.destroy()
    server.close()
    server.closeAllConnections()
    assert.deepStrictEqual(failed, [])
    assert.match(text, /^HTTP\/1\.1 503 [^]*\r\nconnection: close\r\n/)
    assert.match(text, accept === "" ? /\r\n\r\n$/ : /\r\n\r\n\{[^]*"status":503[^]*\}$/)
  })
})
