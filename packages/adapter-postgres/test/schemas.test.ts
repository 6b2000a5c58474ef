/** Stores in schemas of one database: each has its tables, its migrations and its notifications for itself. */
import { PresenceFeed, Timestamp } from "@sojourn/core"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Stream } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type DatabaseAddress, layer as layerStoresOn, layerClient, migrate, SCHEMA_VERSION } from "../src/index.ts"
import { lockMigrations } from "../src/migrations/Migrations.ts"
import { emptyDatabase, insertOrganization, layerPostgres } from "./fixtures.ts"

/** Runs an effect on a client of one schema. */
const inSchema =
  (address: DatabaseAddress, schema: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, Layer.fresh(layerClient(address, { schema })))

const NAMES = ["sojourn", "Übrige \"Räume\", 'alle'", "public"]

layer(layerPostgres, { excludeTestServices: true })("the schema of the stores", (it) => {
  it.effect("is created once, whatever its name, and is the only one that is touched", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const schemas = inSchema(
        database,
        "nowhere"
      )(
        SqlClient.SqlClient.use(
          (sql) => sql<{ readonly schema: string; readonly tables: bigint }>`
            select schemaname::text as schema, count(*) as tables from pg_tables
            where schemaname not in ('pg_catalog', 'information_schema') group by 1 order by 1`
        )
      )
      for (const [nth, schema] of NAMES.entries()) {
        const done = yield* Effect.all(
          Array.from({ length: 2 }, () => inSchema(database, schema)(migrate)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(done.flat().length, SCHEMA_VERSION)
        const found = yield* schemas
        assert.sameMembers(
          found.map(({ schema }) => schema),
          NAMES.slice(0, nth + 1)
        )
        assert.strictEqual(new Set(found.map(({ tables }) => tables)).size, 1)
      }
    })
  )

  it.effect.each<readonly [name: string, reason: string]>([
    ["", "empty"],
    ["a.b", "dot"],
    ["a\0b", "NUL"],
    ["s".repeat(64), "63 bytes"],
    ["ü".repeat(32), "63 bytes"],
    ["pg_temp", "PostgreSQL's own"],
    ["Information_Schema", "PostgreSQL's own"]
  ])("is refused when it is named %j", ([schema, reason]) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(inSchema(yield* emptyDatabase, schema)(migrate))
      assert.strictEqual(refused._tag, "SchemaNameRefused")
      assert.include(refused.message, reason)
    })
  )

  it.effect("is migrated without waiting for the migration of another one", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const whileLocked = inSchema(
        database,
        "one"
      )(
        SqlClient.SqlClient.use((sql) =>
          sql.withTransaction(Effect.andThen(lockMigrations(sql), inSchema(database, "other")(migrate)))
        )
      )
      assert.strictEqual((yield* Effect.timeout(whileLocked, "20 seconds")).length, SCHEMA_VERSION)
    })
  )

  it.effect("has notifications of its own", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const open = (schema: string) => Layer.build(Layer.fresh(layerStoresOn(database, { schema })))
      const [one, same, other] = [yield* open("one"), yield* open("one"), yield* open("other")]
      const notified = (context: Context.Context<PresenceFeed>) =>
        Context.get(context, PresenceFeed).notifications.pipe(Stream.take(1), Stream.runCollect, Effect.forkScoped)
      const [here, there] = [yield* notified(same), yield* notified(other)]
      yield* Effect.sleep("500 millis")
      yield* Effect.provideContext(insertOrganization(7), one)
      yield* Effect.provideContext(
        SqlClient.SqlClient.use((sql) =>
          Effect.all([
            sql`insert into presence_feed (organization_id, at) values (7, now())`,
            sql`insert into presence_totals (organization_id, place_id, began_at) values (7, 0, now())`,
            sql`insert into pending_change (organization_id, place_id, entered, at) values (7, 0, 1, now())`
          ])
        ),
        one
      )
      yield* Context.get(one, PresenceFeed).publish(Timestamp(Date.now() + 120_000))
      assert.deepStrictEqual(yield* Effect.timeout(Fiber.join(here), "10 seconds"), [[7n]] as never)
      assert.isUndefined(there.pollUnsafe())
    }).pipe(Effect.scoped)
  )
})
