/** Checks the laws of all ports on three cells in PostgreSQL: two schemas of one database, and another database. */
import { storeLaws } from "@sojourn/testing"
import { layerServerCells } from "./cells.ts"
import { lawOptions } from "./lawOptions.ts"

storeLaws("three cells", layerServerCells, { ...lawOptions, runs: 10 })
