/** Checks the laws of all ports on PostgreSQL where each operation is in a transaction of the application. */
import { storeLaws } from "@sojourn/testing"
import { layerCommitted } from "./inTransactions.ts"
import { lawOptions } from "./lawOptions.ts"

storeLaws("transactions that commit", layerCommitted, { ...lawOptions, runs: 5 })
