/**
 * A PostgreSQL with the database of an application, whose tables have names of ours and other shapes. It prints its URL and runs until
 * SIGTERM. It ends with 1 if anything in the application's schema has changed.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, Layer, Redacted } from "effect"
import assert from "node:assert/strict"
import { once } from "node:events"

const TABLES = ["organization", "place", "permission", "webhook"]

const CATALOG = `
select relname::text as name,
  (select string_agg(attname, ',' order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0) as columns
from pg_class c where relnamespace = 'public'::regnamespace order by 1`

const program = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const server = yield* EmbeddedPostgres
  for (const table of TABLES) yield* sql.unsafe(`create table ${table} (code text primary key, remark jsonb)`)
  const before = yield* sql.unsafe(CATALOG)
  console.log(Redacted.value(server.url()))
  yield* Effect.promise(() => once(process, "SIGTERM"))
  assert.deepEqual(yield* sql.unsafe(CATALOG), before)
  for (const table of TABLES) assert.deepEqual(yield* sql.unsafe(`select * from ${table}`), [])
})

// SIGTERM has no other listener: the process lives as long as PostgreSQL does.
const Database = Layer.unwrap(EmbeddedPostgres.useSync(({ connection }) => PgClient.layer(connection)))
await program.pipe(
  Effect.provide(Database.pipe(Layer.provideMerge(EmbeddedPostgres.layerTemporary({ transport: "tcp" })))),
  Effect.runPromise
)
