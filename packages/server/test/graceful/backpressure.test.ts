/** `Backpressure` on its own, with timers that the test advances. */
import type { Socket } from "node:net"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Backpressure } from "../../src/http/Backpressure.ts"
import { Connection } from "../../src/http/Connections.ts"

const MOST = 4

/** Longer than any pause, in milliseconds. */
const LONG = 100

const Step = Schema.Struct({
  does: Schema.Literals(["begin", "end", "answered", "received", "pass"]),
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 11 }))
})

describe("backpressure", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  /** Connections that record whether they are paused, and the order in which they were resumed. */
  const opened = () => {
    const resumed: Array<Connection> = []
    const paused = new Set<Connection>()
    const connections = Array.from({ length: 12 }, () => {
      const socket = { destroyed: false, writable: true, pause: () => {}, resume: () => {} }
      const connection = new Connection(socket as never as Socket)
      socket.pause = () => void paused.add(connection)
      socket.resume = () => {
        paused.delete(connection)
        resumed.push(connection)
      }
      return connection
    })
    return { connections, paused, resumed }
  }

  it.prop(
    "resumes connections in the order of their answers, as many as there is capacity for, and each after a bounded pause",
    { steps: Arbitrary.schema(Schema.Array(Step)) },
    ({ steps }) => {
      let inFlight = 0
      const { connections, paused, resumed } = opened()
      const backpressure = new Backpressure(() => inFlight, MOST)
      let order: Array<Connection> = []
      // Resumed connections that have sent nothing since.
      const expected = new Set<Connection>()
      for (const { does, which } of steps) {
        const connection = connections[which]!
        const before = resumed.length
        if (does === "begin") inFlight++
        else if (does === "end") inFlight = Math.max(0, inFlight - 1)
        else if (does === "pass") vi.advanceTimersByTime(which)
        // A paused connection may have a request that was read before.
        else if (does === "received") {
          const since = backpressure.received(connection)
          assert.strictEqual(since !== undefined, expected.delete(connection))
        } else if (!paused.has(connection) && !expected.has(connection)) {
          const isBusy = order.length > 0 || inFlight >= MOST
          const capacity = Math.max(0, MOST - inFlight)
          backpressure.answered(connection)
          const wasPaused = paused.has(connection) || resumed.length > before
          assert.strictEqual(wasPaused, isBusy)
          if (isBusy) order.push(connection)
          assert.isAtMost(resumed.length - before, capacity)
        } else backpressure.answered(connection)
        const now = resumed.slice(before)
        for (const one of now) expected.add(one)
        assert.deepStrictEqual(now, order.slice(0, now.length))
        order = order.slice(now.length)
        assert.deepStrictEqual(paused, new Set(order))
      }
      vi.advanceTimersByTime(LONG)
      assert.strictEqual(paused.size, 0)
    },
    { arbitrary: { runs: 500 } }
  )

  it("resumes the next as soon as there is capacity, and counts resumed connections as in flight", () => {
    let inFlight = MOST
    const { connections, paused, resumed } = opened()
    const backpressure = new Backpressure(() => inFlight, MOST)
    for (const connection of connections.slice(0, 3)) backpressure.answered(connection)
    assert.strictEqual(paused.size, 3)
    inFlight = MOST - 1
    backpressure.answered(connections[3]!)
    assert.deepStrictEqual(resumed, connections.slice(0, 1))
    backpressure.answered(connections[4]!)
    assert.deepStrictEqual(resumed, connections.slice(0, 1), "the first one uses the capacity: its request is expected")
    assert.isNumber(backpressure.received(connections[0]!))
    backpressure.answered(connections[5]!)
    assert.deepStrictEqual(resumed, connections.slice(0, 2))
    assert.isUndefined(backpressure.received(connections[6]!), "it was not paused")
  })

  it("does not wait for connections that close, or closed meanwhile", () => {
    let inFlight = MOST
    const { connections, paused, resumed } = opened()
    const backpressure = new Backpressure(() => inFlight, MOST)
    Object.assign(connections[0]!.socket, { writable: false })
    for (const connection of connections.slice(0, 3)) backpressure.answered(connection)
    assert.deepStrictEqual(paused, new Set(connections.slice(1, 3)))
    Object.assign(connections[1]!.socket, { destroyed: true })
    inFlight = MOST - 2
    backpressure.answered(connections[3]!)
    assert.deepStrictEqual(resumed, connections.slice(2, 3), "a closed one uses up one resumption, and no more")
  })

  it("resumes all connections when the drain begins, and pauses none from then on", () => {
    const { connections, paused } = opened()
    const backpressure = new Backpressure(() => MOST, MOST)
    for (const connection of connections) backpressure.answered(connection)
    assert.strictEqual(paused.size, connections.length)
    backpressure.beginDrain()
    assert.strictEqual(paused.size, 0)
    backpressure.answered(connections[0]!)
    assert.strictEqual(paused.size, 0)
  })
})
