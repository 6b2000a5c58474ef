/** Backup and restore of whole databases on a real PostgreSQL: completeness, consistency, and what a restore refuses. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { loadDatabase, migrate, type Rows, saveDatabase, SCHEMA_VERSION, type Snapshot } from "../src/index.ts"
import { tablesInOrder } from "../src/backup/catalog.ts"
import { requireInvariants, requireSequences } from "../src/backup/invariants.ts"
import { MIGRATION_TABLE, SEQUENCES, TABLES } from "../src/migrations/Migrations.ts"
import { FILLED, fill } from "./everything.ts"
import { emptyDatabase, layerPostgres, on, untilWaiting } from "./fixtures.ts"

interface Saved {
  readonly snapshot: Snapshot
  readonly parts: ReadonlyArray<Rows>
}

/** Saves a database into memory. `meanwhile` is done once the moment is fixed. */
const save = Effect.fnUntraced(function* (meanwhile: Effect.Effect<void> = Effect.void) {
  const parts: Array<Rows> = []
  const snapshot = yield* saveDatabase({
    begin: () => meanwhile,
    write: (rows) => Effect.sync(() => void parts.push(rows))
  })
  return { snapshot, parts } satisfies Saved
})

const load = ({ snapshot, parts }: Saved) => loadDatabase(snapshot, Stream.fromIterable(parts))

/** Every row, by its table. */
const rowsOf = ({ parts }: Saved) => {
  const byTable: Record<string, Array<Record<string, unknown>>> = {}
  for (const { table, rows } of parts) {
    const known = (byTable[table] ??= [])
    for (const row of rows) known.push(JSON.parse(row))
  }
  return byTable
}

const filled = Effect.gen(function* () {
  const database = yield* emptyDatabase
  yield* on(database)(Effect.andThen(migrate, fill))
  return database
})

const tableNames = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly name: string }>`select tablename::text as name from pg_tables where schemaname = 'sojourn'`
)

/** Changes of a full database that no constraint refuses, each with the reason why a backup of it is refused. */
const VIOLATIONS: ReadonlyArray<readonly [change: string, reason: string]> = [
  ["update open_stay set id = 0", "a row of open_stay"],
  ["update deletion_request set id = 9007199254740992", "a row of deletion_request"],
  [
    `insert into place select (jsonb_populate_record(p, '{"organization_id": 2}')).* from place p`,
    "two places with one id"
  ],
  ["update permission set level = 'viewer' where organization_id = 2", "an organization without an owner"],
  ["update open_stay set organization_id = 2, place_id = 9007190000000000", "that it does not hold"],
  ["update stay set organization_id = 404", "that it does not hold"],
  [
    "insert into stay select organization_id, place_id, id, person, entered_at, now() from open_stay",
    "both open and closed"
  ],
  ["update open_stay set entered_at = '-infinity'", "a time that is out of the years 0 to 9999"],
  ["update stay set exited_at = 'infinity'", "a time that is out of the years 0 to 9999"],
  ["update stay set exited_at = '10000-01-01 00:00Z' where id = 1000", "a time that is out of the years 0 to 9999"],
  ["update muster_result set since = '{infinity,null}'", "a time that is out of the years 0 to 9999"],
  ["update muster set ended_at = now() where id = 2", "a muster whose people do not fit it"],
  ["update muster_result set states = '{left,away}'", "a row of muster_result"],
  ["update open_stay set key_id = 256", "a row of open_stay"],
  ["update webhook set created_by = 'nobody'", "an administrator who is no owner"],
  ["update webhook_attempt set number = 52 where number = 51", "an attempt of a webhook out of its place"],
  ["update floor_plan set image = ''", "a row of floor_plan"],
  ["update floor_plan set digest = repeat('0', 64)", "a floor plan whose digest or length is not that of its image"],
  ["update floor_plan set bytes = 4", "a floor plan whose digest or length is not that of its image"],
  [`update organization set post_code = '{"not": "a code"}' where id = 1`, "a row of organization"],
  [
    "insert into favorite (organization_id, user_id, creation_date, added) select 2, user_id, creation_date, added from favorite",
    "two favorites of a user with one number"
  ],
  ["update place set floor = 5", "a place whose level or position is none"],
  ["update stay_policy set retention = -1", "a row of stay_policy"],
  ["update stay_policy set event_grain = 61", "a row of stay_policy"],
  ["update organization set time_zone = 'Europe/Atlantis'", "a row of organization"],
  ["update stay_policy set stays_end_at = '3:00'", "a row of stay_policy"],
  ["update stay_policy set end_at = null", "a row of stay_policy"],
  ["update stay_policy set counted_reset_at = '25:00'", "a row of stay_policy"],
  ["update stay_policy set counted_reset_at = null", "a row of stay_policy"],
  ["update stay_policy set device_silent_after = 9000000000000000", "a row of stay_policy"],
  ["update stay_policy set reset_at = 'infinity'", "a time that is out of the years 0 to 9999"],
  ["update floor_plan set type = 'text/html'", "a row of floor_plan"],
  ["update floor_plan set type = E'image/png\\r\\nx-evil: 1'", "a row of floor_plan"],
  ["update floor_plan set image = 'PGh0bWw+', bytes = 6", "a row of floor_plan"],
  ["update floor_plan set west = 181, east = 182", "a row of floor_plan"],
  ["update floor_plan set south = 'NaN'", "a row of floor_plan"],
  ["update floor_plan set level = 301", "a row of floor_plan"],
  ["update device set name = ''", "a row of device"],
  ["update device set seen_at = 'infinity'", "a time that is out of the years 0 to 9999"],
  ["update device_premises set place_id = 5", "people counted or devices in a place"],
  ["update device_epoch set device_id = 5", "a device that it does not hold"],
  ["update organization set name = repeat('x', 129) where id = 2", "a row of organization"],
  ["update organization set authentication_server = null", "a row of organization"],
  [
    "update administrator_account set mail = 'ada@', mail_key = 'ada@' where mail is not null",
    "a row of administrator_account"
  ],
  [
    "update administrator_account set mail_key = 'eve@example.org' where mail is not null",
    "a row of administrator_account"
  ],
  ["update webhook set url = 'http://127.0.0.1/'", "a row of webhook"],
  ["update webhook set types = '{muster.changed,evil}'", "a row of webhook"],
  ["update webhook set types = '{}'", "a row of webhook"],
  ["update presence_totals set level = 'full' where place_id = 0", "a row of presence_totals"],
  ["update presence_totals set warn_at = 'NaN' where warn_at is not null", "a row of presence_totals"],
  ["update presence_event set type = 'evil'", "a row of presence_event"],
  ["update presence_event set inside = null", "a row of presence_event"],
  ["update deletion_request set status = 'approved'", "a row of deletion_request"],
  ["update account_link set org_auth_server_id = ''", "a row of account_link"],
  ["delete from presence_history where organization_id = 2", "without its feed"],
  ["delete from presence_totals where organization_id = 2", "without its feed"],
  ["update presence_history set version = version + 1", "a presence history that is ahead of its feed"],
  ["update organization set authentication_server = 'gopher://[::' where id = 1", "an authentication server"],
  ["update place set tracking_area = '[1, 2]'", "a tracking area that is none"]
]

layer(layerPostgres, { excludeTestServices: true })("a backup of a database", (it) => {
  it.effect("holds every table, each after those that it refers to", () =>
    Effect.gen(function* () {
      const database = yield* filled
      const tables = yield* on(database)(tablesInOrder)
      assert.sameMembers([...tables], FILLED)
      const saved = yield* on(database)(save())
      assert.sameMembers(Object.keys(rowsOf(saved)), FILLED)
      assert.isBelow(tables.indexOf("organization"), tables.indexOf("place"))
      assert.isBelow(tables.indexOf("administrator_account"), tables.indexOf("permission"))
    })
  )

  it.effect("knows every table that lasts, and every sequence", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* on(database)(migrate)
      const made = yield* on(database)(
        SqlClient.SqlClient.use(
          (sql) => sql<{ readonly name: string }>`
            select relname::text as name from pg_class where relnamespace = 'sojourn'::regnamespace
              and relkind in ('r', 'p', 'S') and relpersistence = 'p' and not relispartition`
        )
      )
      assert.sameMembers(
        made.map(({ name }) => name),
        [MIGRATION_TABLE, "feed_generation", ...TABLES, ...SEQUENCES]
      )
    })
  )

  it.effect("leaves out the tables of others, and is loaded beside an extension's", () =>
    Effect.gen(function* () {
      const database = yield* filled
      const before = yield* on(database)(save())
      yield* on(database)(
        SqlClient.SqlClient.use((sql) =>
          Effect.andThen(
            sql`create table notes (id bigserial, text text)`,
            sql`insert into notes (text) values ('theirs')`
          )
        )
      )
      const saved = yield* on(database)(save())
      assert.deepStrictEqual(rowsOf(saved), rowsOf(before))
      assert.deepStrictEqual(saved.snapshot.sequences, before.snapshot.sequences)
      const other = yield* emptyDatabase
      yield* on(other)(
        SqlClient.SqlClient.use((sql) =>
          Effect.andThen(sql`create schema sojourn`, sql`create extension pg_buffercache schema sojourn`)
        )
      )
      // As a backup has it that was made before others' were left out.
      const sequences = { ...saved.snapshot.sequences, notes_id_seq: "1" }
      yield* on(other)(load({ ...saved, snapshot: { ...saved.snapshot, sequences } }))
      assert.deepStrictEqual(rowsOf(yield* on(other)(save())), rowsOf(saved))
    })
  )

  it.effect("is loaded with every value as it was", () =>
    Effect.gen(function* () {
      const saved = yield* on(yield* filled)(save())
      const other = yield* emptyDatabase
      const rows = saved.parts.reduce((sum, part) => sum + part.rows.length, 0)
      assert.strictEqual(yield* on(other)(load(saved)), rows)
      const again = yield* on(other)(save())
      assert.deepStrictEqual(rowsOf(again), rowsOf(saved))
      assert.deepStrictEqual(yield* on(other)(migrate), [])
    })
  )

  it.effect("is loaded with another generation of the feeds, whose versions may mean other events", () =>
    Effect.gen(function* () {
      const generations = SqlClient.SqlClient.use(
        (sql) => sql<{ readonly generation: string }>`select generation from feed_generation`
      )
      const database = yield* filled
      const saved = yield* on(database)(save())
      const other = yield* emptyDatabase
      yield* on(other)(load(saved))
      const [[before], [after]] = [yield* on(database)(generations), yield* on(other)(generations)]
      assert.notStrictEqual(before?.generation, after?.generation)
    })
  )

  it.effect("is refused where its feeds differ from the open stays, or have a gap", () =>
    Effect.gen(function* () {
      for (const [table, change, reason] of [
        ["pending_change", { entered: 2 }, "differs from the open stays"],
        ["presence_totals", { departed: 1 }, "differs from the open stays"],
        ["presence_event", { version: 5 }, "do not follow each other"],
        ["presence_feed", { version: 3 }, "do not follow each other"]
      ] as const) {
        const saved = yield* on(yield* filled)(save())
        const parts = saved.parts.map((part) =>
          part.table === table
            ? { table, rows: part.rows.map((row) => JSON.stringify({ ...JSON.parse(row), ...change })) }
            : part
        )
        const refusal = yield* Effect.flip(on(yield* emptyDatabase)(load({ ...saved, parts })))
        assert.strictEqual(refusal._tag, "SnapshotInvalid")
        assert.include(refusal.message, reason)
      }
    })
  )

  it.effect("is refused where it violates what no constraint enforces", () =>
    Effect.gen(function* () {
      yield* on(yield* filled)(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const check = (change: string) => sql.withTransaction(Effect.andThen(sql.unsafe(change), requireInvariants))
          yield* check("select")
          for (const [change, reason] of VIOLATIONS) {
            const refusal = yield* Effect.flip(check(change))
            assert.strictEqual(refusal._tag, "SnapshotInvalid", `${change}: ${refusal.message}`)
            assert.include(refusal.message, reason, change)
          }
        })
      )
    })
  )

  it.effect("is of one moment, whatever is written while it is made", () =>
    Effect.gen(function* () {
      const database = yield* filled
      const before = yield* on(database)(save())
      const disturb = on(database)(
        SqlClient.SqlClient.use(
          (sql) => sql`with gone as (delete from open_stay returning *)
            insert into stay select organization_id, place_id, id, person, entered_at, now() from gone`
        )
      )
      const during = yield* on(database)(save(Effect.orDie(Effect.asVoid(disturb))))
      assert.deepStrictEqual(rowsOf(during), rowsOf(before))
      assert.notProperty(rowsOf(yield* on(database)(save())), "open_stay")
    })
  )

  it.effect("leaves no id to be issued that was issued after it", () =>
    Effect.gen(function* () {
      const saved = yield* on(yield* filled)(save())
      assert.strictEqual(saved.snapshot.sequences["stay_id"], "2000")
      const other = yield* emptyDatabase
      const next = yield* on(other)(
        Effect.gen(function* () {
          yield* load(saved)
          const sql = yield* SqlClient.SqlClient
          return yield* sql<{
            readonly stay: bigint
            readonly place: bigint
          }>`select nextval('stay_id') as stay, nextval('place_id') as place`
        })
      )
      assert.deepStrictEqual(next, [{ stay: 1_000_000_002_001n, place: 9_007_191_000_000_001n }])
    })
  )

  it.effect("is refused where a sequence is behind the ids that it issued", () =>
    Effect.gen(function* () {
      const database = yield* filled
      const { snapshot } = yield* on(database)(save())
      for (const name of SEQUENCES) {
        const sequences = { ...snapshot.sequences, [name]: "0" }
        const refusal = yield* Effect.flip(on(database)(requireSequences(SEQUENCES, { sequences })))
        assert.strictEqual(refusal._tag, "SnapshotInvalid")
        assert.include(refusal.message, `sequence ${name} that is behind`)
      }
    })
  )

  it.effect("is refused by a database that holds anything, and changes nothing there", () =>
    Effect.gen(function* () {
      const database = yield* filled
      const saved = yield* on(database)(save())
      const refusal = yield* Effect.flip(on(database)(load(saved)))
      assert.strictEqual(refusal._tag, "DatabaseNotEmpty")
      assert.deepStrictEqual(rowsOf(yield* on(database)(save())), rowsOf(saved))
    })
  )

  it.effect("is refused by a database that a server is just making its own", () =>
    Effect.gen(function* () {
      const saved = yield* on(yield* filled)(save())
      const other = yield* emptyDatabase
      const loading = yield* on(other)(
        SqlClient.SqlClient.use((sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* migrate
              yield* fill
              const loading = yield* Effect.forkScoped(Effect.flip(on(other)(load(saved))))
              yield* untilWaiting(1)
              return loading
            })
          )
        )
      )
      assert.strictEqual((yield* Fiber.join(loading))._tag, "DatabaseNotEmpty")
      assert.deepStrictEqual(rowsOf(yield* on(other)(save())), rowsOf(saved))
    })
  )

  it.effect("leaves nothing where it cannot be loaded to its end", () =>
    Effect.gen(function* () {
      const saved = yield* on(yield* filled)(save())
      const other = yield* emptyDatabase
      const broken = Stream.concat(Stream.fromIterable(saved.parts), Stream.fail("the disk went away"))
      assert.strictEqual(yield* Effect.flip(on(other)(loadDatabase(saved.snapshot, broken))), "the disk went away")
      assert.deepStrictEqual(yield* on(other)(tableNames), [])
      const strange = { ...saved, parts: [{ table: "pg_authid", rows: ["{}"] }] }
      const unknown = yield* Effect.flip(on(other)(load(strange)))
      assert.strictEqual(unknown._tag, "TableUnknown")
      assert.deepStrictEqual(yield* on(other)(tableNames), [])
    })
  )

  it.effect("of a newer schema is refused, and so is a database of one", () =>
    Effect.gen(function* () {
      const database = yield* filled
      const saved = yield* on(database)(save())
      const future = { ...saved, snapshot: { ...saved.snapshot, schema: SCHEMA_VERSION + 1 } }
      const other = yield* emptyDatabase
      assert.strictEqual((yield* Effect.flip(on(other)(load(future))))._tag, "SchemaTooNew")
      assert.strictEqual((yield* Effect.flip(on(other)(save())))._tag, "NothingToBackUp")
      yield* on(database)(
        SqlClient.SqlClient.use(
          (sql) => sql`insert into sojourn_migration (migration_id, name) values (${SCHEMA_VERSION + 1}::int, 'x')`
        )
      )
      assert.strictEqual((yield* Effect.flip(on(database)(save())))._tag, "SchemaTooNew")
    })
  )
})
