/** Checks the laws of all ports on three cells in PostgreSQL: two schemas of one database, and another database. */
import { storeLaws } from "@sojourn/testing"
import { layerServerCells } from "./cells.ts"

const { SOJOURN_SEED } = process.env

storeLaws("three cells", layerServerCells, {
  seed: SOJOURN_SEED === undefined ? undefined : Number(SOJOURN_SEED),
  runs: 10
})
