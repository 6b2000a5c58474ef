/** Every adapter keeps the laws of allowances; servers that share a database share them. */
import { assert, describe, it } from "@effect/vitest"
import { AllowanceStore } from "@sojourn/core"
import { allowanceStoreLaws } from "@sojourn/core/testing"
import { layerAllowances, layerClient } from "@sojourn/adapter-postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { ALLOWANCES } from "./allowances.ts"
import { aDatabase } from "./database.ts"

const HOUR = 3_600_000

for (const [name, layer] of Object.entries(ALLOWANCES)) allowanceStoreLaws(name, layer)

describe("allowances in PostgreSQL", () => {
  it.live("are one for all servers of a database: together they grant no more", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* aDatabase
        const server = Layer.fresh(layerAllowances.pipe(Layer.provide(layerClient(address))))
        const stores = yield* Effect.forEach([1, 2, 3], () =>
          Effect.map(Layer.build(server), (context) => Context.get(context, AllowanceStore))
        )
        const allowance = { most: 50, window: HOUR }
        const waits = yield* Effect.all(
          Array.from({ length: 300 }, (_, nth) => stores[nth % stores.length]!.spend("somebody", allowance)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(waits.filter((wait) => wait === 0).length, 50)
        for (const store of stores) assert.isTrue((yield* store.spend("somebody", allowance)) > 0)
      })
    )
  )
})

describe("allowances in memory", () => {
  it.effect("know those who asked last, of 300,000 names, and have forgotten the first", () =>
    Effect.gen(function* () {
      const store = yield* AllowanceStore
      const allowance = { most: 1, window: HOUR }
      const all = Array.from({ length: 300_000 }, (_, nth) => `caller ${nth}`)
      for (const name of all) assert.strictEqual(yield* store.spend(name, allowance), 0)
      for (const name of all.slice(-50_000)) assert.strictEqual(yield* store.spend(name, allowance), HOUR)
      assert.strictEqual(yield* store.spend(all[0]!, allowance), 0)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* store.spend(all.at(-1)!, allowance), 0)
    }).pipe(Effect.provide(ALLOWANCES.memory!))
  )
})
