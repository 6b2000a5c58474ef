/**
 * Checks the laws of every port on every adapter. SOJOURN_ADAPTERS selects adapters, SOJOURN_SEED changes the random
 * histories, and SOJOURN_RUNS_FACTOR multiplies their number.
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
