import type { PermissionTooLow, PremisesNotFound, StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { type CounterReading, counters, nameOf } from "./counters.ts"
import type { Database } from "../database/Database.ts"
import { CONCURRENCY_WHEN_SLOW, makeBatchQueue } from "../batching/BatchQueue.ts"

/** The largest number of counters of one statement. */
const LARGEST_BATCH = 256

/** How many counters may wait to be read. */
const MOST_PENDING = 20_000

/** The number of open stays from which counting takes long enough to delay other counters. */
const LARGE_CROWD = 10_000

/** Reads a counter. */
export type Count = (reading: CounterReading) => Effect.Effect<number, PremisesNotFound | PermissionTooLow | StoreError>

/**
 * Makes a counter that is open as long as the scope. Readings that wait at the same moment share one statement, which starts
 * after all of them: an answer is never older than its question. Where the network is slow, statements run concurrently. Premises
 * with many open stays when they were last counted have a queue of their own and do not delay the others.
 */
export const makeCounting = Effect.fnUntraced(function* (db: Database, ready: Effect.Effect<void, StoreError>) {
  const options = { ready, largestBatch: LARGEST_BATCH, concurrency: 1, mostPending: MOST_PENDING }
  const usual = yield* makeBatchQueue({ ...options, name: "counters", concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW })
  const crowded = yield* makeBatchQueue({ ...options, name: "crowds" })
  const largeCrowds = new Set<string>()
  const batched = counters(db, (name, inside) => {
    if (inside >= LARGE_CROWD) largeCrowds.add(name)
    else if (largeCrowds.size > 0) largeCrowds.delete(name)
  })
  const count: Count = (reading) => {
    const queue = largeCrowds.size > 0 && largeCrowds.has(nameOf(reading)) ? crowded : usual
    return queue.submit(batched, reading, { fairnessKey: reading.organizationId })
  }
  return count
})
