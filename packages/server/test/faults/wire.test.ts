/** Networks that fail between the server and its database, and between the phones and the server. */
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodyOf } from "./asking.ts"
import { eventually } from "./eventually.ts"
import { randomness } from "./randomness.ts"
import { keysIn, makeScene, type Scene } from "./scene.ts"
import { type ServerGroup, serverGroup } from "./ServerGroup.ts"
import type { SojournProcess } from "./SojournProcess.ts"
import { type Mode, PASS, type TcpProxy, tcpProxy } from "./TcpProxy.ts"

const random = randomness(Number(process.env.SOJOURN_SEED ?? "20260301"))
let group: ServerGroup
let server: SojournProcess
/** From the phones to the server. */
let outer: TcpProxy
let scene: Scene

beforeAll(async () => {
  group = await serverGroup()
  server = group.start()
  outer = await tcpProxy(Number(new URL(await server.listening).port))
  const baseUrl = `http://127.0.0.1:${outer.port}`
  scene = await makeScene({
    ...(await keysIn(group.data)),
    baseUrl: () => baseUrl,
    random,
    crowd: 12,
    companies: 1,
    keyed: 1
  })
})

afterAll(async () => {
  await scene?.close()
  await outer?.close()
  await group?.close()
})

/** How many batches of a lane are underway, by the server's metrics. */
const batchesOnTheirWay = async (lane: "movements" | "counters" | "lists") => {
  const { text } = await scene.client.ask(`http://127.0.0.1:${outer.port}`, { method: "GET", path: "/metrics" })
  return Number(new RegExp(`^sojourn_store_batches_in_flight\\{lane="${lane}"\\} (\\d+)$`, "m").exec(text)?.[1])
}

/** Something is wrong with a wire until as many movements went without an answer, and then no more. */
const onWire = async (wire: TcpProxy, mode: Mode, unanswered: number) => {
  const wanted = scene.ledger.ambiguous() + unanswered
  wire.set(mode)
  await eventually("movements go without an answer", () => scene.ledger.ambiguous() >= wanted)
  wire.set(PASS)
}

const during = async (what: () => Promise<void>, options?: { readonly silent?: boolean }) => {
  await scene.during(what, () => group.postgres.direct("sojourn"), options)
  expect(scene.ledger.faults).toEqual([])
}

const now = (probability: number) => () => random.happens(probability)

describe("between the server and its database", () => {
  it("a slow network refuses nobody", async () => {
    const before = scene.ledger.ambiguous()
    await during(async () => {
      group.postgres.wire.set({ _tag: "delay", milliseconds: 100 })
      await pause(1_000)
      group.postgres.wire.set(PASS)
    })
    expect(scene.ledger.ambiguous()).toBe(before)
  })

  it("a database that is far: batches of movements are on their way beside each other, also when all are lost at once", async () => {
    await during(async () => {
      group.postgres.wire.set({ _tag: "delay", milliseconds: 5 })
      await eventually("batches are beside each other", async () => (await batchesOnTheirWay("movements")) > 1)
      await group.postgres.wire.refuse()
      await group.postgres.wire.listen()
      group.postgres.wire.set(PASS)
    })
  })

  it("connections that break within a statement: 503, and each movement happens once", async () => {
    await during(() => onWire(group.postgres.wire, { _tag: "cut", when: now(0.03) }, 30))
  })

  it("answers that are lost after the effect: 503, and each movement happens once", async () => {
    await during(() => onWire(group.postgres.wire, { _tag: "lose answers", when: now(0.03) }, 30))
  })

  it("connections that are half open, and new ones that lead nowhere: 503 in the end, and it goes on", async () => {
    await during(() => {
      group.postgres.wire.leaveHalfOpen()
      return onWire(group.postgres.wire, { _tag: "black hole" }, 3)
    })
  })
})

describe("between the phones and the server", () => {
  it("requests that break off: a phone sends them again, and each movement happens once", async () => {
    await during(() => onWire(outer, { _tag: "cut", when: now(0.1) }, 30), { silent: true })
  })

  it("answers that are lost after the effect: a phone asks again, and each movement happens once", async () => {
    await during(() => onWire(outer, { _tag: "lose answers", when: now(0.1) }, 30), { silent: true })
  })
})

// At the end: the ledger knows nothing of these movements, and would take their stays for somebody's.
describe("between the server and its database, while somebody reads", () => {
  it("a database that is far: counters and lists are read beside each other, and no counter is older than its question", async () => {
    const baseUrl = `http://127.0.0.1:${outer.port}`
    const { owner, anonymous, residents } = scene.town
    const { kind, id } = anonymous[0]!
    const count = async () => {
      const path = `/presence/${kind}/${id}/counter`
      return bodyOf<{ counter: number }>(await scene.client.ask(baseUrl, { method: "GET", path, token: owner })).counter
    }
    const move = async (json: object) => {
      const path = `/movement/track/${kind}`
      const sent = { [`${kind}Id`]: id, ...json }
      const answer = await scene.client.ask(baseUrl, { method: "POST", path, token: residents[0]!.token, json: sent })
      return bodyOf<{ exitToken: string }>(answer).exitToken
    }
    group.postgres.wire.set({ _tag: "delay", milliseconds: 5 })
    const gone = await move({ movementType: 1 })
    await move({ movementType: -1, exitToken: gone })
    const list = async () => {
      const path = `/access/${kind}/${id}/anonymous/${gone}`
      const answer = await scene.client.ask(baseUrl, { method: "GET", path, token: residents[0]!.token })
      expect(bodyOf<ReadonlyArray<unknown>>(answer)).toHaveLength(1)
    }
    const end = new AbortController()
    const readers = Array.from({ length: 16 }, async (_, i) => {
      while (!end.signal.aborted) await (i % 2 === 0 ? count() : list())
    })
    try {
      await eventually("counters are beside each other", async () => (await batchesOnTheirWay("counters")) > 1)
      await eventually("more lists than two are", async () => (await batchesOnTheirWay("lists")) > 2)
      const before = await count()
      for (let i = 0; i < 10; i++) {
        const exitToken = await move({ movementType: 1 })
        expect(await count()).toBe(before + 1)
        await move({ movementType: -1, exitToken })
        expect(await count()).toBe(before)
      }
    } finally {
      end.abort()
      await Promise.all(readers)
      group.postgres.wire.set(PASS)
    }
  })
})
