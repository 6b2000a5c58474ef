/** The storages by the choice that configures them: in memory, the server's own PostgreSQL, or one at a URL. */
import { layerStores } from "@sojourn/adapter-memory"
import type { DatabaseAddress, DatabaseOptions } from "@sojourn/adapter-postgres"
import { type LayerStorage, StartupError, Storage, type StorageOptions } from "@sojourn/service"
import { Effect, Layer, type Scope } from "effect"
import { layerDatabase, optionsOf } from "./database.ts"
import { embeddedDatabase, type EmbeddedChoice, layerEmbedded } from "./embedded.ts"
import type { StorageChoice } from "./StorageChoice.ts"

const layerMemory = Layer.merge(
  layerStores,
  Layer.succeed(Storage, { isReady: Effect.succeed(true), isForgetful: true })
)

/** The stores of core and the `Storage` of a choice. */
export const layerStorage = (
  choice: StorageChoice,
  options: StorageOptions & Pick<EmbeddedChoice, "whenRunning">
): LayerStorage => {
  switch (choice._tag) {
    case "Memory":
      return layerMemory
    case "Embedded":
      return layerEmbedded({ ...options, directory: choice.directory, schema: choice.schema, cells: choice.cells })
    case "Postgres":
      return layerDatabase({ url: choice.url }, { ...options, ...optionsOf(choice) }, choice.cells)
  }
}

/** A database and the schema of the stores in it. */
export interface DatabaseLocation extends DatabaseOptions {
  readonly address: DatabaseAddress
}

/** The database of a choice, for work on it as a whole, until the scope ends. */
export const databaseOf = Effect.fnUntraced(function* (
  choice: StorageChoice,
  whenRunning: EmbeddedChoice["whenRunning"]
): Effect.fn.Return<DatabaseLocation, StartupError, Scope.Scope> {
  switch (choice._tag) {
    case "Memory":
      return yield* new StartupError({ message: "--storage memory keeps nothing that could be backed up" })
    case "Embedded": {
      const address = yield* embeddedDatabase({ directory: choice.directory, whenRunning })
      return { address, schema: choice.schema }
    }
    case "Postgres":
      return { address: { url: choice.url }, ...optionsOf(choice) }
  }
})
