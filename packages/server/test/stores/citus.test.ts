/**
 * Checks the laws of all ports on three cells that are schemas of Citus. SOJOURN_CITUS_URL names the coordinator, of version 13 or newer, with
 * two workers: an empty database of tests.
 */
import { storeLaws } from "@sojourn/testing"
import { describe, it } from "@effect/vitest"
import { citusUrl, layerCitusCells } from "./citus.ts"
import { lawOptions } from "./lawOptions.ts"

if (citusUrl === undefined) {
  describe("cells on Citus", () => {
    it.skip("keep the laws: SOJOURN_CITUS_URL names no coordinator", () => {})
  })
} else {
  storeLaws("three schemas of Citus", layerCitusCells(citusUrl), { ...lawOptions, runs: 10 })
}
