/** HTTP/1.1 as bytes on a connection, where a client library would hide what happens: smuggling, framing, limits of heads. */
import { once } from "node:events"
import * as net from "node:net"
import { setTimeout } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, unique } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { raw } = sojourn

const { id } = await fixtures.organization()
const path = `/organization/${id}`
const head = `Host: localhost\r\nAuthorization: Bearer ${await sojourn.user("phone").token}\r\n`
const began = Date.now()
/** An incomplete request that is sent first, so that the wait for its timeout overlaps with the other tests. */
const slow = raw(`GET ${path} HTTP/1.1\r\n${head}X-Slow: `, 14_000).then((answer) => ({
  answer,
  took: Date.now() - began
}))

const body = JSON.stringify({ organizationId: NOWHERE })
const get = (headers = "") => `GET ${path} HTTP/1.1\r\n${head}${headers}\r\n`
const closing = (headers = "") => get(`Connection: close\r\n${headers}`)
const add = (headers: string, sent: string) =>
  `POST /favorite/addfavorite HTTP/1.1\r\n${head}Content-Type: application/json\r\n${headers}\r\n${sent}`
const chunked = (sent: string) => `${sent.length.toString(16)}\r\n${sent}\r\n0\r\n\r\n`
const followed = (request: string) => `${request}GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`

/** Expects an answer that the server itself makes: a status, a request id and no body. */
const expectRefusal = (text: string, status: number) => {
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(text).toMatch(/\r\nx-request-id: [\x21-\x7e]{1,128}\r\n/i)
  expect(text).toMatch(/\r\n\r\n$/)
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
}

describe("request smuggling: refused with 400 and closed (spec: http#field-lines)", () => {
  // Samples of what Node's parser refuses, and all that the server itself does.
  const FORMS: ReadonlyArray<readonly [string, () => string]> = [
    [
      "Content-Length and Transfer-Encoding",
      () => add("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")
    ],
    ["two lengths that differ", () => add("Content-Length: 2\r\nContent-Length: 3\r\n", "{} ")],
    ["a length that is no number", () => add("Content-Length: 0x2\r\n", "{}")],
    [
      "gzip, then chunked",
      () => add("Transfer-Encoding: gzip, chunked\r\n", chunked(gzipSync(body).toString("latin1")))
    ],
    [
      "gzip and chunked in two lines",
      () => add("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunked(body))
    ],
    ["chunked twice", () => add("Transfer-Encoding: chunked, chunked\r\n", chunked(body))],
    ["two media types", () => add(`Content-Type: text/plain\r\nContent-Length: ${body.length}\r\n`, body)],
    [
      "two lengths that are the same",
      () => add(`Content-Length: ${body.length}\r\nContent-Length: ${body.length}\r\n`, body)
    ],
    ["chunked, and something behind it", () => add("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n")],
    ["a folded header", () => get("X-A: a\r\n b\r\n")],
    ["a bare line feed between headers", () => get("X-A: a\nX-B: b\r\n")],
    ["a blank before the colon", () => get("X-A : a\r\n")],
    ["a NUL in a header", () => get("X-A: a\u0000b\r\n")],
    ["a chunk whose size is no number", () => add("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n")],
    [
      "a chunk extension that ends with a bare line feed",
      () => add("Transfer-Encoding: chunked\r\n", "2;\n{}\r\n0\r\n\r\n")
    ]
  ]
  it.each(FORMS)("%s", async (_, request) => {
    const answer = await raw(`${request()}GET ${path} HTTP/1.1\r\n${head}\r\n`, 1500)
    expectRefusal(answer.text, 400)
    expect(answer.closed).toBe(true)
  })
})

describe("bytes that are no HTTP/1.1 request are refused with 400 and the connection is closed", () => {
  const JUNK: ReadonlyArray<readonly [string, () => string | Uint8Array]> = [
    ["the preface of HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown version", () => `GET ${path} HTTP/9.9\r\n${head}\r\n`],
    ["a blank in the path", () => `GET /organization/1 2 HTTP/1.1\r\n${head}\r\n`],
    ["UTF-8 in the path", () => Buffer.from(`GET /organization/é HTTP/1.1\r\n${head}\r\n`, "utf8")],
    ["a path without slash", () => `GET organization HTTP/1.1\r\n${head}\r\n`]
  ]
  it.each(JUNK)("%s", async (_, bytes) => {
    const answer = await raw(bytes(), 1500)
    expect(answer.statuses).toHaveLength(1)
    expectRefusal(answer.text, answer.status)
    expect([400, 404]).toContain(answer.status)
  })

  it.each(["BREW", "get", "X-1"])("an unknown method is 405 with `Allow`: %s", async (method) => {
    const answer = await raw(`${method} ${path} HTTP/1.1\r\n${head}\r\n`, 1500)
    expect(answer.statuses).toEqual([405])
    expectRefusal(answer.text, 405)
    expect(answer.text).toMatch(/^Allow: GET, /m)
    expect(answer.closed).toBe(true)
  })

  it("an unknown method and bytes that are no request differ in status, also behind another request", async () => {
    expect((await raw(`${get()}BREW ${path} HTTP/1.1\r\n${head}\r\n`, 1500)).statuses.at(-1)).toBe(405)
    expect((await raw(`${get()}\u0016\u0003 ${path} HTTP/1.1\r\n${head}\r\n`, 1500)).statuses.at(-1)).toBe(400)
  })

  it("a malformed request takes none of the answers to those before it, however it goes on", async () => {
    const two = `${get()}GET /nothing HTTP/1.1\r\n${head}\r\n`
    for (const [last, status] of [
      ["\u0016\u0003", 400],
      [add("Transfer-Encoding: chunked\r\n", "zz\r\n"), 400],
      ["CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
      [`BREW ${path} HTTP/1.1\r\n${head}\r\n`, 405]
    ] as const) {
      const answer = await raw(`${two}${last}${get()}`, 1500)
      expect(answer.statuses, last).toEqual([200, 404, status])
      expect(answer.closed).toBe(true)
    }
  })

  it("a connection that closes before a complete request gets no answer and does not affect others", async () => {
    expect((await raw("\r\n\r\n", 200, 200)).statuses).toEqual([])
    expect((await raw(`GET ${path} HT`, 200, 200)).statuses).toEqual([])
    expect((await raw(closing())).status).toBe(200)
  })
})

describe("HTTP/1.1 semantics", () => {
  it("keeps connections alive and answers pipelined requests in order", async () => {
    const three = `${get()}GET /nothing HTTP/1.1\r\n${head}\r\n${closing()}`
    expect((await raw(three)).statuses).toEqual([200, 404, 200])
  })

  it("carries out nothing behind an answer that closes the connection (RFC 9112, section 9.6)", async () => {
    const premises = { kind: "organization", id } as const
    const movement = JSON.stringify({ movementType: 1, organizationId: id })
    const enter = `POST /movement/track/organization HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${movement.length}\r\n\r\n${movement}`
    const before = await fixtures.inside(premises)
    const answer = await raw(`${enter}${get("Authorization: Bearer x\r\n")}${enter}`)
    expect(answer.statuses).toEqual([201, 400])
    expect(answer.closed).toBe(true)
    expect(await fixtures.inside(premises)).toBe(before + 1)
  })

  it("answers an HTTP/1.0 request and closes the connection", async () => {
    const answer = await raw(`GET ${path} HTTP/1.0\r\n${head}\r\n`)
    expect(answer.status).toBe(200)
    expect(answer.closed).toBe(true)
  })

  it.each([
    ["HTTP/1.1 without a host", "HTTP/1.1", "", 400],
    ["HTTP/1.1 with two hosts", "HTTP/1.1", "Host: x\r\nHost: y\r\n", 400],
    ["HTTP/1.1 with one host", "HTTP/1.1", "Host: x\r\n", 200],
    ["HTTP/1.0 without a host", "HTTP/1.0", "", 200]
  ])("a request names its host (RFC 9112, section 3.2): %s", async (_, version, host, status) => {
    const answer = await raw(`GET /health/live ${version}\r\n${host}Connection: close\r\n\r\n`)
    expect(answer.statuses).toEqual([status])
  })

  /** Paths of the fast path and of the generic one. */
  const PATHS = ["/movement/track/organization", "/presence/organization/1/counter", "/organization", "/health/live"]
  it.each(PATHS)(
    "refuses more than one Authorization header, in any letter case and of any scheme: %s",
    async (path) => {
      const { token } = sojourn.user("phone")
      const own = `Bearer ${await token}`
      const method = path.startsWith("/movement") ? "POST" : "GET"
      const content = "Content-Type: application/json\r\nContent-Length: 2\r\n"
      const ask = (lines: ReadonlyArray<string>) =>
        raw(
          `${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.map((line) => `${line}\r\n`).join("")}` +
            `${method === "POST" ? content : ""}Connection: close\r\n\r\n${method === "POST" ? "{}" : ""}`
        )
      const alone = await ask([`Authorization: ${own}`])
      expect(alone.statuses).toEqual([
        { "/health/live": 200, "/organization": 200 }[path] ?? (method === "POST" ? 400 : 403)
      ])
      for (const lines of [
        [`Authorization: ${own}`, `Authorization: ${own}`],
        [`Authorization: ${own}`, "authorization: Bearer another"],
        ["AUTHORIZATION: Basic bm86Ym9keQ==", `Authorization: ${own}`],
        ["Authorization:", `Authorization: ${own}`],
        [`Authorization: ${own}`, "X-Between: 1", "Authorization: "]
      ]) {
        const answer = await ask([...lines, "Accept: application/problem+json"])
        expect(answer.statuses).toEqual([400])
        expect(answer.text).toContain("one Authorization header")
      }
      expect(
        (await ask(["X-Authorization: a", "X-Authorization: b", "Unauthorized1: a", `Authorization: ${own}`])).statuses
      ).toEqual(alone.statuses)
    }
  )

  it("accepts a request target in absolute form", async () => {
    const answer = await raw(`GET http://localhost${path} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
    expect(answer.status).toBe(200)
  })

  it.each(["h2c", "websocket"])(
    "an offer to upgrade to %s is not taken up: the request is answered",
    async (protocol) => {
      const upgrade = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`
      expect((await raw(get(upgrade), 300)).statuses).toEqual([200])
      const sent = await raw(add(`${upgrade}Content-Length: ${body.length}\r\n`, body), 300)
      expect(sent.statuses).toEqual([404])
    }
  )

  it("answers Expect: 100-continue with 100; ignores another expectation or refuses it with 417", async () => {
    const sent = add(`Content-Length: ${body.length}\r\nConnection: close\r\nExpect: 100-continue\r\n`, body)
    expect((await raw(sent)).statuses).toEqual([100, 404])
    const odd = add(`Content-Length: ${body.length}\r\nConnection: close\r\nExpect: coffee\r\n`, body)
    expect([404, 417]).toContain((await raw(odd)).status)
  })

  it("answers to HEAD and with 204 and 205 have no body", async () => {
    const headed = await raw(`HEAD ${path} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
    expect(headed.text).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/)
    const none = await raw(`GET /access${path}/anonymous/x HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
    expect(none.text).toMatch(/^HTTP\/1\.1 204 [\s\S]*\r\n\r\n$/)
    expect(none.text).not.toMatch(/transfer-encoding|content-length: [1-9]/i)
    const user = sojourn.user(unique("user"))
    const { id: favorite } = await fixtures.organization()
    await fixtures.post(user, "/favorite/addfavorite", { organizationId: favorite })
    const dropped = JSON.stringify({ organizationId: favorite })
    const reset = await raw(
      `POST /favorite/removefavorite HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await user.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${dropped.length}\r\n\r\n${dropped}${get()}`,
      300
    )
    expect(reset.statuses).toEqual([205, 200])
    expect(reset.text.slice(0, reset.text.indexOf("HTTP/1.1 200"))).toMatch(/\r\n\r\n(0\r\n\r\n)?$/)
  })

  it("an error has an empty body with Content-Length: 0", async () => {
    for (const request of [`GET /nothing HTTP/1.1\r\n${head}\r\n`, add("Content-Length: 1\r\n", "{")]) {
      const answer = await raw(followed(request))
      expect(answer.statuses[1]).toBe(200)
      expect(answer.text).toMatch(/^HTTP\/1\.1 4\d\d [^\r]*\r\n(?:(?!\r\n\r\n)[\s\S])*content-length: 0\r\n/i)
    }
  })

  it("TRACE does not echo the request", async () => {
    const answer = await raw(`TRACE ${path} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
    expect(answer.status).toBe(405)
    expect(answer.text).not.toContain("Bearer ey")
  })

  it("CONNECT is answered with 405 and the connection is closed", async () => {
    const answer = await raw(`CONNECT example.org:80 HTTP/1.1\r\n${head}\r\n`)
    expectRefusal(answer.text, 405)
    expect(answer.text).toMatch(/\r\nallow: /i)
  })

  it.each([
    ["CONNECT", () => `CONNECT example.org:80 HTTP/1.1\r\n${head}\r\n`],
    ["what is no request", () => "\0\r\n\r\n"]
  ])("closes the connection of a client that sends %s and keeps its side open", async (_, bytes) => {
    const socket = net.connect({ port: sojourn.port, host: "127.0.0.1", allowHalfOpen: true })
    let heard = ""
    socket.on("data", (part) => (heard += part)).on("error", () => {})
    socket.write(bytes())
    // A client with a half-open socket notices the close only when it writes.
    const writing = setInterval(() => socket.write("x"), 100)
    await new Promise((resolve) => socket.once("close", resolve))
    clearInterval(writing)
    expect(heard).toMatch(/^HTTP\/1\.1 40[05] /)
  })

  it("reads a chunked body with extensions and trailers", async () => {
    const [one, two] = [body.slice(0, 5), body.slice(5)]
    const chunks = `${one.length};a=b\r\n${one}\r\n${two.length.toString(16)}\r\n${two}\r\n0\r\nX-Trailer: x\r\n\r\n`
    const answer = await raw(followed(add("Transfer-Encoding: chunked\r\n", chunks)))
    expect(answer.statuses).toEqual([404, 200])
  })

  it("refuses an id with a fragment", async () => {
    const answer = await raw(`GET ${path}#x HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
    expect([400, 404]).toContain(answer.status)
  })
})

describe("request heads (spec: http#statuses)", () => {
  /** A request head of exactly `bytes` bytes. */
  const sized = (bytes: number) => {
    const frame = closing("X-Filler: \r\n")
    return frame.replace("X-Filler: ", `X-Filler: ${"x".repeat(bytes - frame.length)}`)
  }

  it.each([31 * 1024, 32 * 1024])("%i bytes are accepted", async (bytes) => {
    expect((await raw(sized(bytes))).status).toBe(200)
  })

  it.each([64 * 1024])("%i bytes are refused with 431 or 414 and a request id, then closed", async (bytes) => {
    const answer = await raw(sized(bytes), 3000)
    expect([414, 431]).toContain(answer.status)
    expectRefusal(answer.text, answer.status)
    expect(answer.closed).toBe(true)
  })

  it("a path of 32 KiB is accepted, one of 64 KiB is refused", async () => {
    const listed = (length: number) =>
      `GET /access${path}/anonymous/${"x".repeat(length)} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`
    expect((await raw(listed(31 * 1024))).status).toBe(204)
    expect([414, 431]).toContain((await raw(listed(64 * 1024), 3000)).status)
  })

  it("any number of headers is accepted up to 32 KiB in total", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `X-H${i}: ${i}\r\n`).join("")
    expect((await raw(closing(many(2_000)))).status).toBe(200)
    const short = closing("a:\r\n".repeat(8_000))
    expect(short.length).toBeLessThanOrEqual(32 * 1024)
    expect((await raw(short)).status).toBe(200)
    expect((await raw(closing(many(6_000)), 3000)).status).toBe(431)
  })
})

describe("after a body that is too large or not read, the connection is usable, or announced as closed", () => {
  const filler = "x".repeat(3_000_000)
  const json = `{"organizationId":${NOWHERE},"zzz":"${filler}"}`
  const lengthed = (start: string, sent: string) => `${start}Content-Length: ${sent.length}\r\n\r\n${sent}`
  const chunked = (start: string, sent: string) =>
    `${start}Transfer-Encoding: chunked\r\n\r\n${sent.length.toString(16)}\r\n${sent}\r\n0\r\n\r\n`
  const start = (method: string, at: string, type = "application/json", credentials = head) =>
    `${method} ${at} HTTP/1.1\r\n${credentials}Content-Type: ${type}\r\n`

  const CASES: ReadonlyArray<readonly [string, number, () => string]> = [
    ["to an endpoint with a body", 413, () => start("POST", "/favorite/addfavorite")],
    ["with the wrong media type", 415, () => start("POST", "/favorite/addfavorite", "text/plain")],
    ["without credentials", 401, () => start("POST", "/favorite/addfavorite", "application/json", "Host: x\r\n")],
    ["to an unknown path", 404, () => start("POST", "/nothing")],
    ["with the wrong method", 405, () => start("DELETE", "/favorite/addfavorite")],
    ["to an endpoint without a body", 200, () => start("GET", path)]
  ]
  // At the same moment: they wait for what a server may still send.
  it.concurrent.each(CASES)("%s (%i)", async (_, status, begin) => {
    for (const encode of [lengthed, chunked]) {
      for (const sent of [json, json.slice(0, 900_000)]) {
        if (status === 413 && sent.length < 1024 * 1024) continue
        const answer = await raw(followed(encode(begin(), sent)), 1500)
        expect(answer.status).toBe(status)
        const promise = /\r\nconnection: (\S+)/i.exec(answer.text)?.[1]?.toLowerCase()
        // Unless the answer says `Connection: close`, the client may send a second request and gets an answer.
        if (promise !== "close") expect(answer.statuses, `${encode.name} ${sent.length}`).toHaveLength(2)
      }
    }
  })

  it.concurrent.each(CASES)(
    "a client that reads nothing before it has sent everything gets its answer: %s (%i)",
    async (_, status, begin) => {
      const { hostname, port } = new URL(sojourn.baseUrl)
      const send = async (encode: typeof lengthed) => {
        const socket = net.connect(Number(port), hostname)
        const failed: Array<Error> = []
        socket.on("error", (error) => failed.push(error))
        const request = encode(begin(), json)
        socket.write(request.slice(0, 1_200_000))
        // The server has answered by then.
        await setTimeout(200)
        socket.write(request.slice(1_200_000))
        await setTimeout(200)
        const text = await Promise.race([once(socket.setEncoding("latin1"), "data"), once(socket, "close")])
        socket.destroy()
        expect(failed).toEqual([])
        expect(String(text[0])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      }
      await Promise.all([lengthed, chunked].map(send))
    }
  )

  it("a client that never completes its body is answered without waiting for the rest", async () => {
    const began = Date.now()
    const endless = `${start("POST", "/favorite/addfavorite")}Transfer-Encoding: chunked\r\n\r\n${(2_000_000).toString(16)}\r\n${"x".repeat(1_500_000)}`
    const answer = await raw(endless, 3000)
    expect(answer.status).toBe(413)
    expect(Date.now() - began).toBeLessThan(4000)
  })

  it("a Content-Length above the limit is refused before the body arrives", async () => {
    const answer = await raw(`${start("POST", "/favorite/addfavorite")}Content-Length: 1000000000\r\n\r\n`, 2000)
    expect(answer.status).toBe(413)
  })
})

describe("slow clients (spec: http#statuses)", () => {
  it("an incomplete head is answered with 408 within seconds and the connection is closed", async () => {
    const { answer, took } = await slow
    expectRefusal(answer.text, 408)
    expect(answer.closed).toBe(true)
    expect(took).toBeLessThan(13_000)
  })
})
