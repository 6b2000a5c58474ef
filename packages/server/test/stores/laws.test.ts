/**
 * Every adapter keeps the laws of every port. SOJOURN_ADAPTERS names adapters, SOJOURN_SEED tries other histories,
 * SOJOURN_RUNS_FACTOR times as many.
 */
import { feedLaws, storeLaws } from "@sojourn/testing"
import { adapters, FEEDS } from "./registry.ts"

const { SOJOURN_SEED, SOJOURN_RUNS_FACTOR = "1" } = process.env

for (const [name, layer] of adapters) {
  const options = {
    seed: SOJOURN_SEED === undefined ? undefined : Number(SOJOURN_SEED),
    runs: Math.ceil(25 * Number(SOJOURN_RUNS_FACTOR))
  }
  storeLaws(name, layer, options)
  const feed = FEEDS[name]
  if (feed !== undefined) feedLaws(name, feed, options)
}
