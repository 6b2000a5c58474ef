/** Graceful shutdown of a server process on signals. */
import * as net from "node:net"
import { join } from "node:path"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../folders.ts"
import { whole } from "../fixtures.ts"
import { makeClient } from "../faults/client.ts"
import { eventually } from "../faults/eventually.ts"
import { familyOf, stillRunning } from "../faults/processes.ts"
import { keyIn } from "../faults/scene.ts"
import { type SojournProcess, sojourn } from "../faults/SojournProcess.ts"
import { fixturesOn, userToken } from "../faults/town.ts"
import { makeAgent, send } from "../httpClient.ts"

const data = temporaryFolder()
let token: string

beforeAll(async () => {
  token = await userToken(await keyIn(data), "phone")
})

let server: SojournProcess | undefined
afterEach(async () => {
  server?.kill("SIGKILL")
  await server?.ended
})

const start = async (...flags: ReadonlyArray<string>) => {
  server = sojourn("serve", "--storage", "memory", "--data", data, "--port", "0", ...flags)
  const port = Number(new URL(await server.listening).port)
  return { server, port }
}

/** A connection, and the text received on it. */
const connected = async (port: number) => {
  const socket = net.connect(port, "127.0.0.1")
  let text = ""
  let isClosed = false
  socket.on("data", (part) => (text += part.toString("latin1")))
  socket.on("error", () => {})
  socket.on("close", () => (isClosed = true))
  await new Promise<void>((resolve) => void socket.once("connect", () => resolve()))
  return { socket, text: () => text, isClosed: () => isClosed }
}

const BODY = "grant_type=password&username=nobody&password=nothing-at-all"
const HEAD =
  "POST /authentication/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
  `Content-Length: ${BODY.length}\r\n\r\n`

/** A request with an incomplete body, for which the server waits. */
const unfinished = async (port: number) => {
  const connection = await connected(port)
  connection.socket.write(HEAD + BODY.slice(0, 10))
  return { ...connection, finish: () => void connection.socket.write(BODY.slice(10)) }
}

/** A client with keep-alive that reuses its last connection while it is open. */
const makeAsking = (port: number) => {
  const agent = makeAgent(1)
  return async (path: string) => {
    const { status, headers } = await send(`http://127.0.0.1:${port}`, { agent, path })
    return { status, connection: headers.connection }
  }
}

const refuses = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(false)
    })
    socket.once("error", () => resolve(true))
  })

const LONG = ["--drain-delay", "1h", "--drain-timeout", "1h"]

describe("after a signal the server", () => {
  it("is immediately not ready, but serves requests with `Connection: close`, and exits at once on a second signal", async () => {
    const { server, port } = await start("--metrics-port", "0", ...LONG)
    const metricsPort = () => Number(/answered on http:\/\/127\.0\.0\.1:(\d+)/.exec(server.said())?.[1])
    await eventually("the log has its address", () => metricsPort() > 0)
    expect(metricsPort()).not.toBe(port)
    // The port of metrics answers these and health alone.
    expect(
      await Promise.all(["/metrics", "/metrics?x"].map(async (path) => (await makeAsking(port)(path)).status))
    ).toEqual([404, 404])
    const statusOf = async (path: string) => (await makeAsking(metricsPort())(path)).status
    expect(await Promise.all(["/health/ready", "/health/live", "/metrics"].map(statusOf))).toEqual([200, 200, 200])
    const others = ["/organization", "/openapi.json", "/docs", "/", "/health", "/metrics?x", "//metrics"]
    expect(new Set(await Promise.all(others.map(statusOf)))).toEqual(new Set([404]))

    const ask = makeAsking(port)
    expect(await ask("/health/ready")).toEqual({ status: 200, connection: "keep-alive" })
    await unfinished(port)
    server.kill("SIGTERM")
    await eventually("it is not ready", async () => (await ask("/health/ready")).status === 503)
    expect(await ask("/health/ready")).toEqual({ status: 503, connection: "close" })
    expect(await ask("/health/live")).toEqual({ status: 200, connection: "close" })
    expect([await statusOf("/health/ready"), await statusOf("/health/live")]).toEqual([503, 200])
    const answer = await makeClient().ask(`http://127.0.0.1:${port}`, { method: "GET", path: "/organization", token })
    expect(answer.status).toBe(204)
    // A signal immediately after the first counts as a repetition of it, so this sends several.
    const sending = setInterval(() => server.kill("SIGINT"), 100)
    expect(await server.ended).toMatchObject({ code: 130, signal: null })
    clearInterval(sending)
  })

  it("closes idle connections, waits for requests in flight, and exits with 0", async () => {
    const { server, port } = await start("--drain-delay", "0s", "--drain-timeout", "1h")
    const used = await connected(port)
    used.socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
    await eventually("it is answered", () => used.text().includes("200 OK"))
    const unused = await connected(port)
    const waiting = await unfinished(port)
    await eventually("it is accepted", async () => (await makeAsking(port)("/health/live")).status === 200)
    server.kill("SIGTERM")
    await eventually("idle connections are closed", () => used.isClosed() && unused.isClosed())
    await eventually("new connections are refused", () => refuses(port))
    expect(waiting.isClosed()).toBe(false)
    waiting.finish()
    await eventually("it is answered", () => waiting.isClosed())
    expect(waiting.text()).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nconnection: close\r\n/i)
    expect(await server.ended).toMatchObject({ code: 0, signal: null })
  })

  it("closes requests in flight after the drain timeout, logs their number, and exits with 0", async () => {
    const { server, port } = await start("--drain-delay", "0s", "--drain-timeout", "100ms")
    const waiting = await unfinished(port)
    await eventually("it is accepted", async () => (await makeAsking(port)("/health/live")).status === 200)
    server.kill("SIGINT")
    const { code, out, err } = await server.ended
    expect(code).toBe(0)
    expect(`${out}${err}`).toMatch(/answered 1 request\b/)
    expect(waiting.text()).toBe("")
  })

  it("stops its PostgreSQL cleanly after the last answer", async () => {
    const own = join(data, "own")
    const flags = ["--drain-delay", "0s", "--drain-timeout", "1h"]
    const first = sojourn("serve", "--data", own, "--port", "0", ...flags)
    try {
      let baseUrl = await first.listening
      const client = makeClient()
      const { inside, organization, sojourn: callers } = fixturesOn(client, () => baseUrl, await keyIn(own))
      const { id } = await organization()
      const body = JSON.stringify({ movementType: 1, organizationId: id })
      const entering = await connected(Number(new URL(baseUrl).port))
      entering.socket.write(
        `POST /movement/track/organization HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await callers.user("phone").token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`
      )
      await eventually(
        "it is accepted",
        async () => (await makeAsking(Number(new URL(baseUrl).port))("/health/live")).status === 200
      )
      const family = familyOf(first.pid)
      first.kill("SIGTERM")
      await eventually("new connections are refused", () => refuses(Number(new URL(baseUrl).port)))
      entering.socket.write(body.slice(5))
      await eventually("it is answered", () => entering.isClosed())
      expect(entering.text()).toMatch(/^HTTP\/1\.1 201 /)
      expect(await first.ended).toMatchObject({ code: 0, signal: null })
      await eventually("nothing of it is left", () => stillRunning(family).length === 0)
      const second = sojourn("serve", "--data", own, "--port", "0", "--drain-delay", "0s")
      baseUrl = await second.listening
      expect(await inside(whole(id))).toBe(1)
      client.close()
      second.kill("SIGTERM")
      expect(await second.ended).toMatchObject({ code: 0 })
    } finally {
      first.kill("SIGKILL")
      await first.ended
    }
  })
})
