import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CommandFailed } from "../CommandFailed.ts"
import { layerPostgres } from "./postgres.ts"
import { type LayerStorage, noStorage, type StorageOptions } from "./Storage.ts"

/** The database of the server's own PostgreSQL. */
const DATABASE = "sojourn"

/** A counter walks what movements left behind in `open_stay` since it was last vacuumed: look more often than each minute. */
const SETTINGS = { autovacuum_naptime: "15s" }

export interface EmbeddedOptions extends StorageOptions {
  readonly directory: string
  /** What to do when a server uses the directory already: refuse, as another server must, or work on its database. */
  readonly whenRunning: "refuse" | "share"
}

/** Every store in a PostgreSQL of the server's own, which lives as long as the layer. */
export const layerEmbedded = ({ directory, whenRunning, ...options }: EmbeddedOptions): LayerStorage => {
  const stores = Effect.gen(function* () {
    const postgres = yield* EmbeddedPostgres
    if (!(yield* postgres.databaseExists(DATABASE))) yield* postgres.createDatabase(DATABASE)
    return layerPostgres({ ...postgres.connection, database: DATABASE }, options)
  })
  return Layer.unwrap(stores).pipe(
    Layer.provide(EmbeddedPostgres.layer({ directory, whenRunning, settings: SETTINGS })),
    Layer.catch((error) => noStorage(new CommandFailed({ message: error.message })))
  )
}
