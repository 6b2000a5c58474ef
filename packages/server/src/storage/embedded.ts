/** The storage in the server's own PostgreSQL, which the operator's commands may share with a running server. */
import { EmbeddedPostgres, make as makeEmbedded } from "@sojourn/embedded-postgres"
import { layerFailed, type LayerStorage, StartupError, type StorageOptions } from "@sojourn/service"
import { Effect, Layer } from "effect"
import { layerDatabase } from "./database.ts"
import type { CellsChoice } from "./StorageChoice.ts"

/** The database of the server's own PostgreSQL. */
const DATABASE = "sojourn"

/** Counters scan dead rows of `open_stay`, so autovacuum has to check more often than each minute. */
const SETTINGS = { autovacuum_naptime: "15s" }

/** Selects a PostgreSQL of the server's own. */
export interface EmbeddedChoice {
  readonly directory: string
  /** What to do when a server uses the directory already: refuse, as another server must, or work on its database. */
  readonly whenRunning: "refuse" | "share"
}

export interface EmbeddedOptions extends StorageOptions, EmbeddedChoice {
  readonly cells?: CellsChoice | undefined
}

/** The address of the server's database, which is created if it is missing. */
const addressOf = Effect.fnUntraced(function* (postgres: EmbeddedPostgres["Service"]) {
  if (!(yield* postgres.databaseExists(DATABASE))) {
    // A server and a command may create it at the same moment; one of them succeeds.
    yield* Effect.catch(postgres.createDatabase(DATABASE), (error) =>
      Effect.flatMap(postgres.databaseExists(DATABASE), (exists) => (exists ? Effect.void : Effect.fail(error)))
    )
  }
  return { ...postgres.connection, database: DATABASE }
})

/** The address of the server's database for work on it as a whole, until the scope ends. */
export const embeddedDatabase = ({ directory, whenRunning }: EmbeddedChoice) =>
  makeEmbedded({ directory, whenRunning, settings: SETTINGS }).pipe(
    Effect.flatMap(addressOf),
    Effect.mapError((error) => new StartupError({ message: error.message }))
  )

/** Every store in a PostgreSQL of the server's own, which lives as long as the layer. */
export const layerEmbedded = ({ directory, whenRunning, cells, ...options }: EmbeddedOptions): LayerStorage => {
  const stores = Effect.gen(function* () {
    return layerDatabase(yield* addressOf(yield* EmbeddedPostgres), options, cells)
  })
  return Layer.unwrap(stores).pipe(
    Layer.provide(EmbeddedPostgres.layer({ directory, whenRunning, settings: SETTINGS })),
    Layer.catch((error) => layerFailed(new StartupError({ message: error.message })))
  )
}
