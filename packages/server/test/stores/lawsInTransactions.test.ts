/**
 * Checks the laws of all ports on PostgreSQL where each operation is in a transaction of the application, and where each was in one that was
 * rolled back: that left nothing behind.
 */
import { storeLaws } from "@sojourn/testing"
import { layerCommitted, layerRolledBack } from "./inTransactions.ts"
import { lawOptions } from "./lawOptions.ts"

storeLaws("transactions that commit", layerCommitted, { ...lawOptions, runs: 10 })
storeLaws("transactions that are rolled back", layerRolledBack, { ...lawOptions, runs: 5 })
