/** Checks the laws of the stores that batch on PostgreSQL without batching; histories and musters have the same statements in both. */
import {
  countStoreLaws,
  permissionStoreLaws,
  placeStoreLaws,
  presenceFeedLaws,
  stayEndingLaws,
  stayLogLaws
} from "@sojourn/testing"
import { lawOptions } from "./lawOptions.ts"
import { layerOneByOne } from "./registry.ts"

for (const laws of [
  stayLogLaws,
  stayEndingLaws,
  countStoreLaws,
  placeStoreLaws,
  permissionStoreLaws,
  presenceFeedLaws
]) {
  laws("postgres-one-by-one", layerOneByOne, { ...lawOptions, runs: 10 })
}
