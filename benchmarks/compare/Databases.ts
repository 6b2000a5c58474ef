/** The PostgreSQL of a run and its databases, which end with the scope, also slow commits and a distant server. */
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { layerClient } from "@sojourn/adapter-postgres"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { startServer } from "./Server.ts"

/** A directory for the time of the scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sojourn-benchmark-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
)

/** The address of a PostgreSQL that is started for the time of the scope, over TCP as those of other machines. */
export const startPostgres = Effect.fnUntraced(function* (durability: "durable" | "fast") {
  const directory = join(yield* temporaryDirectory, "postgres")
  const layer = EmbeddedPostgres.layer({ directory, durability, transport: "tcp" })
  const context = yield* Layer.build(layer)
  return yield* Effect.provideContext(
    Effect.map(EmbeddedPostgres, ({ url }) => url()),
    context
  )
})

/** A client with one connection, for the time of the scope. */
export const clientOf = (url: Redacted.Redacted) =>
  Effect.map(Layer.build(layerClient({ url }, { maxConnections: 1, statementTimeout: "10 minutes" })), (context) =>
    Effect.provideContext(SqlClient.SqlClient, context)
  ).pipe(Effect.flatten)

/** Lets each commit of a PostgreSQL take so many milliseconds longer, as if its disk did, in all sessions that begin from now on. */
export const delayCommits = Effect.fnUntraced(function* (url: Redacted.Redacted, milliseconds: number) {
  const sql = yield* clientOf(url)
  yield* sql.unsafe(`alter role all set commit_delay = ${milliseconds * 1000}`)
  // Also when no other transaction is committing at that moment.
  yield* sql.unsafe("alter role all set commit_siblings = 0")
}, Effect.scoped)

/**
 * The address of a PostgreSQL at the end of a wire that takes so many milliseconds each way, for the time of the scope; a process
 * of its own, so that it does not delay the measuring process.
 */
export const afar = Effect.fnUntraced(function* (url: Redacted.Redacted, milliseconds: number) {
  const address = new URL(Redacted.value(url))
  const args = [fileURLToPath(new URL("wire.ts", import.meta.url)), address.hostname, address.port]
  const wire = yield* startServer({ args: [...args, String(milliseconds)], env: {} })
  address.host = `${wire.host}:${wire.port}`
  return Redacted.make(address.href)
})

/** A database of a new name for the time of the scope. */
export const temporaryDatabase = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const sql = yield* clientOf(url)
  const name = `sojourn_compare_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(sql.unsafe(`create database ${name}`), () =>
    Effect.ignore(sql.unsafe(`drop database if exists ${name} with (force)`))
  )
  const address = new URL(Redacted.value(url))
  address.pathname = `/${name}`
  return Redacted.make(address.href)
})
