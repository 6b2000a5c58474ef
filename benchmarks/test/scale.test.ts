import { type AddressInfo, connect, createServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readArguments, USAGE } from "../scale/Arguments.ts"
import { makeBalancer } from "../scale/Balancer.ts"
import { scale, USUAL } from "../scale/scale.ts"
import { report } from "../scale/table.ts"

const SHORT = { servers: 2, races: 3, crowd: 6, kills: 1, rounds: 1, seconds: 0.3, connections: 8 }

/** A server that says its name to whoever connects. */
const named = (name: string) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer((socket) => void socket.end(name))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )

const portOf = (server: Server) => (server.address() as AddressInfo).port

const said = (port: number) =>
  Effect.promise(async () => {
    let text = ""
    for await (const chunk of connect(port, "127.0.0.1")) text += String(chunk)
    return text
  })

describe("the balancer", () => {
  it.live("leads connections to one server after the other, and past those that are gone", () =>
    Effect.gen(function* () {
      const servers = yield* Effect.forEach(["one", "two", "three"], named)
      const balancer = yield* makeBalancer
      balancer.leadTo(servers.map(portOf))
      const answers = yield* Effect.replicateEffect(said(balancer.port), 6)
      assert.deepStrictEqual(answers, ["one", "two", "three", "one", "two", "three"])
      yield* Effect.callback<void>((resume) => void servers[1]!.close(() => resume(Effect.void)))
      const left = yield* Effect.replicateEffect(said(balancer.port), 4)
      assert.deepStrictEqual([...new Set(left)].sort(), ["one", "three"])
    })
  )
})

describe("scale", () => {
  it.live("shows that servers over one database are one service, and measures each number of them", () =>
    Effect.gen(function* () {
      const scaled = yield* scale(SHORT, "fast", () => {})
      assert.deepStrictEqual(scaled.faults, [])
      assert.strictEqual(scaled.found, scaled.acknowledged)
      assert.isAbove(scaled.acknowledged, 0)
      for (const { what, times } of scaled.tried) assert.isAbove(times, 0, what)
      assert.deepStrictEqual(
        scaled.throughputs.map(({ servers }) => servers),
        [1, 2]
      )
      for (const { balancer, p50, p99, pairsPerSecond, ratio } of scaled.throughputs) {
        assert.isAbove(pairsPerSecond, 0)
        assert.isAbove(ratio, 0)
        assert.isAtLeast(p99, p50)
        assert.isAbove(balancer, 0)
      }
      for (const { what } of scaled.tried) assert.include(report(scaled), what)
    })
  )

  it.effect("takes a number of servers", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readArguments([]), USUAL)
      const read = yield* readArguments(["4", "--rounds", "2", "--seconds", "1"])
      assert.deepStrictEqual(read, { ...USUAL, servers: 4, rounds: 2, seconds: 1 })
    })
  )

  for (const args of [["1"], ["two"], ["2", "3"], ["--rounds", "0"], ["--seconds"]]) {
    it.effect(`refuses ${args.join(" ")} with the usage`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(readArguments(args))
        assert.include(message, USAGE)
      })
    )
  }
})
