import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { grow } from "../growth/grow.ts"
import { layerOwn } from "../growth/Storage.ts"
import { costTable, sizeTable } from "../growth/table.ts"
import { changes } from "../growth/Verdict.ts"

/** Small, but so that every site is a small part of the history. */
const SMALL = {
  sizes: [2_000, 10_000],
  organizations: 10,
  placesEach: 2,
  peopleEach: 20,
  inside: 200,
  crowded: 300,
  rounds: 2,
  times: 20
}

describe("growth", () => {
  it.live("measures every operation with each history beside the others, and nothing of it is absurd", () =>
    Effect.gen(function* () {
      const measured = yield* grow(SMALL, layerOwn("fast"), () => {})
      assert.deepStrictEqual(
        measured.map(({ closed }) => closed),
        SMALL.sizes
      )
      for (const { closed, costs, tables } of measured) {
        assert.strictEqual(costs.length, 10)
        for (const { operation, client, latency, rows, server, wal } of costs) {
          assert.isAbove(latency, 0, operation)
          assert.isAtLeast(client, 0, operation)
          assert.isTrue(server === undefined || server >= 0, operation)
          if (/entrance|exit/.test(operation)) assert.isAbove(wal, 0, operation)
          if (operation !== "access list, a person") assert.isAbove(rows, 0, operation)
        }
        assert.deepStrictEqual(
          tables.map(({ name, rows }) => [name, rows]),
          [
            ["stay", closed],
            ["open_stay", SMALL.inside + SMALL.crowded]
          ]
        )
      }
      const told = [costTable(measured), sizeTable(measured)].join("\n")
      for (const { operation } of changes(measured)) assert.include(told, operation)
    })
  )
})
