import { once } from "node:events"
import * as http from "node:http"
import * as net from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Incoming } from "../../src/node/Incoming.ts"
import { KEEP_ALIVE, Outgoing } from "../../src/node/Outgoing.ts"

type Answer = (request: Incoming, response: Outgoing, body: string) => void

/** A server that answers each request once its body is there: either way of Node's, or both past its streams. */
const listen = async (isShort: boolean, answer: Answer) => {
  const server: http.Server = http.createServer(
    { IncomingMessage: Incoming, ServerResponse: Outgoing, keepAliveTimeout: KEEP_ALIVE },
    (request: Incoming, response: Outgoing) => {
      const chunks: Array<Uint8Array> = []
      const add = (chunk: Uint8Array) => void chunks.push(chunk)
      const begin = () => answer(request, response, Buffer.concat(chunks).toString())
      if (isShort) request.handOver({ add, begin })
      else request.on("data", add).on("end", begin)
    }
  ) as never
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return { server, port: (server.address() as net.AddressInfo).port }
}

const headersOf = (body: string) => ({
  "content-type": "text/plain",
  "content-length": String(Buffer.byteLength(body)),
  "x-request-id": "one"
})

const sendUsual = (response: Outgoing, body: string) => response.writeHead(202, headersOf(body)).end(body)
const sendWhole = (response: Outgoing, body: string) =>
  response.sendWhole(202, headersOf(body), body, /^[\0-\x7f]*$/.test(body) ? "latin1" : "utf8")

/** Everything that is answered to these pieces, written one after the other, until the connection ends or rests. */
const exchange = async (port: number, pieces: ReadonlyArray<string>) => {
  const socket = net.connect(port, "127.0.0.1")
  let heard = ""
  let isOpen = true
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString()))
  socket.on("close", () => (isOpen = false))
  for (const piece of pieces) {
    socket.write(piece)
    await pause(20)
  }
  await pause(50)
  socket.destroy()
  return { heard: heard.replace(/^Date: .*$/gm, "Date: now"), isOpen }
}

const post = (body: string, headers = "", version = "1.1") =>
  `POST / HTTP/${version}\r\nHost: x\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const CASES: ReadonlyArray<readonly [what: string, pieces: ReadonlyArray<string>, answers: number]> = [
  ["a request", [post("one")], 1],
  ["requests one after the other", [post("one"), post("two"), post("three")], 3],
  ["requests that were sent ahead", [post("one") + post("two") + post("three")], 3],
  ["a body in pieces", [post("of several").slice(0, -7), "seve", "ral"], 1],
  ["a body that is no ASCII", [post("né, 東京")], 1],
  ["a body in chunks", ["POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n"], 1],
  ["a request that is the last", [post("one", "Connection: close\r\n")], 1],
  ["an old client", [post("one", "", "1.0")], 1],
  ["an old client that would stay", [post("one", "Connection: keep-alive\r\n", "1.0")], 1],
  ["a question for the head alone", ["HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", post("two")], 2],
  ["no body at all", ["POST / HTTP/1.1\r\nHost: x\r\n\r\n", post("two")], 2]
]

describe("a body that is handed over, and an answer in one piece", () => {
  /** The second of two that were sent ahead is answered first: it has to wait for its turn. */
  const inTurns = (send: typeof sendUsual): Answer => {
    return (_, response, body) => {
      if (body === "one") setTimeout(() => send(response, body), 10)
      else send(response, body === "" ? "nothing" : body)
    }
  }
  let short: Awaited<ReturnType<typeof listen>>
  let usual: typeof short
  beforeAll(async () => {
    short = await listen(true, inTurns(sendWhole as never))
    usual = await listen(false, inTurns(sendUsual))
  })
  afterAll(() => {
    for (const { server } of [short, usual]) server.closeAllConnections()
    for (const { server } of [short, usual]) server.close()
  })

  it.for(CASES)("%s: the same bytes as by Node's own way", async ([, pieces, answers]) => {
    const [one, other] = await Promise.all([exchange(short.port, pieces), exchange(usual.port, pieces)])
    expect(one).toEqual(other)
    expect(one.heard.match(/HTTP\/1\.1 202 /g)).toHaveLength(answers)
  })

  it("a client that leaves within its body: nothing begins, and the response is closed", async () => {
    const begun: Array<string> = []
    const { server, port } = await listen(true, (_, __, body) => void begun.push(body))
    const responses: Array<http.ServerResponse> = []
    server.on("request", (_, response) => responses.push(response))
    const socket = net.connect(port, "127.0.0.1")
    socket.write(post("never whole").slice(0, -3))
    if (responses.length === 0) await once(server, "request")
    socket.destroy()
    await once(responses[0]!, "close")
    expect(begun).toEqual([])
    expect(responses[0]!.writableEnded).toBe(false)
    server.close()
    await once(server, "close")
  })

  it("an answer that the client does not fetch: it has not left, and the server knows", async () => {
    const body = "x".repeat(16 * 1024 * 1024)
    const responses: Array<Outgoing> = []
    const { server, port } = await listen(true, (_, response) => {
      responses.push(response)
      sendWhole(response, body)
    })
    const socket = net.connect(port, "127.0.0.1")
    socket.pause()
    socket.write(post("one"))
    await pause(100)
    const [response] = responses
    expect(response!.writableEnded).toBe(true)
    expect(response!.destroyed).toBe(false)
    expect(response!.socket!.writableLength).toBeGreaterThan(0)
    const left = once(response!, "close")
    let fetched = 0
    socket.on("data", (chunk: Buffer) => (fetched += chunk.length)).resume()
    await left
    while (fetched < body.length) await once(socket, "data")
    socket.destroy()
    server.close()
    await once(server, "close")
  })
})
