import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layerOwn } from "../growth/Storage.ts"
import { changes, isJudged } from "../growth/Verdict.ts"
import { ASPECTS, readArguments, USAGE } from "../sizes/Arguments.ts"
import { sizeTable } from "../sizes/table.ts"
import { BOUND, grown } from "../sizes/verdict.ts"
import { weigh, type Weighed } from "../sizes/weigh.ts"

const SIZES = { people: [20, 300], organizations: [4, 60], places: [3, 12] }

const MEASURED = {
  people: ["entrance, anonymous", "entrance, authenticated", "exit, anonymous", "exit, authenticated", "counter"],
  organizations: [
    "entrance, anonymous",
    "entrance, authenticated",
    "exit, anonymous",
    "exit, authenticated",
    "counter",
    "looking an organization up"
  ],
  places: [
    "entrance, anonymous",
    "exit, anonymous",
    "counter",
    "creating a place of 1000 points",
    "moving an area of 1000 points",
    "removing a place"
  ]
}

describe("sizes", () => {
  for (const aspect of ASPECTS) {
    it.live(`measures everything with more and more ${aspect.unit}`, () =>
      Effect.gen(function* () {
        const sizes = SIZES[aspect.name]
        const weighed = yield* weigh(aspect, sizes, { rounds: 2, times: 20 }, layerOwn("fast"), () => {})
        assert.deepStrictEqual(
          weighed.map(({ size }) => size),
          sizes
        )
        for (const { costs } of weighed) {
          assert.deepStrictEqual(
            costs.map(({ operation }) => operation),
            [...MEASURED[aspect.name], "a question to PostgreSQL"]
          )
          for (const { operation, promise, latency, client, wal, rows } of costs) {
            assert.isAbove(latency, 0, operation)
            assert.isAbove(client, 0, operation)
            assert.strictEqual(rows, 1, operation)
            if (/entrance|exit/.test(operation)) {
              assert.strictEqual(promise, "flat", operation)
              assert.isAbove(wal, 0, operation)
            }
          }
        }
        const told = sizeTable(aspect.unit, weighed)
        for (const { operation } of changes(weighed)) assert.include(told, operation)
        if (process.platform === "linux") assert.isTrue(isJudged(changes(weighed), sizes.length))
      })
    )
  }

  it("judges movements by the processor time of PostgreSQL, and counters not at all", () => {
    const costing = (size: number, exit: number, counter: number): Weighed => {
      const cost = { client: 1, wal: 0, latency: 1, rows: 1 }
      const costs = [
        { ...cost, operation: "exit", promise: "flat" as const, server: exit },
        { ...cost, operation: "counter", promise: "answer" as const, server: counter }
      ]
      return { size, costs }
    }
    assert.deepStrictEqual(grown([costing(1, 100, 1), costing(9, 100 * BOUND, 900)]), [])
    assert.match(grown([costing(1, 100, 1), costing(9, 101 * BOUND, 1)])[0] ?? "", /^exit: /)
  })

  it.effect("takes aspects with sizes or without, and everything by default", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        (yield* readArguments([])).map(({ aspect, sizes }) => [aspect.name, sizes]),
        ASPECTS.map(({ name, usual }) => [name, usual])
      )
      const [first, second] = yield* readArguments(["places=5,50", "people"])
      assert.deepStrictEqual([first?.aspect.name, first?.sizes], ["places", [5, 50]])
      assert.strictEqual(second?.aspect.name, "people")
    })
  )

  for (const args of [["stays"], ["people="], ["people=20,10"], ["people=1"], ["--people"]]) {
    it.effect(`refuses ${args.join(" ")} with the usage`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(readArguments(args))
        assert.include(message, USAGE)
      })
    )
  }
})
