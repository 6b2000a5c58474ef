/** A PostgreSQL of the tests, and databases of applications in it. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"

/** Tables of an application, named as those of the service and shaped otherwise. */
const APPLICATION = [
  "create table organization (code text primary key, remark jsonb)",
  "create table place (code text primary key)",
  "create table permission (code text, webhook text)",
  "create table webhook (code text)",
  "create sequence organization_id",
  "insert into organization values ('museum', '{}')"
]

/** What an application finds in its own schema, but for the rows. */
const CATALOG = `
select relname::text as name, relkind::text as kind,
  (select string_agg(attname, ',' order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0) as columns
from pg_class c where relnamespace = 'public'::regnamespace order by 1`

/** Starts a PostgreSQL, which the caller stops. */
export const startPostgres = async () => {
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layerTemporary({ transport: "tcp" }))
  const server = await runtime.runPromise(EmbeddedPostgres)
  let serial = 0

  /** Runs statements one after the other in a database, and answers the rows of the last. */
  const query = (database: string, ...statements: ReadonlyArray<string>): Promise<ReadonlyArray<any>> =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      let rows: ReadonlyArray<any> = []
      for (const statement of statements) rows = yield* sql.unsafe<any>(statement)
      return rows
    }).pipe(Effect.provide(PgClient.layer({ ...server.connection, database })), Effect.runPromise)

  return {
    connection: server.connection,
    query,
    urlOf: (database: string) => Redacted.value(server.url(database)) as string,
    catalogOf: (database: string) => query(database, CATALOG),
    /** A database with tables of an application. */
    application: async () => {
      const database = `application_${++serial}`
      await runtime.runPromise(server.createDatabase(database))
      await query(database, ...APPLICATION)
      return database
    },
    stop: () => runtime.dispose()
  }
}
