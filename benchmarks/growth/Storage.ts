import { join } from "node:path"
import { type DatabaseAddress, layerClient, layerStores, migrate } from "@sojourn/adapter-postgres"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Data, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDirectory } from "../compare/Databases.ts"

/** The database of the user's holds something already, which growing would spoil. */
export class DatabaseNotEmpty extends Data.TaggedError("DatabaseNotEmpty")<{ readonly tables: number }> {
  override get message(): string {
    return `the database must be empty, and it has ${this.tables} tables`
  }
}

const requireEmpty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly tables: number }>`
    select count(*)::int as tables from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`
  if (row!.tables > 0) return yield* new DatabaseNotEmpty({ tables: row!.tables })
})

/** The stores as a server has them, and beside them a client that may take its time. */
const layerAt = (address: DatabaseAddress) => {
  const patient = layerClient(address, { maxConnections: 1, statementTimeout: "1 hour" })
  return Layer.provide(layerStores, layerClient(address)).pipe(
    Layer.provideMerge(Layer.effectDiscard(Effect.andThen(requireEmpty, migrate))),
    Layer.provideMerge(patient)
  )
}

/** In a PostgreSQL of one's own, gone at the end: durable, as the server's is, or `fast` where nothing is timed. */
export const layerOwn = (durability: "durable" | "fast") =>
  Layer.unwrap(
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "postgres")
      const embedded = EmbeddedPostgres.layer({ directory, durability })
      const stores = Layer.unwrap(Effect.map(EmbeddedPostgres, ({ connection }) => layerAt(connection)))
      return Layer.provide(stores, embedded)
    })
  )

/** In an empty database of the user's, where everything stays. */
export const layerIn = (url: Redacted.Redacted) => layerAt({ url })
