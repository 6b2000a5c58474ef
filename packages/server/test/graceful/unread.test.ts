/** `Connection` on its own: it is closed when its client does not read what was written. The test sets the time. */
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { Connection } from "../../src/http/Connection.ts"
import { RequestPermit } from "../../src/http/RequestPermit.ts"

const MINUTE = 60_000
const PART = Buffer.alloc(8 * 1024 * 1024)

/** Writes until the buffers of both ends are full. The kernel may let them grow far beyond one part while the client reads. */
const fill = async (socket: Socket) => {
  while (socket.writableLength === 0) {
    socket.write(PART)
    await pause(50)
  }
}

/** A connection whose client reads nothing of what was written, unless `readAll` is called. */
const unread = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const accepted = once(server, "connection")
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {})
  client.pause()
  const [socket] = (await accepted) as [Socket]
  await fill(socket)
  const connection = new Connection(socket)
  const counts = { receiving: 0, inFlight: 0, atDirectory: 0, streaming: 0, answering: 0, answered: 0 }
  return {
    connection,
    socket,
    /** Adds a request, and takes these steps with it. */
    request: (...steps: ReadonlyArray<"begin" | "beginStream" | "beginAnswer" | "end">) => {
      const permit = new RequestPermit({} as ServerResponse, counts)
      for (const step of steps) permit[step]()
      connection.permits.push(permit)
      return permit
    },
    /** Whether the connection is open after a check at this time. */
    isOpenAt: (now: number) => {
      connection.closeIfUnread(now)
      return !socket.destroyed
    },
    /** The system takes a little more of what was written. */
    readLittle: () => void Object.defineProperty(socket, "bytesWritten", { value: socket.bytesWritten + 1000 }),
    /** The client reads everything, and again nothing of what is written then. */
    readAll: async () => {
      client.resume()
      while (socket.writableLength > 0) await pause(5)
      client.pause()
      await fill(socket)
    },
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      socket.destroy()
      await once(server.close(), "close")
    }
  }
}

describe("a connection whose client does not read", () => {
  it("an answer: is closed after a minute, also if the client has read a little", async () => {
    await using client = await unread()
    client.request("begin", "end")
    assert.isTrue(client.isOpenAt(0))
    assert.isTrue(client.isOpenAt(MINUTE))
    await client.readAll()
    assert.isFalse(client.isOpenAt(MINUTE + 1))
  })

  it("a stream: is closed after five minutes in which it read nothing", async () => {
    await using client = await unread()
    client.request("begin", "beginStream")
    assert.isTrue(client.isOpenAt(0))
    assert.isTrue(client.isOpenAt(5 * MINUTE))
    await client.readAll()
    assert.isTrue(client.isOpenAt(5 * MINUTE + 1))
    assert.isTrue(client.isOpenAt(10 * MINUTE))
    assert.isFalse(client.isOpenAt(10 * MINUTE + 2))
  })

  it("an answer that is still written: is closed after a minute in which it read nothing", async () => {
    await using client = await unread()
    client.request("begin")
    assert.isTrue(client.isOpenAt(0))
    await client.readAll()
    assert.isTrue(client.isOpenAt(MINUTE + 1))
    assert.isTrue(client.isOpenAt(2 * MINUTE))
    assert.isFalse(client.isOpenAt(2 * MINUTE + 2))
  })

  it("an answer that is written in parts: is closed after a minute in which it read less than a part", async () => {
    await using client = await unread()
    client.request("begin", "beginAnswer")
    assert.isTrue(client.isOpenAt(0))
    await client.readAll()
    assert.isTrue(client.isOpenAt(MINUTE + 1))
    client.readLittle()
    assert.isTrue(client.isOpenAt(2 * MINUTE))
    assert.isFalse(client.isOpenAt(2 * MINUTE + 2))
  })

  it("an answer behind a stream: has its minute from when the stream has ended", async () => {
    await using client = await unread()
    const stream = client.request("begin", "beginStream")
    client.request("begin", "end")
    assert.isTrue(client.isOpenAt(0))
    assert.isTrue(client.isOpenAt(2 * MINUTE))
    client.connection.release(stream)
    assert.isTrue(client.isOpenAt(4 * MINUTE))
    assert.isTrue(client.isOpenAt(5 * MINUTE))
    assert.isFalse(client.isOpenAt(5 * MINUTE + 1))
  })

  it("is left open when everything was read meanwhile", async () => {
    await using client = await unread()
    client.request("begin", "end")
    assert.isTrue(client.isOpenAt(0))
    client.connection.release(client.connection.permits[0]!)
    assert.isTrue(client.isOpenAt(MINUTE + 1))
  })
})
