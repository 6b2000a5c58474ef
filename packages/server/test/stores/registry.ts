import { layerStores as layerMemory } from "@sojourn/adapter-memory"
import { GroupCommit, layer as layerPostgres } from "@sojourn/adapter-postgres"
import type { Stores } from "@sojourn/core"
import { selectAdapters } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { aDatabase } from "./database.ts"

/** The stores in a database of their own, gone with the scope. */
const layerNewDatabase: Layer.Layer<Stores> = Layer.unwrap(
  Effect.map(aDatabase, (address) => layerPostgres(address))
).pipe(Layer.orDie)

/** Every adapter for storage. Each build of a layer is empty. */
export const ADAPTERS: Readonly<Record<string, Layer.Layer<Stores>>> = {
  memory: layerMemory,
  postgres: layerNewDatabase,
  "postgres-one-by-one": Layer.provide(layerNewDatabase, Layer.succeed(GroupCommit, false))
}

/** The adapters that a run is about: all, or those that SOJOURN_ADAPTERS names. */
export const adapters = selectAdapters(ADAPTERS, process.env.SOJOURN_ADAPTERS)

/** One adapter by its name. */
export const adapter = (name: string): Layer.Layer<Stores> => selectAdapters(ADAPTERS, name)[0]![1]

/** The stores that the servers of this run are tested on; in memory, where tests are about other things. */
export const storageOfThisRun = adapter(process.env.SOJOURN_TEST_STORAGE ?? "memory")
