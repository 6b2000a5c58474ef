/** The stores in memory keep the laws of every port. SOJOURN_SEED tries other histories, SOJOURN_RUNS_FACTOR times as many. */
import { storeLaws } from "@sojourn/core/testing"
import { layerStores } from "../src/index.ts"

const { SOJOURN_SEED, SOJOURN_RUNS_FACTOR = "1" } = process.env

storeLaws("memory", layerStores, {
  seed: SOJOURN_SEED === undefined ? undefined : Number(SOJOURN_SEED),
  runs: Math.ceil(25 * Number(SOJOURN_RUNS_FACTOR))
})
