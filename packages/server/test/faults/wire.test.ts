/** Network faults between the server and its database, and between the clients and the server. */
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { Random } from "@sojourn/testing"
import { want } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { eventually } from "./eventually.ts"
import { serverGroup } from "./ServerGroup.ts"
import { fixturesOn } from "./town.ts"
import { type Mode, PASS, type TcpProxy, tcpProxy } from "./TcpProxy.ts"

const random = new Random(Number(process.env.SOJOURN_SEED ?? "20260301"))
const group = forThisFile(await serverGroup())
const server = group.start()
/** The proxy between the clients and the server. */
const outer = forThisFile(await tcpProxy(Number(new URL(await server.listening).port)))
const baseUrl = `http://127.0.0.1:${outer.port}`
const scene = forThisFile(await group.makeScene({ baseUrl: () => baseUrl, random, crowd: 12, companies: 1, keyed: 1 }))

/** The number of batches in flight of a queue, from the server's metrics. */
const batchesOnTheirWay = async (lane: "movements" | "counters" | "lists") => {
  const { text } = await scene.client.ask(baseUrl, { method: "GET", path: "/metrics" })
  return Number(new RegExp(`^sojourn_store_batches_in_flight\\{lane="${lane}"\\} (\\d+)$`, "m").exec(text)?.[1])
}

/** Injects a fault until `unanswered` movements have got no answer, then removes it. */
const onWire = async (wire: TcpProxy, mode: Mode, unanswered: number) => {
  const wanted = scene.ledger.ambiguous() + unanswered
  wire.set(mode)
  await eventually("movements go without an answer", () => scene.ledger.ambiguous() >= wanted)
  wire.set(PASS)
}

const now = (probability: number) => () => random.chance(probability)

describe("between the server and its database", () => {
  it("a latency of 100 ms causes no refusal", async () => {
    const before = scene.ledger.ambiguous()
    await scene.during(async () => {
      group.postgres.wire.set({ _tag: "delay", milliseconds: 100 })
      await pause(1_000)
      group.postgres.wire.set(PASS)
    })
    expect(scene.ledger.ambiguous()).toBe(before)
  })

  it("latency: several batches of movements are in flight, and each movement is applied once when all are lost", async () => {
    await scene.during(async () => {
      group.postgres.wire.set({ _tag: "delay", milliseconds: 5 })
      await eventually("batches are beside each other", async () => (await batchesOnTheirWay("movements")) > 1)
      await group.postgres.wire.refuse()
      await group.postgres.wire.listen()
      group.postgres.wire.set(PASS)
    })
  })

  it("connections that break within a statement: 503, and each movement is applied once", async () => {
    await scene.during(() => onWire(group.postgres.wire, { _tag: "cut", when: now(0.03) }, 30))
  })

  it("answers that are lost after the commit: 503, and each movement is applied once", async () => {
    await scene.during(() => onWire(group.postgres.wire, { _tag: "lose answers", when: now(0.03) }, 30))
  })

  it("half-open connections, and new ones without any answer: 503 after a timeout, then recovery", async () => {
    await scene.during(() => {
      group.postgres.wire.leaveHalfOpen()
      return onWire(group.postgres.wire, { _tag: "black hole" }, 3)
    })
  })
})

describe("between the clients and the server", () => {
  it("incomplete requests: clients retry, and each movement is applied once", async () => {
    await scene.during(() => onWire(outer, { _tag: "cut", when: now(0.1) }, 30), { silent: true })
  })

  it("answers that are lost after the commit: clients retry, and each movement is applied once", async () => {
    await scene.during(() => onWire(outer, { _tag: "lose answers", when: now(0.1) }, 30), { silent: true })
  })
})

// Last in the file: the ledger does not contain these movements, and an audit would report their stays.
describe("between the server and its database, under reads", () => {
  it("latency: several reads are in flight, and no counter is older than its request", async () => {
    const fixtures = fixturesOn(scene.client, () => baseUrl, await group.key())
    const [where, user] = [scene.town.anonymous[0]!, fixtures.sojourn.user("phone")]
    const enter = async () => want(await fixtures.enter(user, where), 201).json.exitToken
    const leave = async (exitToken: string) => want(await fixtures.leave(user, where, exitToken), 202)
    const count = () => fixtures.inside(where)
    group.postgres.wire.set({ _tag: "delay", milliseconds: 5 })
    const gone = await enter()
    await leave(gone)
    const list = async () => expect(want(await fixtures.anonymous(user, where, gone), 200).json).toHaveLength(1)
    const end = new AbortController()
    const readers = Array.from({ length: 16 }, async (_, i) => {
      while (!end.signal.aborted) await (i % 2 === 0 ? count() : list())
    })
    try {
      await eventually("counters are beside each other", async () => (await batchesOnTheirWay("counters")) > 1)
      await eventually("more lists than two are", async () => (await batchesOnTheirWay("lists")) > 2)
      const before = await count()
      for (let i = 0; i < 10; i++) {
        const exitToken = await enter()
        expect(await count()).toBe(before + 1)
        await leave(exitToken)
        expect(await count()).toBe(before)
      }
    } finally {
      end.abort()
      await Promise.all(readers)
      group.postgres.wire.set(PASS)
    }
  })
})
