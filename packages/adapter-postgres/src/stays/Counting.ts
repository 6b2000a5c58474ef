import type { PermissionTooLow, PremisesNotFound, StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { type CounterReading, counters, nameOf } from "./counters.ts"
import type { Database } from "../database/Database.ts"
import { ABREAST_WHEN_SLOW, makeLane } from "../batching/BatchQueue.ts"

/** How many counters share one statement at most. */
const LARGEST_BATCH = 256

/** How many counters may wait to be read. */
const MOST_WAITING = 20_000

/** From how many people inside on counting takes long enough that others should not wait for it. */
const LARGE_CROWD = 10_000

/** Reads a counter. */
export type Count = (reading: CounterReading) => Effect.Effect<number, PremisesNotFound | PermissionTooLow | StoreError>

/**
 * Counts for all who wait at the same moment by one statement, as long as the scope is open: an answer is never older than
 * the question. Where the database is far, a crowd is counted sooner than its answer comes: the next statement does not wait for
 * that. Large crowds, by what was last counted, have a lane of their own and do not hold up the others.
 */
export const makeCounting = Effect.fnUntraced(function* (db: Database, ready: Effect.Effect<void, StoreError>) {
  const options = { ready, largestBatch: LARGEST_BATCH, abreast: 1, mostWaiting: MOST_WAITING }
  const usual = yield* makeLane({ ...options, name: "counters", abreastWhenSlow: ABREAST_WHEN_SLOW })
  const crowded = yield* makeLane({ ...options, name: "crowds" })
  const largeCrowds = new Set<string>()
  const batched = counters(db, (name, inside) => {
    if (inside >= LARGE_CROWD) largeCrowds.add(name)
    else if (largeCrowds.size > 0) largeCrowds.delete(name)
  })
  const count: Count = (reading) => {
    const lane = largeCrowds.size > 0 && largeCrowds.has(nameOf(reading)) ? crowded : usual
    return lane.ride(batched, reading, { line: reading.organizationId })
  }
  return count
})
