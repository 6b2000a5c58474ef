/**
 * The stores on a database that has been migrated from a schema without the presence feed: its triggers must leave alone the
 * statements that record their own deltas. New databases, which all other tests use, have no triggers.
 */
import { checkModel, servicesDriver } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { layer } from "../src/index.ts"
import { migrateTo } from "../src/migrations/Migrations.ts"
import { emptyDatabase, layerPostgres, on } from "./given.ts"

const seed = 20261123

const layerMigratedFromBefore = Layer.unwrap(
  Effect.gen(function* () {
    const address = yield* emptyDatabase
    yield* on(address)(migrateTo(8))
    return layer(address)
  })
).pipe(Layer.provide(layerPostgres), Layer.orDie)

it("is like the model on a migrated database", async () => {
  const report = await Effect.runPromise(
    checkModel(servicesDriver(layerMigratedFromBefore, seed), { seed, commands: 500 })
  )
  expect(report.met.get("feed read on")).toBe(report.runs)
})
