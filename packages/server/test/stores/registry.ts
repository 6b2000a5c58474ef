/** The registry of storage adapters: tests of stores run on each of them, servers of tests on one. */
import { layerStores as layerMemory } from "@sojourn/adapter-memory"
import { GroupCommit, layer as layerPostgres } from "@sojourn/adapter-postgres"
import type { Stores } from "@sojourn/core"
import { selectAdapters } from "@sojourn/testing"
import { Effect, Layer } from "effect"
import { citusUrl, layerServerCitus } from "./citus.ts"
import { layerMemoryCells, layerServerCells } from "./cells.ts"
import { aDatabase } from "./database.ts"

/** The stores on a new database, which the scope removes. */
const layerNewDatabase: Layer.Layer<Stores> = Layer.unwrap(
  Effect.map(aDatabase, (address) => layerPostgres(address))
).pipe(Layer.orDie)

/** PostgreSQL without batching: movements of the same moment are single-row statements. */
export const layerOneByOne = Layer.provide(layerNewDatabase, Layer.succeed(GroupCommit, false))

/** All adapters for storage. Each build of a layer starts empty. */
export const ADAPTERS: Readonly<Record<string, Layer.Layer<Stores>>> = {
  memory: layerMemory,
  "memory-cells": layerMemoryCells,
  postgres: layerNewDatabase,
  "postgres-one-by-one": layerOneByOne
}

/** The adapters under test: all, or those in SOJOURN_ADAPTERS. */
export const adapters = selectAdapters(ADAPTERS, process.env.SOJOURN_ADAPTERS)

/** The stores of the servers in this run: of an adapter, or over cells as `serve --cells` has them. In memory by default. */
export const storageOfThisRun = selectAdapters(
  {
    ...ADAPTERS,
    "postgres-cells": layerServerCells,
    ...(citusUrl !== undefined && { "citus-cells": layerServerCitus(citusUrl) })
  },
  process.env.SOJOURN_TEST_STORAGE ?? "memory"
)[0]![1]
