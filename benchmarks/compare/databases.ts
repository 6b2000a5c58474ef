/** The PostgreSQL of a comparison and its databases, also with slow commits or at a distance. */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { layerClient } from "@sojourn/adapter-postgres"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDirectory } from "../shared/Place.ts"
import { startServer } from "./candidates.ts"

/** The address of a PostgreSQL that is started for the time of the scope, over TCP. */
export const startPostgres = Effect.fnUntraced(function* (durability: "durable" | "fast") {
  const directory = join(yield* temporaryDirectory, "postgres")
  const context = yield* Layer.build(EmbeddedPostgres.layer({ directory, durability, transport: "tcp" }))
  return Context.get(context, EmbeddedPostgres).url()
})

/** A client with one connection, for the time of the scope. The tables of peers are in `public`. */
export const clientOf = (url: Redacted.Redacted, schema?: "public") =>
  Effect.map(
    Layer.build(layerClient({ url }, { maxConnections: 1, statementTimeout: "10 minutes", schema })),
    (context) => Context.get(context, SqlClient.SqlClient)
  )

/** Lets each commit take so many milliseconds longer, as if its disk did, in all sessions that begin from now on. */
export const delayCommits = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, milliseconds: number) {
  yield* sql.unsafe(`alter role all set commit_delay = ${milliseconds * 1000}`)
  // Also when no other transaction is committing at that moment.
  yield* sql.unsafe("alter role all set commit_siblings = 0")
})

/** The same address at the end of a wire that takes so many milliseconds each way, for the time of the scope. */
export const distant = Effect.fnUntraced(function* (url: Redacted.Redacted, milliseconds: number) {
  const address = new URL(Redacted.value(url))
  const program = fileURLToPath(new URL("wire.ts", import.meta.url))
  const wire = yield* startServer({
    args: [program, address.hostname, address.port, String(milliseconds)],
    env: {}
  })
  address.host = `${wire.host}:${wire.port}`
  return Redacted.make(address.href)
})

/** A database of a new name for the time of the scope. */
export const temporaryDatabase = Effect.fnUntraced(function* (url: Redacted.Redacted, sql: SqlClient.SqlClient) {
  const name = `sojourn_compare_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(sql.unsafe(`create database ${name}`), () =>
    Effect.ignore(sql.unsafe(`drop database if exists ${name} with (force)`))
  )
  const address = new URL(Redacted.value(url))
  address.pathname = `/${name}`
  return Redacted.make(address.href)
})
