/** Makes batch queues for statements that list something, such as permissions and places. */
import type { StoreError } from "@sojourn/core"
import { Effect } from "effect"
import { apartInTransactions, type BulkStatement } from "../database/BulkStatement.ts"
import type { Storing } from "../database/Storing.ts"
import { type BatchQueueOptions, makeBatchQueue } from "./BatchQueue.ts"

/** The best concurrency of batches that mostly wait; eight gave no more throughput than four. */
export const CONCURRENCY_WHEN_SLOW = 4

interface BatchedList<Item, A> extends Pick<BatchQueueOptions<Item, A>, "name" | "work"> {
  readonly fairnessKey: (item: Item) => unknown
}

/** Makes the operation of lists that share a statement where they wait at the same moment. It is open as long as the scope. */
export const batchLists = <Item, A, E>(
  statement: BulkStatement<Item, A, E>,
  storing: Storing,
  ready: Effect.Effect<void, StoreError>,
  { fairnessKey, ...options }: BatchedList<Item, A>
) =>
  Effect.map(
    makeBatchQueue(statement, {
      ...options,
      ready,
      apart: apartInTransactions(statement, storing),
      largestBatch: 32,
      concurrency: 2,
      concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW,
      mostPending: 10_000
    }),
    ({ submit }) =>
      (item: Item) =>
        submit(item, { fairnessKey: fairnessKey(item) })
  )
