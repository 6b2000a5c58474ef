/**
 * Checks the laws of all ports on PostgreSQL where each operation was in a transaction of the application before that was rolled back: it
 * left nothing behind.
 */
import { storeLaws } from "@sojourn/testing"
import { layerRolledBack } from "./inTransactions.ts"
import { lawOptions } from "./lawOptions.ts"

storeLaws("transactions that are rolled back", layerRolledBack, { ...lawOptions, runs: 5 })
