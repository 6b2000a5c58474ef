/** Checks the laws of every port on every adapter, but one: `lawsOneByOne.test.ts` has what differs on it. */
import { layerStores as layerMemory } from "@sojourn/adapter-memory"
import { cellStoreLaws, storeLaws } from "@sojourn/testing"
import { layerPostgresHome } from "./cells.ts"
import { lawOptions } from "./lawOptions.ts"
import { adapters, layerOneByOne } from "./registry.ts"

for (const [name, layer] of adapters) if (layer !== layerOneByOne) storeLaws(name, layer, lawOptions)

cellStoreLaws("memory", layerMemory)
if (adapters.some(([name]) => name === "postgres")) cellStoreLaws("postgres", layerPostgresHome)
