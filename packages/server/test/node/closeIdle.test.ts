/** The race between an idle connection's timeout and its next request. */
import { once } from "node:events"
import * as http from "node:http"
import { type AddressInfo, connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { expect, it } from "vitest"
import { closeIdle } from "../../src/http/closeIdle.ts"

const REQUEST = "GET / HTTP/1.1\r\nHost: here\r\n\r\n"

/** A connection that was idle since its first answer, to a server that closes idle ones soon. */
const idleConnection = async () => {
  const server = http.createServer({ keepAliveTimeout: 100, keepAliveTimeoutBuffer: 0 }, (_, response) =>
    response.end()
  )
  closeIdle(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  const closed = once(socket, "close")
  socket.write(REQUEST)
  await once(socket, "data")
  return {
    socket,
    closed,
    [Symbol.asyncDispose]: async () => void (socket.destroy(), await once(server.close(), "close"))
  }
}

it("a request that arrived while the process stood still is answered, also after the timeout of idle connections", async () => {
  await using connection = await idleConnection()
  const { socket, closed } = connection
  socket.write(REQUEST)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  const answer = await Promise.race([once(socket, "data"), closed])
  expect(String(answer[0])).toMatch(/^HTTP\/1.1 200/)
  await closed
})

it("an idle connection is closed", async () => {
  await using connection = await idleConnection()
  await connection.closed
  await pause(0)
})
