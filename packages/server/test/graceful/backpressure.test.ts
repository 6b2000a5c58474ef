import type { Socket } from "node:net"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Backpressure } from "../../src/admission/Backpressure.ts"
import { Connection } from "../../src/admission/Connections.ts"

const MOST = 4

/** Longer than anybody waits. */
const LONG = 100

const Step = Schema.Struct({
  does: Schema.Literals(["begin", "end", "answered", "came", "pass"]),
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 11 }))
})

describe("backpressure", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  /** Connections of which is known whether they are read from, and the order in which they went on. */
  const opened = () => {
    const wentOn: Array<Connection> = []
    const paused = new Set<Connection>()
    const connections = Array.from({ length: 12 }, () => {
      const socket = { destroyed: false, writable: true, pause: () => {}, resume: () => {} }
      const connection = new Connection(socket as never as Socket)
      socket.pause = () => void paused.add(connection)
      socket.resume = () => {
        paused.delete(connection)
        wentOn.push(connection)
      }
      return connection
    })
    return { connections, paused, wentOn }
  }

  it.prop(
    "lets connections wait in the order of their answers, no more in than there is room for, and nobody for long",
    { steps: Arbitrary.schema(Schema.Array(Step)) },
    ({ steps }) => {
      let working = 0
      const { connections, paused, wentOn } = opened()
      const backpressure = new Backpressure(() => working, MOST)
      let order: Array<Connection> = []
      // Those that had their turn, of which nothing came since.
      const coming = new Set<Connection>()
      for (const { does, which } of steps) {
        const connection = connections[which]!
        const before = wentOn.length
        if (does === "begin") working++
        else if (does === "end") working = Math.max(0, working - 1)
        else if (does === "pass") vi.advanceTimersByTime(which)
        // Something may come of one that waits: it had been read already.
        else if (does === "came") {
          const since = backpressure.came(connection)
          assert.strictEqual(since !== undefined, coming.delete(connection))
        } else if (!paused.has(connection) && !coming.has(connection)) {
          const isCrowded = order.length > 0 || working >= MOST
          const room = Math.max(0, MOST - working)
          backpressure.answered(connection)
          const waited = paused.has(connection) || wentOn.length > before
          assert.strictEqual(waited, isCrowded)
          if (isCrowded) order.push(connection)
          assert.isAtMost(wentOn.length - before, room)
        } else backpressure.answered(connection)
        const now = wentOn.slice(before)
        for (const one of now) coming.add(one)
        assert.deepStrictEqual(now, order.slice(0, now.length))
        order = order.slice(now.length)
        assert.deepStrictEqual(paused, new Set(order))
      }
      vi.advanceTimersByTime(LONG)
      assert.strictEqual(paused.size, 0)
    },
    { arbitrary: { runs: 500 } }
  )

  it("lets the next in as soon as somebody was answered, and counts who was let in as coming", () => {
    let working = MOST
    const { connections, paused, wentOn } = opened()
    const backpressure = new Backpressure(() => working, MOST)
    for (const connection of connections.slice(0, 3)) backpressure.answered(connection)
    assert.strictEqual(paused.size, 3)
    working = MOST - 1
    backpressure.answered(connections[3]!)
    assert.deepStrictEqual(wentOn, connections.slice(0, 1))
    backpressure.answered(connections[4]!)
    assert.deepStrictEqual(wentOn, connections.slice(0, 1), "its place is the first one's, who is about to come")
    assert.isNumber(backpressure.came(connections[0]!))
    backpressure.answered(connections[5]!)
    assert.deepStrictEqual(wentOn, connections.slice(0, 2))
    assert.isUndefined(backpressure.came(connections[6]!), "who did not wait")
  })

  it("does not wait for connections that end, or ended meanwhile", () => {
    let working = MOST
    const { connections, paused, wentOn } = opened()
    const backpressure = new Backpressure(() => working, MOST)
    Object.assign(connections[0]!.socket, { writable: false })
    for (const connection of connections.slice(0, 3)) backpressure.answered(connection)
    assert.deepStrictEqual(paused, new Set(connections.slice(1, 3)))
    Object.assign(connections[1]!.socket, { destroyed: true })
    working = MOST - 2
    backpressure.answered(connections[3]!)
    assert.deepStrictEqual(wentOn, connections.slice(2, 3), "an ended one takes a turn, and no more")
  })

  it("lets everybody in when the server leaves, and nobody waits from then on", () => {
    const { connections, paused } = opened()
    const backpressure = new Backpressure(() => MOST, MOST)
    for (const connection of connections) backpressure.answered(connection)
    assert.strictEqual(paused.size, connections.length)
    backpressure.leave()
    assert.strictEqual(paused.size, 0)
    backpressure.answered(connections[0]!)
    assert.strictEqual(paused.size, 0)
  })
})
