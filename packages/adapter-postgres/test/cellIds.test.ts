/** The ids that a cell issues are of its own range. */
import { CellNumber, idRangeOf } from "@sojourn/core"
import { assert, layer as shared } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { issueIdsOf } from "../src/migrations/cellIds.ts"
import { migrate } from "../src/migrations/Migrations.ts"
import { layerPostgres, onEmpty } from "./fixtures.ts"

const LOWER = CellNumber.make(1)
const HIGHER = CellNumber.make(3)

shared(layerPostgres, { excludeTestServices: true })("the ids of a cell", (it) => {
  const nextStay = SqlClient.SqlClient.use((sql) => sql<{ readonly id: bigint }>`select nextval('stay_id') as id`).pipe(
    Effect.map(([row]) => row!.id)
  )

  it.effect("begin with the range of the cell, go on after a restart, and are of no other cell", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        yield* issueIdsOf(HIGHER)
        const { first } = idRangeOf(HIGHER)
        assert.strictEqual(yield* nextStay, first)
        yield* issueIdsOf(HIGHER)
        assert.strictEqual(yield* nextStay, first + 1n)
        const refused = yield* Effect.flip(issueIdsOf(LOWER))
        assert.strictEqual(
          refused.message,
          "the schema has issued ids of cell 3, and cannot be cell 1: name the schema of that cell"
        )
        assert.strictEqual(yield* nextStay, first + 2n)
      })
    )
  )

  it.effect("go on in a schema that was used without cells, as those of the home cell alone", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        yield* nextStay
        assert.strictEqual((yield* Effect.flip(issueIdsOf(LOWER)))._tag, "SchemaOfAnotherCell")
        const home = CellNumber.make(0)
        yield* issueIdsOf(home)
        assert.strictEqual(yield* nextStay, 2n)
        const sql = yield* SqlClient.SqlClient
        yield* sql`select setval('stay_id', ${idRangeOf(home).last}::bigint)`
        assert.strictEqual((yield* Effect.flip(nextStay))._tag, "SqlError")
      })
    )
  )
})
