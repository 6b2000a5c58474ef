/** A growth run with a few thousand stays, and its verdict on made-up costs. No time is judged. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Cost, faultsOf, grow, report } from "../growth/grow.ts"

/** Small, but so that every site is a small part of the history. */
const SMALL = {
  sizes: [2_000, 10_000],
  organizations: 10,
  placesEach: 2,
  peopleEach: 20,
  inside: 200,
  crowded: 300,
  rounds: 2,
  times: 20,
  years: 2,
  partitionRows: 2_000,
  ownStays: 2_000,
  settings: {},
  durability: "fast"
} as const

describe("growth", () => {
  it.live("measures every operation at each size", () =>
    Effect.gen(function* () {
      const measured = yield* grow(SMALL, () => {})
      for (const [nth, { size, costs, tables, forgotten }] of measured.entries()) {
        assert.strictEqual(size, SMALL.sizes[nth])
        assert.strictEqual(costs.length, 10)
        assert.strictEqual(forgotten.accesses > 0 && forgotten.bytes > 0, size > SMALL.partitionRows)
        for (const { operation, rows, wal } of costs) {
          if (/entrance|exit/.test(operation)) assert.isAbove(wal, 0, operation)
          if (operation !== "access list, a person") assert.isAbove(rows, 0, operation)
          assert.include(report(measured), operation)
        }
        assert.deepStrictEqual(
          tables.map(({ name, rows }) => [name, rows]),
          [
            ["stay", size],
            ["open_stay", SMALL.inside + SMALL.crowded]
          ]
        )
      }
    })
  )

  const measured = (costs: Readonly<Record<string, readonly [Cost["promise"], number]>>) => ({
    costs: Object.entries(costs).map(([operation, [promise, postgres]]): Cost => ({
      operation,
      promise,
      postgres,
      client: 1,
      wal: 0,
      latency: 1,
      rows: 1
    }))
  })

  for (const [promise, allowed, wrong] of [
    ["flat", 120, 121],
    ["drawn", 150, 151]
  ] as const) {
    it(`lets an operation that is ${promise} cost ${allowed} % with a long history, and no more`, () => {
      const small = measured({ exit: [promise, 100] })
      assert.deepStrictEqual(faultsOf([small, measured({ exit: [promise, allowed] })]), [])
      assert.match(
        faultsOf([small, measured({ exit: [promise, wrong] })]).join(),
        /^exit: PostgreSQL takes 1\.\d1 times/
      )
    })
  }

  it("allows more where the yardstick says that the machine was slower, and never less", () => {
    const small = measured({ exit: ["flat", 100], link: ["yardstick", 10] })
    assert.lengthOf(faultsOf([small, measured({ exit: ["flat", 140], link: ["yardstick", 12] })]), 0)
    assert.lengthOf(faultsOf([small, measured({ exit: ["flat", 140], link: ["yardstick", 8] })]), 1)
  })

  it("judges neither lists and reports nor what it does not know", () => {
    const small = measured({ report: ["answer", 100], exit: ["flat", Number.NaN] })
    assert.deepStrictEqual(faultsOf([small, measured({ report: ["answer", 900], exit: ["flat", Number.NaN] })]), [])
  })
})
