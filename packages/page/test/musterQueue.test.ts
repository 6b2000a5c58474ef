/** What wardens mark reaches the server in order, once, whatever fails between. */
import { assert, describe, it } from "@effect/vitest"
import type { Muster } from "@sojourn/client"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import {
  isNeeded,
  type MusterAct,
  type MusterQueue,
  readQueue,
  withAct,
  withQueue,
  withState
} from "../src/browser/musters/musterQueue.ts"

const MUSTER = 7
const NOW = "2026-05-04T13:30:00.000Z"
const safe = (person: string): MusterAct => ({ kind: "safe", person })
const missing = (person: string): MusterAct => ({ kind: "missing", person })
const sweep = (placeId: number, swept = true): MusterAct => ({ kind: "swept", placeId, swept })
const queueOf = (...acts: ReadonlyArray<MusterAct>) =>
  acts.reduce<MusterQueue>((queue, act) => withAct(queue, MUSTER, act), [])
const actsOf = (queue: MusterQueue) => queue.map(({ act }) => act)

const musterOf = (more: Partial<Muster> = {}): Muster => ({
  musterId: MUSTER,
  organizationId: 1,
  kind: "drill",
  startedAt: NOW,
  startedBy: "owner",
  inside: 0,
  safe: 0,
  left: 0,
  missing: 0,
  ...more
})

/** A muster after an act, as the server has it. */
const apply = (muster: Muster, act: MusterAct): Muster => withQueue(muster, queueOf(act), NOW).muster

const PEOPLE = ["ada", "alan", "grace"]
const started = musterOf({
  inside: 3,
  missing: 3,
  people: PEOPLE.map((orgAuthServerId) => ({ orgAuthServerId, placeIds: [1], since: NOW, state: "missing" }))
})

describe("the queue of a muster", () => {
  it("keeps the order, and each act once", () => {
    const queue = queueOf(safe("ada"), sweep(1), safe("alan"), safe("ada"), sweep(1))
    assert.deepStrictEqual(actsOf(queue), [safe("ada"), sweep(1), safe("alan")])
  })

  it("sends neither a mark nor its undo where both were made before anything was sent", () => {
    assert.deepStrictEqual(queueOf(safe("ada"), missing("ada")), [])
    assert.deepStrictEqual(queueOf(sweep(1), sweep(1, false)), [])
    assert.deepStrictEqual(actsOf(queueOf(safe("ada"), safe("alan"), missing("ada"))), [safe("alan")])
  })

  it("sends the undo of a mark that is being sent, and the last of several counts", () => {
    const sending = withState(queueOf(safe("ada")), "sending")
    assert.deepStrictEqual(actsOf(withAct(sending, MUSTER, missing("ada"))), [safe("ada"), missing("ada")])
    const counts = queueOf({ kind: "count", count: 2 }, { kind: "count", count: 5 })
    assert.deepStrictEqual(actsOf(counts), [{ kind: "count", count: 5 }])
  })

  it("keeps marks of several musters apart", () => {
    assert.strictEqual(withAct(queueOf(safe("ada")), MUSTER + 1, missing("ada")).length, 2)
  })

  it("survives the storage: what was being sent may have arrived", () => {
    const queue = queueOf(safe("ada"), sweep(1))
    assert.deepStrictEqual(readQueue(structuredClone(queue)), queue)
    assert.deepStrictEqual(
      readQueue(withState(queue, "sending")).map(({ state }) => state),
      ["uncertain", "waiting"]
    )
    assert.deepStrictEqual(readQueue(undefined), [])
  })

  const people = Arbitrary.array(
    Arbitrary.all({ act: anyOf(["press", "sweep", "answer", "lose", "loseAnswer", "reload"]), of: integer(0, 2) }),
    { maxLength: 40 }
  )
  it.prop(
    "brings the server to what is shown, without a repeated or a needless request",
    { steps: people },
    ({ steps }) => {
      let server = started
      let queue: MusterQueue = []
      let sent: ReadonlyArray<MusterAct> = []
      /** One attempt of the first entry, as the hook makes it: whether the server gets it, and whether its answer arrives. */
      const attempt = (arrives: boolean, isAnswered: boolean) => {
        const [first] = queue
        if (first === undefined) return
        if (first.state === "uncertain" && arrives && !isNeeded(first.act, server)) {
          queue = queue.slice(1)
          return
        }
        if (arrives) {
          assert.isTrue(isNeeded(first.act, server), "a request changes something")
          server = apply(server, first.act)
          sent = [...sent, first.act]
        }
        queue = arrives && isAnswered ? queue.slice(1) : withState(queue, "uncertain")
      }
      for (const { act, of } of steps) {
        const shown = withQueue(server, queue, NOW).muster
        if (act === "press") {
          const person = PEOPLE[of]!
          const { state } = shown.people!.find(({ orgAuthServerId }) => orgAuthServerId === person)!
          queue = withAct(queue, MUSTER, state === "safe" ? missing(person) : safe(person))
        } else if (act === "sweep") {
          const isSwept = shown.swept?.some(({ placeId }) => placeId === of) === true
          queue = withAct(queue, MUSTER, sweep(of, !isSwept))
        } else if (act === "reload") queue = readQueue(structuredClone(queue))
        else attempt(act !== "lose", act === "answer")
      }
      const { muster: shown } = withQueue(server, queue, NOW)
      assert.strictEqual(shown.missing + shown.safe, 3)
      const before = sent.length + queue.length
      while (queue.length > 0) attempt(true, true)
      assert.isAtMost(sent.length, before)
      assert.strictEqual(server.missing, shown.missing)
      assert.sameDeepMembers([...(server.people ?? [])], [...(shown.people ?? [])])
      assert.sameMembers(
        (server.swept ?? []).map(({ placeId }) => placeId),
        (shown.swept ?? []).map(({ placeId }) => placeId)
      )
    }
  )
})

describe("a muster with what waits", () => {
  it("counts marks, people who were added, and those at the muster point", () => {
    const { muster, waiting } = withQueue(started, queueOf(safe("ada"), safe("edsger"), sweep(4)), NOW)
    assert.deepInclude(muster, { inside: 4, safe: 2, missing: 2, left: 0 })
    assert.deepStrictEqual([...waiting], ["person ada", "person edsger", "place 4"])
    const anonymous = musterOf({ inside: 170, left: 10, missing: 160 })
    const counted = withQueue(anonymous, queueOf({ kind: "count", count: 152 }), NOW)
    assert.deepInclude(counted.muster, { safe: 152, missing: 18 })
  })

  it("awaits nothing that the server has already, and nothing after the end", () => {
    assert.strictEqual(withQueue(apply(started, safe("ada")), queueOf(safe("ada")), NOW).waiting.size, 0)
    const ended = { ...started, endedAt: NOW }
    assert.deepStrictEqual(withQueue(ended, queueOf(safe("ada")), NOW), { muster: ended, waiting: new Set<string>() })
  })
})
