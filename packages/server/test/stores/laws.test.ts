/**
 * Checks the laws of every port on every adapter. SOJOURN_ADAPTERS selects adapters, SOJOURN_SEED changes the random
 * histories, and SOJOURN_RUNS_FACTOR multiplies their number.
 */
import { layerStores as layerMemory } from "@sojourn/adapter-memory"
import {
  cellStoreLaws,
  countStoreLaws,
  historyStoreLaws,
  musterStoreLaws,
  permissionStoreLaws,
  placeStoreLaws,
  presenceFeedLaws,
  stayEndingLaws,
  stayLogLaws,
  storeLaws
} from "@sojourn/testing"
import { layerPostgresHome } from "./cells.ts"
import { adapters } from "./registry.ts"

const { SOJOURN_SEED, SOJOURN_RUNS_FACTOR = "1" } = process.env

/**
 * The laws of the stores that batch, and of those that read what movements write: without batching, movements of the same moment are
 * single-row statements. All other stores of `postgres-one-by-one` are those of `postgres`.
 */
const ONE_BY_ONE = [
  stayLogLaws,
  stayEndingLaws,
  countStoreLaws,
  placeStoreLaws,
  permissionStoreLaws,
  presenceFeedLaws,
  historyStoreLaws,
  musterStoreLaws
]

const lawsOf = (name: string) => (name === "postgres-one-by-one" ? ONE_BY_ONE : [storeLaws])

for (const [name, layer] of adapters) {
  for (const laws of lawsOf(name)) {
    laws(name, layer, {
      seed: SOJOURN_SEED === undefined ? undefined : Number(SOJOURN_SEED),
      runs: Math.ceil(25 * Number(SOJOURN_RUNS_FACTOR))
    })
  }
}

cellStoreLaws("memory", layerMemory)
if (adapters.some(([name]) => name === "postgres")) cellStoreLaws("postgres", layerPostgresHome)
