/** SO_REUSEPORT listeners: they accept surges of connections faster, and close with the server. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { canReusePort, openReusePortListeners } from "../../src/http/reusePort.ts"
import { send } from "../sending.ts"

const HOST = "127.0.0.1"
const SURGE = 200

/** Opens `SURGE` connections at once, and exits when all are connected. */
const surge = `
const { connect } = require("node:net")
let connected = 0
const connectedOne = () => ++connected === ${SURGE} && process.exit(7)
for (let nth = 0; nth < ${SURGE}; nth++) connect(Number(process.argv[1]), "${HOST}", connectedOne)`

/** A server with one listening socket or with many, while the scope is open. */
const opened = (isPortReused: boolean) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = http.createServer((_, response) => void response.end("answered"))
      if (isPortReused) openReusePortListeners(server, { host: HOST, backlog: 2 * SURGE })
      await new Promise<void>((resolve) =>
        server.listen({ host: HOST, port: 0, backlog: 2 * SURGE, reusePort: isPortReused }, resolve)
      )
      return { server, port: (server.address() as AddressInfo).port }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        if (server.listening) await new Promise((resolve) => server.close(resolve))
      })
  )

/** The number of event loop turns that it takes to accept a surge that came while this process was blocked. */
const turnsOf = Effect.fnUntraced(function* (isPortReused: boolean) {
  const { server, port } = yield* opened(isPortReused)
  const connections: Array<unknown> = []
  server.on("connection", (socket) => connections.push(socket))
  // Blocks this process.
  const { status } = spawnSync(process.execPath, ["-e", surge, String(port)])
  assert.strictEqual(status, 7)
  let turns = 0
  while (connections.length < SURGE && turns < 100_000) {
    turns++
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return turns
}, Effect.scoped)

describe("a server", () => {
  const test = process.platform === "linux" ? it.live : it.live.skip

  // On other systems sockets cannot share an address.
  test("with many listeners accepts a surge within a fraction of the turns that one listener takes", () =>
    Effect.gen(function* () {
      const [many, one] = [yield* turnsOf(true), yield* turnsOf(false)]
      assert.isAtLeast(one, SURGE)
      assert.isBelow(many * 4, one)
    }))

  test("is reached through every listener, and through none when it is closed", () =>
    Effect.gen(function* () {
      const { server, port } = yield* opened(true)
      const ask = () =>
        send(`http://${HOST}:${port}`, { agent: false, path: "/" }).then(
          ({ text }) => text,
          (error: NodeJS.ErrnoException) => error.code ?? "failed"
        )
      const all = () => Effect.promise(() => Promise.all(Array.from({ length: 300 }, ask)))
      assert.deepStrictEqual(new Set(yield* all()), new Set(["answered"]))
      yield* Effect.promise(() => new Promise((resolve) => server.close(resolve)))
      assert.deepStrictEqual(new Set(yield* all()), new Set(["ECONNREFUSED"]))
    }).pipe(Effect.scoped))

  test("does not share an address with a server that listens there, with SO_REUSEPORT or without", () =>
    Effect.gen(function* () {
      for (const isPortReused of [true, false]) {
        const { port } = yield* opened(isPortReused)
        const { cause } = yield* Effect.flip(canReusePort({ host: HOST, port }))
        assert.strictEqual((cause as NodeJS.ErrnoException).code, "EADDRINUSE")
      }
      assert.isTrue(yield* canReusePort({ host: HOST, port: 0 }))
    }).pipe(Effect.scoped))
})
