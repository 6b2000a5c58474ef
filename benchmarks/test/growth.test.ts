import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { growApart, growOnward, type Measured } from "../growth/grow.ts"
import { type Plan, sequentialScans } from "../growth/plans.ts"
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

/** The indexes that a table is read by, and by no other way. */
const READ_BY: Readonly<Record<string, ReadonlyArray<string>>> = {
  "entrance, anonymous open_stay": ["open_stay_person"],
  "exit, anonymous open_stay": ["open_stay_pkey"],
  "exit, authenticated open_stay": ["open_stay_pkey"],
  "access list, 50 tokens stay": ["stay_pkey"],
  "access list, a person stay": ["stay_by_person", "stay_pkey"],
  "report of a place stay": ["stay_by_person", "stay_pkey"]
}

/** Everything was measured at each size, and nothing of it is absurd. No time is judged. */
const isSane = (measured: ReadonlyArray<Measured>) => {
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
}

const findsByIndex = (plans: ReadonlyArray<Plan>) => {
  assert.deepStrictEqual(sequentialScans(plans), [])
  const readBy = new Map(
    plans.flatMap(({ operation, scans }) =>
      scans
        .filter(({ table }) => table.endsWith("stay"))
        .map(({ table, indexes }) => [`${operation} ${table}`, indexes] as [string, ReadonlyArray<string>])
    )
  )
  assert.sameMembers([...readBy.keys()], Object.keys(READ_BY))
  for (const [scan, indexes] of Object.entries(READ_BY))
    assert.includeMembers([...indexes], [...readBy.get(scan)!], scan)
}

const silent = () => {}

describe("growth", () => {
  it.live("measures every operation with each history beside the others, and finds every stay by an index", () =>
    Effect.gen(function* () {
      const { measured, plans } = yield* growApart(SMALL, layerOwn("fast"), silent)
      isSane(measured)
      findsByIndex(plans)
    })
  )

  it.live("does the same with one history that grows", () =>
    Effect.gen(function* () {
      const { measured, plans } = yield* growOnward(SMALL, silent)
      isSane(measured)
      findsByIndex(plans)
    }).pipe(Effect.provide(layerOwn("fast")))
  )
})
