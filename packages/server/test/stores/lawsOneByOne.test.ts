/** Checks the laws of the stores that batch, and of those that read what movements write, on PostgreSQL without batching. */
import {
  countStoreLaws,
  historyStoreLaws,
  musterStoreLaws,
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
  presenceFeedLaws,
  historyStoreLaws,
  musterStoreLaws
]) {
  laws("postgres-one-by-one", layerOneByOne, lawOptions)
}
