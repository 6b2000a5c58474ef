/** `Connections` on its own: its linked list must evict as a plain list would. */
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { type Connection, Connections } from "../../src/http/Connections.ts"

const MOST = 4

const Step = Schema.Struct({
  does: Schema.Literals(["open", "close", "begin", "end"]),
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
})

describe("a server's connections", () => {
  it.prop(
    "are evicted in the order in which they became idle, after any sequence of events",
    { steps: Arbitrary.schema(Schema.Array(Step)) },
    ({ steps }) => {
      const connections = new Connections(MOST)
      const known: Array<Connection> = []
      // The expected state: the open connections, and of these the idle ones in order.
      const there = new Set<Connection>()
      let idle: Array<Connection> = []
      const forget = (connection: Connection) => {
        there.delete(connection)
        idle = idle.filter((other) => other !== connection)
      }
      for (const { does, which } of steps) {
        if (does === "open") {
          const socket = {} as Socket
          const isFull = there.size >= MOST
          const expected = isFull ? idle[0] : undefined
          const evicted = connections.open(socket)
          const opened = connections.of(socket)
          if (isFull && expected === undefined) {
            assert.strictEqual(evicted?.socket, socket, "no other connection is idle")
            assert.isUndefined(opened)
          } else {
            assert.strictEqual(evicted, expected)
            if (expected !== undefined) forget(expected)
            known.push(opened!)
            there.add(opened!)
            idle.push(opened!)
          }
        } else {
          const connection = known[which]
          if (connection === undefined) continue
          if (does === "close") {
            connections.close(connection.socket)
            forget(connection)
          } else if (does === "begin") {
            connections.beginRequest(connection)
            idle = idle.filter((other) => other !== connection)
          } else if (connection.inFlight > 0) {
            connections.endRequest(connection)
            if (connection.inFlight === 0 && there.has(connection)) idle.push(connection)
          }
        }
        assert.strictEqual(connections.size, there.size)
        assert.deepStrictEqual(new Set(connections.values()), there)
        for (const connection of known) {
          assert.strictEqual(connections.of(connection.socket), there.has(connection) ? connection : undefined)
        }
      }
    },
    { arbitrary: { runs: 1000 } }
  )
})
