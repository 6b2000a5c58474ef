/** Checks the laws of every port on every adapter, but one: `lawsOneByOne.test.ts` has what differs on it. */
import { layerStores as layerMemory } from "@sojourn/adapter-memory"
import { type DatabaseAddress, layer as layerPostgres } from "@sojourn/adapter-postgres"
import { cellStoreLaws, separateStoragesLaw, storeLaws } from "@sojourn/testing"
import { Effect } from "effect"
import { layerMemoryCells, layerPostgresHome } from "./cells.ts"
import { aDatabase } from "./database.ts"
import { lawOptions } from "./lawOptions.ts"
import { adapters, layerOneByOne } from "./registry.ts"

for (const [name, layer] of adapters) if (layer !== layerOneByOne) storeLaws(name, layer, lawOptions)

cellStoreLaws("memory", layerMemory)
separateStoragesLaw("memory", Effect.succeed([layerMemory, layerMemory]))
separateStoragesLaw("memory-cells", Effect.succeed([layerMemoryCells, layerMemoryCells]))
if (adapters.some(([name]) => name === "postgres")) {
  cellStoreLaws("postgres", layerPostgresHome)
  // Databases of tests are copies of one, with its schema: these schemas are new.
  const schemaIn = (address: DatabaseAddress, schema: string) => layerPostgres(address, { schema, maxConnections: 4 })
  separateStoragesLaw(
    "two schemas of postgres",
    Effect.map(aDatabase, (address) => [schemaIn(address, "one"), schemaIn(address, "other")])
  )
  separateStoragesLaw(
    "two databases of postgres",
    Effect.map(Effect.all([aDatabase, aDatabase]), ([one, other]) => [schemaIn(one, "same"), schemaIn(other, "same")])
  )
}
