/** A schema that Citus distributes and moves. SOJOURN_CITUS_URL names the coordinator of a cluster of tests with two workers. */
import { CellNumber, idRangeOf } from "@sojourn/core"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { distributeSchema, issueIdsOf, layerClient, migrate, type Rows, saveDatabase } from "../src/index.ts"
import { IDENTIFYING } from "../src/database/identifying.ts"
import { SEQUENCES } from "../src/migrations/Migrations.ts"
import { insertOrganization, layerPostgres, onEmpty } from "./fixtures.ts"

layer(layerPostgres, { excludeTestServices: true })("a PostgreSQL without Citus", (it) => {
  it.effect("distributes no schema, and is not changed", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        const error = yield* Effect.flip(distributeSchema)
        assert.strictEqual(error._tag, "CitusMissing")
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select to_regclass('placed_sequence') as name`, [{ name: null }])
      })
    )
  )

  it.effect("is no place for a schema that Citus distributes", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table placed_sequence (name text)`
        assert.strictEqual((yield* Effect.flip(issueIdsOf(CELL)))._tag, "SchemaOfCitus")
      })
    )
  )
})

const { SOJOURN_CITUS_URL: url = "" } = process.env

const CELL = CellNumber.make(7)

interface Node {
  readonly host: string
  readonly port: number
}

/** An organization with somebody inside. The tables that have columns of PostgreSQL's own in their views have rows. */
const inside = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* insertOrganization(1)
  yield* sql`insert into place (organization_id, tracking_area, west, east, south, north, area_points)
    values (1, '{}', 0, 0, 0, 0, 0)`
  yield* sql`insert into open_stay (organization_id, place_id, key_id, entered_at, recorded_at)
    values (1, 0, 1, now(), now())`
  yield* sql`insert into pending_change (organization_id, place_id, at, entered) values (1, 0, now(), 1)`
  yield* sql`insert into entrance_retry (organization_id, place_id, retry_key, stay_id, key_id, entered_at, used_at)
    select organization_id, place_id, 'key', id, key_id, entered_at, now() from open_stay`
})

/** Saves a schema into memory, and changes something after the moment that is saved. */
const saveWhile = Effect.fnUntraced(function* <R>(change: Effect.Effect<void, never, R>) {
  const parts: Array<Rows> = []
  const snapshot = yield* saveDatabase({
    begin: () => change,
    write: (rows) => Effect.sync(() => void parts.push(rows))
  })
  return { snapshot, rows: parts.flatMap(({ table, rows }) => rows.map((row) => `${table} ${row}`)).toSorted() }
})

const save = saveWhile(Effect.void)

/** A distributed schema with what was there before, and clients of it. */
const aCell = Effect.fnUntraced(function* <A, E>(content: Effect.Effect<A, E, SqlClient.SqlClient>) {
  const schema = `test_${SecureRandom.uuidV4Unsafe().slice(0, 8)}`
  const address = { url: Redacted.make(url) }
  const own = { schema, statementTimeout: "10 minutes" as const }
  const clientOf = (options: Parameters<typeof layerClient>[1]) =>
    Effect.map(Layer.build(Layer.fresh(layerClient(address, options))), (services) => services)
  const coordinator = yield* clientOf({ ...own, maxConnections: 2 })
  yield* Effect.addFinalizer(() =>
    SqlClient.SqlClient.use((sql) =>
      Effect.andThen(
        sql`drop schema ${sql(schema)} cascade`,
        sql`select count(*) from run_command_on_workers(${`drop schema if exists ${schema}_placed cascade`})`
      )
    ).pipe(Effect.provide(coordinator), Effect.orDie)
  )
  const stores = yield* clientOf({ schema, citus: true, maxConnections: 4 })
  yield* migrate.pipe(Effect.provide(stores))
  yield* issueIdsOf(CELL).pipe(Effect.provide(stores))
  const before = yield* Effect.provide(content, coordinator)
  assert.isTrue(yield* Effect.provide(distributeSchema, stores))
  assert.isFalse(yield* Effect.provide(distributeSchema, stores))
  const on = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.provide(SqlClient.SqlClient.use(use), stores)
  const onCoordinator = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.provide(SqlClient.SqlClient.use(use), coordinator)
  const portOf = Effect.map(
    on((sql) => sql<{ readonly port: number }>`select inet_server_port() as port`),
    ([row]) => row!.port
  )
  /** Moves the schema to another worker, and waits until the client is there. */
  const move = Effect.gen(function* () {
    const from = yield* portOf
    const [to] = yield* onCoordinator(
      (sql) => sql<Node>`
      select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards and nodeport <> ${from} limit 1`
    )
    yield* onCoordinator((sql) => sql`select citus_schema_move(${schema}, ${to!.host}, ${to!.port})`)
    yield* Effect.repeat(portOf, { until: (port) => port !== from, schedule: Schedule.spaced("20 millis") })
  })
  const nextId = (name: string) =>
    Effect.map(
      on((sql) => sql<{ readonly id: bigint }>`select nextval(${name}::regclass) as id`),
      ([row]) => row!.id
    )
  return { schema, stores, before, on, onCoordinator, portOf, move, nextId }
})

describe.skipIf(url === "")(
  `a schema of Citus${url === "" ? " (skipped: SOJOURN_CITUS_URL names no coordinator)" : ""}`,
  () => {
    it.live("has what was in it, and nothing of it stays at the coordinator", () =>
      Effect.gen(function* () {
        const { schema, on, onCoordinator } = yield* aCell(insertOrganization(1))
        assert.deepStrictEqual(yield* on((sql) => sql`select id, name from organization`), [{ id: 1n, name: "Town 1" }])
        const [left] = yield* onCoordinator(
          (sql) => sql`select pg_relation_size(${`${schema}.organization`}::regclass) as bytes`
        )
        assert.deepStrictEqual(left, { bytes: 0n })
      })
    )

    it.live("issues ids of its cell that rise, wherever it moves", () =>
      Effect.gen(function* () {
        const { move, nextId } = yield* aCell(insertOrganization(1))
        const { first, last } = idRangeOf(CELL)
        const issued = new Map<string, Array<bigint>>()
        for (let n = 0; n < 3; n++) {
          if (n > 0) yield* move
          for (const name of SEQUENCES)
            issued.set(name, [...(issued.get(name) ?? []), yield* nextId(name), yield* nextId(name)])
        }
        for (const [name, ids] of issued) {
          assert.deepStrictEqual(
            ids,
            [...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)),
            name
          )
          if (name === "permission_granted") continue
          assert.isTrue(
            ids.every((id) => id >= first && id <= last),
            name
          )
        }
      })
    )

    it.live("records ids as issued before they are", () =>
      Effect.gen(function* () {
        const { on, nextId, move } = yield* aCell(insertOrganization(1))
        const { first } = idRangeOf(CELL)
        const late = first + 2n ** 32n - 10n
        yield* on((sql) => sql`select setval('stay_id', ${late})`)
        // The end of what was recorded is 10 ids away: more are recorded within a second.
        yield* Effect.repeat(Effect.option(nextId("stay_id")), {
          until: (id) => id._tag === "Some" && id.value > first + 2n ** 32n,
          schedule: Schedule.spaced("20 millis")
        })
        yield* move
        assert.isAbove(Number(yield* nextId("stay_id")), Number(first + 2n ** 33n - 1n))
      })
    )

    it.live("refuses what is written where it was, as a rollback", () =>
      Effect.gen(function* () {
        const { schema, on, onCoordinator, portOf } = yield* aCell(insertOrganization(1))
        const from = yield* portOf
        const [to] = yield* onCoordinator(
          (sql) => sql<Node>`
        select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards and nodeport <> ${from} limit 1`
        )
        // It waits for what is being written.
        const written = on((sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`update organization set description = 'first' where id = 1`
              yield* Effect.sleep("2 seconds")
            })
          )
        )
        const moved = onCoordinator((sql) => sql`select citus_schema_move(${schema}, ${to!.host}, ${to!.port})`)
        const late = on((sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select 1`
              yield* Effect.repeat(
                onCoordinator(
                  (own) => own<{ readonly port: number }>`
                select nodeport as port from citus_shards where table_name = ${`${schema}.organization`}::regclass`
                ),
                { until: ([row]) => row!.port !== from, schedule: Schedule.spaced("5 millis") }
              )
              yield* sql`update organization set description = 'late' where id = 1`
            })
          )
        ).pipe(Effect.flip)
        const [error] = yield* Effect.all([late, written, moved], { concurrency: "unbounded" })
        assert.strictEqual(error.reason._tag, "SerializationError")
        yield* Effect.repeat(portOf, { until: (port) => port !== from, schedule: Schedule.spaced("20 millis") })
        assert.deepStrictEqual(yield* on((sql) => sql`select description from organization`), [
          { description: "first" }
        ])
      })
    )

    it.live("is backed up whole, with all ids that may have been issued", () =>
      Effect.gen(function* () {
        const { stores, before, move, nextId } = yield* aCell(Effect.andThen(inside, save))
        yield* move
        const last = yield* nextId("stay_id")
        const { snapshot, rows } = yield* Effect.provide(save, stores)
        assert.deepStrictEqual(rows, before.rows)
        assert.sameMembers(Object.keys(snapshot.sequences), [...SEQUENCES])
        assert.isTrue(BigInt(snapshot.sequences.stay_id!) >= last)
      })
    )

    it.live("is backed up as of one moment, for which a move waits", () =>
      Effect.gen(function* () {
        const { stores, before, on, onCoordinator, move, portOf } = yield* aCell(Effect.andThen(inside, save))
        const from = yield* portOf
        const scope = yield* Effect.scope
        const change = Effect.gen(function* () {
          const moving = yield* Effect.forkIn(move, scope)
          const waiting = onCoordinator((sql) => sql`select from pg_locks where locktype = 'advisory' and not granted`)
          yield* Effect.repeat(waiting, {
            until: ({ length }) => length > 0 || moving.pollUnsafe() !== undefined,
            schedule: Schedule.spaced("20 millis")
          })
          yield* on((sql) => sql`update organization set description = 'late' where id = 1`)
        }).pipe(Effect.orDie)
        const { rows } = yield* Effect.provide(saveWhile(change), stores)
        assert.deepStrictEqual(rows, before.rows)
        yield* Effect.repeat(portOf, { until: (port) => port !== from, schedule: Schedule.spaced("20 millis") })
        assert.deepStrictEqual(yield* on((sql) => sql`select description from organization`), [{ description: "late" }])
      })
    )

    it.live("has no samples of people, on any node", () =>
      Effect.gen(function* () {
        const { on, move } = yield* aCell(insertOrganization(1))
        for (let n = 0; n < 2; n++) {
          if (n > 0) yield* move
          const sampled = yield* on(
            (sql) => sql<{ readonly name: string }>`
          select v.relname || '.' || a.attname as name
          from pg_class v
          join pg_rewrite r on r.ev_class = v.oid
          join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
          join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid and a.attstattarget <> 0
          where v.relnamespace = current_schema()::regnamespace and d.refobjid <> v.oid and d.refobjsubid > 0`
          )
          const people = Object.entries(IDENTIFYING).flatMap(([table, columns]) =>
            columns.map((column) => `${table}.${column}`)
          )
          assert.isAbove(sampled.length, 100)
          assert.deepStrictEqual(
            sampled.filter(({ name }) => people.includes(name)),
            []
          )
        }
      })
    )
  }
)
