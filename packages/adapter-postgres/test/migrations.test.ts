/** The migrations on a real PostgreSQL: concurrent starts, failures, and schemas of other versions. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate, requireSchema, SCHEMA_VERSION } from "../src/index.ts"
import { emptyDatabase, layerPostgres, on, onEmpty } from "./fixtures.ts"

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    select tablename::text as name from pg_tables where schemaname = 'sojourn' order by 1`
  return rows.map(({ name }) => name)
})

layer(layerPostgres, { excludeTestServices: true })("migrations", (it) => {
  it.effect("that are done already do not wait for readers, such as a backup", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* on(database)(migrate)
      const reading = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select * from sojourn_migration`
            assert.deepStrictEqual(yield* on(database)(migrate), [])
          })
        )
      })
      yield* on(database)(reading)
    })
  )

  it.effect("are done once, when servers start at the same moment", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const done = yield* Effect.all(
        Array.from({ length: 4 }, () => on(database)(migrate)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(done.map((migrations) => migrations.length).sort(), [0, 0, 0, SCHEMA_VERSION])
      yield* on(database)(requireSchema)
    })
  )

  it.effect("refuse a schema of newer code, and change nothing in it", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const future = SCHEMA_VERSION + 7
      yield* on(database)(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`create schema sojourn`
          yield* sql`create table sojourn_migration (
            migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`
          yield* sql`insert into sojourn_migration (migration_id, name) values (${future}::int, 'of the future')`
        })
      )
      for (const refusal of [
        yield* Effect.flip(on(database)(migrate)),
        yield* Effect.flip(on(database)(requireSchema))
      ]) {
        assert.strictEqual(refusal._tag, "SchemaTooNew")
        assert.include(refusal.message, `version ${future}`)
      }
      assert.deepStrictEqual(yield* on(database)(tables), ["sojourn_migration"])
    })
  )

  it.effect("that are missing are reported, where they are not to be applied", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const refusal = yield* Effect.flip(on(database)(requireSchema))
      assert.strictEqual(refusal._tag, "SchemaTooOld")
      assert.include(refusal.message, "sojourn migrate")
      assert.deepStrictEqual(yield* on(database)(tables), [])
    })
  )

  it.effect("leave nothing when one fails", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* on(database)(SqlClient.SqlClient.use((sql) => sql`create schema sojourn create table stay (remark text)`))
      const refusal = yield* Effect.flip(on(database)(migrate))
      assert.strictEqual(refusal._tag, "MigrationFailed")
      assert.deepStrictEqual(yield* on(database)(tables), ["stay"])
    })
  )

  it.effect("refuse a database of before the first release, and change nothing in it", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* on(database)(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`create schema sojourn`
          yield* sql`create table sojourn_migration (
            migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`
          yield* sql`insert into sojourn_migration (migration_id, name) values (1, 'initial'), (15, 'muster_ends')`
        })
      )
      for (const refusal of [
        yield* Effect.flip(on(database)(migrate)),
        yield* Effect.flip(on(database)(requireSchema))
      ]) {
        assert.strictEqual(refusal._tag, "SchemaUnreleased")
      }
      assert.deepStrictEqual(yield* on(database)(tables), ["sojourn_migration"])
    })
  )

  it.effect("refuse a database of another state of the first migration, and change nothing in it", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* on(database)(migrate)
      yield* on(database)(requireSchema)
      yield* on(database)(SqlClient.SqlClient.use((sql) => sql`comment on table sojourn_migration is 'another'`))
      for (const refusal of [
        yield* Effect.flip(on(database)(migrate)),
        yield* Effect.flip(on(database)(requireSchema))
      ]) {
        assert.strictEqual(refusal._tag, "SchemaUnreleased")
      }
    })
  )

  it.effect("keep organization_id in every unique key of what grows with the organizations", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        const sql = yield* SqlClient.SqlClient
        const keys = yield* sql<{ readonly table: string; readonly first: string; readonly identities: bigint }>`
            select c.relname::text as table, a.attname::text as first,
              (select count(*) from pg_attribute i where i.attrelid = c.oid and i.attidentity <> '') as identities
            from pg_index x
            join pg_class c on c.oid = x.indrelid
            join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'sojourn'
            join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
            where x.indisunique
              and c.relname in ('place', 'permission', 'account_link', 'favorite', 'open_stay', 'stay', 'entrance_retry', 'erasure')`
        assert.isAbove(keys.length, 8)
        for (const { table, first, identities } of keys) {
          assert.deepStrictEqual([table, first, identities], [table, "organization_id", 0n])
        }
      })
    )
  )
})
