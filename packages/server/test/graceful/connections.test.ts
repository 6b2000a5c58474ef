import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { type Connection, Connections } from "../../src/admission/Connections.ts"

const MOST = 4

const Step = Schema.Struct({
  does: Schema.Literals(["open", "close", "work", "rest"]),
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
})

describe("the connections of a server", () => {
  it.prop(
    "give way in the order in which they began to rest, whatever happens to them",
    { steps: Arbitrary.schema(Schema.Array(Step)) },
    ({ steps }) => {
      const connections = new Connections(MOST)
      const known: Array<Connection> = []
      // What is expected: who is there, and of these who rests since when.
      const there = new Set<Connection>()
      let resting: Array<Connection> = []
      const leave = (connection: Connection) => {
        there.delete(connection)
        resting = resting.filter((other) => other !== connection)
      }
      for (const { does, which } of steps) {
        if (does === "open") {
          const socket = {} as Socket
          const isFull = there.size >= MOST
          const expected = isFull ? resting[0] : undefined
          const evicted = connections.open(socket)
          const opened = connections.of(socket)
          if (isFull && expected === undefined) {
            assert.strictEqual(evicted?.socket, socket, "nobody else rests")
            assert.isUndefined(opened)
          } else {
            assert.strictEqual(evicted, expected)
            if (expected !== undefined) leave(expected)
            known.push(opened!)
            there.add(opened!)
            resting.push(opened!)
          }
        } else {
          const connection = known[which]
          if (connection === undefined) continue
          if (does === "close") {
            connections.close(connection.socket)
            leave(connection)
          } else if (does === "work") {
            connections.work(connection)
            resting = resting.filter((other) => other !== connection)
          } else if (connection.working > 0) {
            connections.rest(connection)
            if (connection.working === 0 && there.has(connection)) resting.push(connection)
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
