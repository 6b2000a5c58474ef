/** A comparison in seconds: every candidate is correct and measured. No time is judged. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CANDIDATES } from "../compare/candidates.ts"
import { compare, SHORT, type Turn } from "../compare/compare.ts"
import { report, standings } from "../compare/tables.ts"

const NAMES = CANDIDATES.map(({ name }) => name)

describe("compare", () => {
  it.live("finds every candidate correct, and measures each, also with slow commits at a distance", () =>
    Effect.gen(function* () {
      const once = { ...SHORT, connections: [4], rounds: 1, durability: "fast", commitDelay: 2, wireDelay: 5 } as const
      const compared = yield* compare(once, () => {})
      assert.match(compared.conditions, /each commit 2 ms longer; 5 ms away each way/)
      assert.deepStrictEqual(
        compared.heats.map(({ scenario, turns }) => [scenario, turns.map(({ candidate }) => candidate)]),
        once.scenarios.map((scenario) => [scenario, NAMES])
      )
      const turns = compared.heats.flatMap((heat) => heat.turns).flatMap((one) => one.turns)
      // Each request goes over the wire and back; a timer may go off a little early.
      for (const { requests, p50 } of turns) assert.isTrue(requests > 0 && p50 > 2 * once.wireDelay - 1)
      for (const name of NAMES) assert.include(report(compared), name)
    })
  )

  const turn = (rate: number, database = Number.NaN): Turn => ({
    requests: rate,
    rate,
    p50: 1,
    p99: 2,
    server: 10,
    database,
    wal: 0
  })

  it("compares turns of the same round, so that a slow moment of the machine affects both", () => {
    const all = [
      { candidate: "sojourn", turns: [turn(200, 10), turn(20, 10), turn(90, 10)] },
      { candidate: "fastify-pg", turns: [turn(100, 30), turn(10, 30), turn(30, 30)] },
      { candidate: "sojourn-before", turns: [turn(50), turn(5), turn(15)] }
    ]
    const [sojourn, reference, unknown] = standings({ turns: all })
    assert.deepInclude(sojourn, { ratio: { median: 2, least: 2, most: 3 }, rate: 90, work: 2 })
    assert.deepInclude(reference, { ratio: { median: 1, least: 1, most: 1 }, work: 1 })
    assert.deepInclude(unknown, { database: Number.NaN, work: Number.NaN })
  })
})
