/** Doors of a server: what they are for, and that they close. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { canShare, openDoors } from "../../src/node/reusePort.ts"

const HOST = "127.0.0.1"
const SURGE = 200

/** Connects so many times at once, and goes when all are connected. */
const surge = `
const { connect } = require("node:net")
let connected = 0
const come = () => ++connected === ${SURGE} && process.exit(7)
for (let nth = 0; nth < ${SURGE}; nth++) connect(Number(process.argv[1]), "${HOST}", come)`

/** A server with one door or with many, for the time of the scope. */
const opened = (isShared: boolean) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = http.createServer((_, response) => void response.end("answered"))
      if (isShared) openDoors(server, { host: HOST, backlog: 2 * SURGE })
      await new Promise<void>((resolve) =>
        server.listen({ host: HOST, port: 0, backlog: 2 * SURGE, reusePort: isShared }, resolve)
      )
      return { server, port: (server.address() as AddressInfo).port }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        if (server.listening) await new Promise((resolve) => server.close(resolve))
      })
  )

/** How many turns of the event loop it takes to let in a surge that came while this process had something else to do. */
const turnsOf = Effect.fnUntraced(function* (isShared: boolean) {
  const { server, port } = yield* opened(isShared)
  const connections: Array<unknown> = []
  server.on("connection", (socket) => connections.push(socket))
  // This process does nothing meanwhile.
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

  // Elsewhere sockets do not share an address.
  test("with many doors lets a surge in within a fraction of the turns that one door takes", () =>
    Effect.gen(function* () {
      const [many, one] = [yield* turnsOf(true), yield* turnsOf(false)]
      assert.isAtLeast(one, SURGE)
      assert.isBelow(many * 4, one)
    }))

  test("is found by every door, and by none when it is closed", () =>
    Effect.gen(function* () {
      const { server, port } = yield* opened(true)
      const ask = () =>
        new Promise<string>((resolve) => {
          const request = http.get({ host: HOST, port, agent: false }, (response) => {
            let text = ""
            response.on("data", (data) => (text += String(data))).on("end", () => resolve(text))
          })
          request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "failed"))
        })
      const all = () => Effect.promise(() => Promise.all(Array.from({ length: 300 }, ask)))
      assert.deepStrictEqual(new Set(yield* all()), new Set(["answered"]))
      yield* Effect.promise(() => new Promise((resolve) => server.close(resolve)))
      assert.deepStrictEqual(new Set(yield* all()), new Set(["ECONNREFUSED"]))
    }).pipe(Effect.scoped))

  test("shares an address with nobody who is there already, whether they would share it or not", () =>
    Effect.gen(function* () {
      for (const isShared of [true, false]) {
        const { port } = yield* opened(isShared)
        const { cause } = yield* Effect.flip(canShare({ host: HOST, port }))
        assert.strictEqual((cause as NodeJS.ErrnoException).code, "EADDRINUSE")
      }
      assert.isTrue(yield* canShare({ host: HOST, port: 0 }))
    }).pipe(Effect.scoped))
})
