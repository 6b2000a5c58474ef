/** The fast path of requests and responses sends the same bytes as Node's own classes. */
import { once } from "node:events"
import * as http from "node:http"
import * as net from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Incoming } from "../../src/http/Incoming.ts"
import { KEEP_ALIVE, Outgoing } from "../../src/http/Outgoing.ts"

type Answer = (request: Incoming, response: Outgoing, body: string) => void

/** A server that answers each request after its body: with Node's streams, or with the fast path for both directions. */
const listen = async (isShort: boolean, answer: Answer) => {
  const server: http.Server = http.createServer(
    { IncomingMessage: Incoming, ServerResponse: Outgoing, keepAliveTimeout: KEEP_ALIVE },
    (request: Incoming, response: Outgoing) => {
      const chunks: Array<Uint8Array> = []
      const add = (chunk: Uint8Array) => void chunks.push(chunk)
      const begin = () => answer(request, response, Buffer.concat(chunks).toString())
      if (isShort) request.handOver({ receive: add, complete: begin })
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

/** Whether `count` answers were received, the last one with its whole body. */
const hasHeard = (heard: string, answers: number) => {
  const heads = [...heard.matchAll(/HTTP\/1\.1 202 [^]*?Content-Length: (\d+)[^]*?\r\n\r\n/gi)]
  if (heads.length < answers) return false
  const last = heads.at(-1)!
  return Buffer.byteLength(heard.slice(last.index + last[0].length)) >= Number(last[1])
}

/** Writes these pieces one after the other and returns everything that is received: the answers, the end if one is due,
 * and any further data until the connection is idle. */
const exchange = async (port: number, { pieces, answers, ends }: Case) => {
  const socket = net.connect(port, "127.0.0.1").setEncoding("utf8")
  let heard = ""
  let isOpen = true
  socket.on("data", (chunk: string) => (heard += chunk))
  socket.on("close", () => (isOpen = false))
  const isAllHeard = () => !isOpen || (ends !== true && hasHeard(heard, answers))
  for (const piece of pieces) {
    socket.write(piece)
    await pause(20)
  }
  while (!isAllHeard()) await pause(5)
  await pause(50)
  socket.destroy()
  return { heard: heard.replace(/^Date: .*$/gm, "Date: now"), isOpen }
}

const post = (body: string, headers = "", version = "1.1") =>
  `POST / HTTP/${version}\r\nHost: x\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

interface Case {
  readonly what: string
  readonly pieces: ReadonlyArray<string>
  readonly answers: number
  /** Whether the server ends the connection after its answer. */
  readonly ends?: boolean
}

const CASES: ReadonlyArray<Case> = [
  { what: "a request", pieces: [post("one")], answers: 1 },
  { what: "requests one after the other", pieces: [post("one"), post("two"), post("three")], answers: 3 },
  { what: "pipelined requests", pieces: [post("one") + post("two") + post("three")], answers: 3 },
  { what: "a body in pieces", pieces: [post("of several").slice(0, -7), "seve", "ral"], answers: 1 },
  { what: "a body beyond ASCII", pieces: [post("né, 東京")], answers: 1 },
  {
    what: "a body in chunks",
    pieces: ["POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n"],
    answers: 1
  },
  { what: "a request that is the last", pieces: [post("one", "Connection: close\r\n")], answers: 1, ends: true },
  { what: "HTTP/1.0", pieces: [post("one", "", "1.0")], answers: 1, ends: true },
  { what: "HTTP/1.0 with keep-alive", pieces: [post("one", "Connection: keep-alive\r\n", "1.0")], answers: 1 },
  {
    what: "HEAD",
    pieces: ["HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", post("two")],
    answers: 2
  },
  { what: "no body at all", pieces: ["POST / HTTP/1.1\r\nHost: x\r\n\r\n", post("two")], answers: 2 }
]

describe("the fast path for whole bodies and whole answers", () => {
  /** Answers the second of two pipelined requests first, so that its answer must wait for the first one's. */
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

  it.for(CASES)("$what: sends the same bytes as Node's streams", async (each) => {
    const [one, other] = await Promise.all([exchange(short.port, each), exchange(usual.port, each)])
    expect(one).toEqual(other)
    expect(one.heard.match(/HTTP\/1\.1 202 /g)).toHaveLength(each.answers)
    expect(one.isOpen).toBe(each.ends !== true)
  })

  it("a client that disconnects within its body: the request is not handled, and the response is closed", async () => {
    const begun: Array<string> = []
    const { server, port } = await listen(true, (_, __, body) => void begun.push(body))
    const responses: Array<http.ServerResponse> = []
    server.on("request", (_, response) => responses.push(response))
    const socket = net.connect(port, "127.0.0.1")
    socket.write(post("never whole").slice(0, -3))
    await once(server, "request")
    socket.destroy()
    await once(responses[0]!, "close")
    expect(begun).toEqual([])
    expect(responses[0]!.writableEnded).toBe(false)
    server.close()
    await once(server, "close")
  })

  it("a client that does not read its answer: the response stays open until the client has read it", async () => {
    const body = "x".repeat(16 * 1024 * 1024)
    const responses: Array<Outgoing> = []
    const { server, port } = await listen(true, (_, response) => {
      responses.push(response)
      sendWhole(response, body)
    })
    const socket = net.connect(port, "127.0.0.1")
    socket.pause()
    socket.write(post("one"))
    while (responses.length === 0) await pause(5)
    await pause(50)
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

  const inChunks = (write: (response: Outgoing, chunk: Uint8Array) => unknown) => (_: Incoming, response: Outgoing) => {
    response.writeHead(202, { "content-type": "text/plain" })
    const encoder = new TextEncoder()
    for (const chunk of ["first", "ä".repeat(20), "first"]) write(response, encoder.encode(chunk))
    // The same bytes again are framed as before.
    const same = encoder.encode("same")
    for (let i = 0; i < 2; i++) write(response, same)
    setImmediate(() => response.end())
  }

  for (const [version, requests] of [
    ["1.0", 1],
    ["1.1", 1],
    ["1.1", 2]
  ] as const) {
    it(`chunks are written as Node writes them: HTTP/${version}, ${requests} at once`, async () => {
      const writes: ReadonlyArray<(response: Outgoing, chunk: Uint8Array) => unknown> = [
        (response, chunk) => response.write(chunk),
        (response, chunk) => response.writeChunk([chunk])
      ]
      const heard = await Promise.all(
        writes.map(async (write) => {
          const { server, port } = await listen(true, inChunks(write))
          const last = post("", "Connection: close\r\n", version)
          const pieces = [post("", "", version).repeat(requests - 1) + last]
          const answer = await exchange(port, { what: "", pieces, answers: requests, ends: true })
          server.close()
          return answer
        })
      )
      expect(heard[1]).toEqual(heard[0])
      expect(heard[1]!.heard).toContain("same")
    })
  }

  it("chunks that a client does not read: the response says when it takes more", async () => {
    const chunk = new Uint8Array(16 * 1024 * 1024).fill(97)
    const drained: Array<number> = []
    const { server, port } = await listen(true, (_, response) => {
      response.on("drain", () => drained.push(response.socket!.writableLength))
      response.writeHead(200)
      response.writeChunk([chunk.subarray(0, 1)])
      while (response.writeChunk([chunk]));
    })
    const socket = net.connect(port, "127.0.0.1")
    socket.pause()
    socket.write(post("one"))
    await pause(50)
    expect(drained).toEqual([])
    socket.resume()
    while (drained.length === 0) await pause(5)
    expect(drained).toEqual([0])
    socket.destroy()
    server.close()
    await once(server, "close")
  })
})
