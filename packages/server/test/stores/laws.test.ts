/**
 * Checks the laws of every port on every adapter. SOJOURN_ADAPTERS selects adapters, SOJOURN_SEED changes the random
 * histories, and SOJOURN_RUNS_FACTOR multiplies their number.
 */
import { permissionStoreLaws, placeStoreLaws, stayLogLaws, storeLaws } from "@sojourn/testing"
import { adapters } from "./registry.ts"

const { SOJOURN_SEED, SOJOURN_RUNS_FACTOR = "1" } = process.env

/** The laws of an adapter: all, or those of the stores in which it differs from another adapter. */
const lawsOf = (name: string) =>
  name === "postgres-one-by-one" ? [stayLogLaws, placeStoreLaws, permissionStoreLaws] : [storeLaws]

for (const [name, layer] of adapters) {
  for (const laws of lawsOf(name)) {
    laws(name, layer, {
      seed: SOJOURN_SEED === undefined ? undefined : Number(SOJOURN_SEED),
      runs: Math.ceil(25 * Number(SOJOURN_RUNS_FACTOR))
    })
  }
}
