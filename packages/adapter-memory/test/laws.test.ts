/** The stores in memory keep the laws of every port. SOJOURN_SEED and SOJOURN_RUNS try other histories, and more. */
import { storeLaws } from "@sojourn/core/testing"
import { layerStores } from "../src/index.ts"

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))

storeLaws("memory", layerStores, {
  seed: numberOf(process.env.SOJOURN_SEED),
  runs: numberOf(process.env.SOJOURN_RUNS)
})
