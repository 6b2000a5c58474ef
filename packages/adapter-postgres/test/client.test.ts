/** The client of the stores: the spans of its statements, its transactions, and what it has of `@effect/sql-pg`. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, layer as shared } from "@effect/vitest"
import { PresenceFeed, Timestamp } from "@sojourn/core"
import { Effect, Layer, Stream, Tracer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeDatabase } from "../src/database/Database.ts"
import { makeStoring } from "../src/database/Storing.ts"
import { sessionsOf } from "../src/database/Sessions.ts"
import { layerMigrated, layerStores } from "../src/index.ts"
import { emptyDatabase, layerPostgres, on, onEmpty } from "./fixtures.ts"

/** A tracer that remembers what its spans are of. */
const remembering = () => {
  const names: Array<string> = []
  const tracer = Tracer.make({
    span: (options) => {
      names.push(options.name)
      return new Tracer.NativeSpan(options)
    }
  })
  return { names, traced: Effect.withTracer(tracer) }
}

shared(layerPostgres, { excludeTestServices: true })("the client", (it) => {
  it.effect("has a span of a statement that is traced, and of no other", () =>
    Effect.gen(function* () {
      const address = yield* emptyDatabase
      const use = on(address)
      const { names, traced } = remembering()
      const run = SqlClient.SqlClient.use((sql) => makeDatabase(sql).run("select 1 as n", []))
      assert.deepStrictEqual(yield* use(traced(run)), [{ n: 1 }])
      assert.deepStrictEqual(names, [])
      assert.deepStrictEqual(yield* use(traced(Effect.withSpan(run, "left out", { sampled: false }))), [{ n: 1 }])
      assert.deepStrictEqual(names, ["left out"])
      names.length = 0
      assert.deepStrictEqual(yield* use(traced(Effect.withSpan(run, "a request"))), [{ n: 1 }])
      assert.deepStrictEqual(names, ["a request", address.database])
      names.length = 0
      const elsewhere = Tracer.externalSpan({ spanId: "1", traceId: "1", sampled: true })
      assert.deepStrictEqual(yield* use(traced(Effect.withParentSpan(run, elsewhere))), [{ n: 1 }])
      assert.deepStrictEqual(names, [address.database])
    })
  )

  it.effect("has statements planned alike, and never compiled, whatever the database's defaults are", () =>
    Effect.gen(function* () {
      const use = on(yield* emptyDatabase)
      const settings = ["jit", "enable_seqscan", "enable_hashjoin", "enable_mergejoin"]
      const run = (statement: string) =>
        SqlClient.SqlClient.use((sql) => makeDatabase(sql).run<Record<string, string>>(statement, []))
      for (const setting of settings) {
        yield* use(
          run(`do $$ begin execute format('alter database %I set ${setting} = on', current_database()); end $$`)
        )
        assert.deepStrictEqual(yield* use(run(`show ${setting}`)), [{ [setting]: "off" }])
      }
    })
  )

  it.effect("keeps to the connection of a transaction", () =>
    onEmpty(
      Effect.gen(function* () {
        const db = makeDatabase(yield* SqlClient.SqlClient)
        const backend = db.run<{ pid: number }>("select pg_backend_pid() as pid", [])
        yield* db.transaction(
          Effect.gen(function* () {
            const within = yield* backend
            assert.deepStrictEqual(yield* backend, within)
            // A fiber outside the transaction has another one.
            assert.notDeepEqual(yield* Effect.promise(() => Effect.runPromise(backend)), within)
          })
        )
      })
    )
  )

  it.effect("fails, and does not die, when its connection breaks within a transaction, or a nested one", () =>
    onEmpty(
      Effect.gen(function* () {
        const db = makeDatabase(yield* SqlClient.SqlClient)
        const storing = makeStoring(db, Effect.void)
        const breaking = db.run("select pg_terminate_backend(pg_backend_pid())", [])
        const nested = db.transaction(Effect.andThen(db.run("select 1 as n", []), db.transaction(breaking)))
        for (const broken of [db.transaction(breaking), nested]) {
          assert.strictEqual(
            (yield* Effect.flip(storing.unaudited("a test")("break a connection", broken)))._tag,
            "StoreError"
          )
        }
        assert.deepStrictEqual(yield* db.transaction(db.run("select 1 as n", [])), [{ n: 1 }])
      })
    )
  )

  it.effect("says so when a transaction that seemed to end well was rolled back", () =>
    onEmpty(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create schema sojourn create table kept (n int)`
        const careless = Effect.andThen(sql`insert into kept values (1)`, Effect.ignore(sql`select 1 / 0`))
        assert.strictEqual((yield* Effect.flip(sql.withTransaction(careless)))._tag, "SqlError")
        assert.deepStrictEqual(yield* sql`select n from kept`, [])
        // What failed within a transaction of its own is undone alone.
        const careful = Effect.andThen(
          sql`insert into kept values (2)`,
          Effect.ignore(sql.withTransaction(Effect.andThen(sql`insert into kept values (3)`, sql`select 1 / 0`)))
        )
        yield* sql.withTransaction(Effect.andThen(careful, sql.withTransaction(sql`insert into kept values (4)`)))
        assert.deepStrictEqual(yield* sql`select n from kept order by n`, [{ n: 2 }, { n: 4 }])
      })
    )
  )

  it.effect("answers rows, values, streams and what is not prepared", () =>
    onEmpty(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const some = sql`select n from generate_series(1, ${3}::int) n`
        const rows = [{ n: 1 }, { n: 2 }, { n: 3 }]
        assert.deepStrictEqual(yield* some, rows)
        assert.deepStrictEqual(yield* some.unprepared, rows)
        assert.deepStrictEqual(yield* some.values, [[1], [2], [3]])
        assert.deepStrictEqual(yield* some.valuesUnprepared, [[1], [2], [3]])
        assert.deepStrictEqual(yield* Stream.runCollect(some.stream), rows)
        assert.strictEqual(((yield* some.raw) as { readonly rowCount: number }).rowCount, 3)
      })
    )
  )

  it.effect("is not needed: stores work with the client of @effect/sql-pg", () =>
    Effect.gen(function* () {
      const stores = layerStores.pipe(
        Layer.provideMerge(layerMigrated),
        Layer.provideMerge(PgClient.layer(yield* emptyDatabase))
      )
      const use = Effect.gen(function* () {
        assert.isUndefined(sessionsOf(yield* SqlClient.SqlClient))
        return yield* PresenceFeed.use((feed) => feed.publish(Timestamp(0)))
      })
      assert.deepStrictEqual((yield* Effect.provide(use, stores)).organizations, [])
    })
  )
})
