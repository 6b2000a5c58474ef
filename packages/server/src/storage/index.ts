/** The storages by the choice that configures them: in memory, the server's own PostgreSQL, or one at a URL. */
import { layerStores } from "@sojourn/adapter-memory"
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { StartupError } from "../shared/StartupError.ts"
import { embeddedDatabase, type EmbeddedChoice, layerEmbedded } from "./embedded.ts"
import { layerPostgres } from "./postgres.ts"
import { type LayerStorage, Storage, type StorageChoice, type StorageOptions } from "./Storage.ts"

const layerMemory = Layer.merge(
  layerStores,
  Layer.succeed(Storage, { isReady: Effect.succeed(true), isForgetful: true })
)

/**
 * The stores of core and the `Storage` of a choice.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerStorage = (
  choice: StorageChoice,
  options: StorageOptions & Pick<EmbeddedChoice, "whenRunning">
): LayerStorage => {
  switch (choice._tag) {
    case "Memory":
      return layerMemory
    case "Embedded":
      return layerEmbedded({ ...options, directory: choice.directory })
    case "Postgres":
      return layerPostgres({ url: choice.url }, options)
  }
}

/** The database of a choice, for work on it as a whole, until the scope ends. */
export const databaseOf = (
  choice: StorageChoice,
  whenRunning: EmbeddedChoice["whenRunning"]
): Effect.Effect<DatabaseAddress, StartupError, Scope.Scope> => {
  switch (choice._tag) {
    case "Memory":
      return Effect.fail(new StartupError({ message: "--storage memory keeps nothing that could be backed up" }))
    case "Embedded":
      return embeddedDatabase({ directory: choice.directory, whenRunning })
    case "Postgres":
      return Effect.succeed({ url: choice.url })
  }
}
