/** Checks the laws of all ports on three cells in PostgreSQL: three schemas of one database, and three databases. */
import { storeLaws } from "@sojourn/testing"
import { layerPostgresCells, layerPostgresDatabases } from "./cells.ts"

const { SOJOURN_SEED } = process.env
const options = { seed: SOJOURN_SEED === undefined ? undefined : Number(SOJOURN_SEED), runs: 10 }

storeLaws("three schemas", layerPostgresCells, options)
storeLaws("three databases", layerPostgresDatabases, options)
