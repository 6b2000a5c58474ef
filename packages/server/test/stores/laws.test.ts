/**
 * Every adapter keeps the laws of every port. SOJOURN_ADAPTERS names adapters, SOJOURN_SEED tries other histories,
 * SOJOURN_RUNS_FACTOR times as many.
 */
import { storeLaws } from "@sojourn/testing"
import { adapters } from "./registry.ts"

const { SOJOURN_SEED, SOJOURN_RUNS_FACTOR = "1" } = process.env

for (const [name, layer] of adapters) {
  storeLaws(name, layer, {
    seed: SOJOURN_SEED === undefined ? undefined : Number(SOJOURN_SEED),
    runs: Math.ceil(25 * Number(SOJOURN_RUNS_FACTOR))
  })
}
