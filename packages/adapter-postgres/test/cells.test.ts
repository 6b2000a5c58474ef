/** The lock of changes over cells, where its connection is lost. */
import { assert, layer as shared } from "@effect/vitest"
import { CellNumber, CellStore } from "@sojourn/core"
import { Effect, Fiber } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { layerPostgres, withStores } from "./fixtures.ts"

shared(layerPostgres, { excludeTestServices: true })("the lock of changes over cells", (it) => {
  it.effect("is released with its connection, and what ran under it ends", () =>
    withStores(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { locked } = yield* CellStore
        const first = yield* Effect.forkChild(Effect.result(locked(Effect.never)))
        const holders = sql<{ readonly pid: number }>`select pid from pg_locks where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())`
        const [holder] = yield* Effect.repeat(holders, { until: (rows) => rows.length > 0 })
        yield* sql`select pg_terminate_backend(${holder!.pid})`
        assert.strictEqual((yield* Fiber.join(first))._tag, "Failure")
        assert.strictEqual(yield* locked(Effect.succeed("held again")), "held again")
      }),
      { cell: CellNumber.make(0) }
    )
  )
})
