/** The migrations on a real PostgreSQL: concurrent starts, failures, newer schemas, and data of earlier versions. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate, requireSchema, SCHEMA_VERSION } from "../src/index.ts"
import { migrateTo } from "../src/migrations/Migrations.ts"
import { EXITS } from "../src/musters/musters.sql.ts"
import { emptyDatabase, insertOrganization, layerPostgres, on, onEmpty } from "./given.ts"

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    select tablename::text as name from pg_tables where schemaname = 'public' order by 1`
  return rows.map(({ name }) => name)
})

layer(layerPostgres, { excludeTestServices: true })("migrations", (it) => {
  it.effect("bring an empty database to the schema, and a current one nowhere", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const first = yield* on(database)(migrate)
      assert.strictEqual(first.length, SCHEMA_VERSION)
      assert.deepStrictEqual(yield* on(database)(migrate), [])
      yield* on(database)(requireSchema)
    })
  )

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
        Array.from({ length: 8 }, () => on(database)(migrate)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(done.map((migrations) => migrations.length).sort(), [0, 0, 0, 0, 0, 0, 0, SCHEMA_VERSION])
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
      yield* on(database)(SqlClient.SqlClient.use((sql) => sql`create table stay (remark text)`))
      const refusal = yield* Effect.flip(on(database)(migrate))
      assert.strictEqual(refusal._tag, "MigrationFailed")
      assert.deepStrictEqual(yield* on(database)(tables), ["stay"])
    })
  )

  it.effect("trust no mail address of an earlier account that an owner may have written down", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrateTo(5)
        const sql = yield* SqlClient.SqlClient
        const accounts = ["first", "created", "invited", "password", "registered", "nameless"].map((id) => ({
          administrator_id: id,
          mail: id === "nameless" ? null : `${id}@Example.org`,
          mail_key: id === "nameless" ? null : `${id}@example.org`,
          is_invitation: id === "invited",
          password_hash: id === "password" ? "scrypt$" : null
        }))
        for (const account of accounts) yield* sql`insert into administrator_account ${sql.insert(account)}`
        yield* insertOrganization(1)
        yield* sql`insert into permission (organization_id, administrator_id, level, nominated_by)
            select o.id, bound, 'owner', 'first' from organization o, unnest(array['first', 'created', 'nameless']) bound`
        yield* migrateTo(6)
        const unproved = yield* sql<{ readonly id: string }>`
            select administrator_id as id from administrator_account where is_mail_unproved order by 1`
        assert.deepStrictEqual(
          unproved.map(({ id }) => id),
          ["created", "invited", "password", "registered"]
        )
      })
    )
  )

  it.effect(
    "let triggers record the movements of servers of the version before, beside which only migrated databases were",
    () =>
      Effect.gen(function* () {
        const triggersAfter = <E>(migrations: Effect.Effect<unknown, E, SqlClient.SqlClient>) =>
          Effect.gen(function* () {
            yield* migrations
            const sql = yield* SqlClient.SqlClient
            const triggers = yield* sql<{ readonly name: string }>`
            select tgname::text as name from pg_trigger where tgrelid = 'open_stay'::regclass and not tgisinternal order by 1`
            return triggers.map(({ name }) => name)
          })
        assert.deepStrictEqual(yield* onEmpty(triggersAfter(migrate)), [])
        assert.deepStrictEqual(yield* onEmpty(triggersAfter(Effect.andThen(migrateTo(8), migrate))), [
          "record_presence_delta_of_delete",
          "record_presence_delta_of_insert"
        ])
      })
  )

  it.effect("keep how many have left during an open muster", () =>
    onEmpty(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrateTo(12)
        yield* insertOrganization(1)
        yield* sql`insert into presence_feed (organization_id, version, at) values (1, 3, now())`
        yield* sql`insert into presence_head (organization_id, place_id, entered, departed, began_at) values (1, 0, 20, 9, now())`
        yield* sql`insert into presence_event (organization_id, version, at, type, exits)
            values (1, 1, now(), 'presence.changed', 4), (1, 2, now(), 'presence.changed', 3), (1, 3, now(), 'presence.changed', 2)`
        yield* sql`insert into presence_delta (organization_id, place_id, exits, at) values (1, 0, 1, now())`
        // It began after the first event, while one exit was not told.
        yield* sql`insert into muster (organization_id, mode, kind, started_at, started_by, last_stay, version, exits, inside)
            values (1, 'anonymous', 'drill', now(), 'ada', 0, 1, 1, 11)`
        yield* migrate
        const [row] = yield* sql.unsafe<{ readonly exits: bigint }>(
          EXITS.replaceAll("$2::bigint", "exits") + " from muster",
          [1n]
        )
        // Of the 3 and 2 that were told and the 1 that was not, one came before it.
        assert.strictEqual(row!.exits, 5n)
      })
    )
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
            join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
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
