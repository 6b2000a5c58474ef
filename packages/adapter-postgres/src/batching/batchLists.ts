import type { StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { BulkStatement } from "../database/BulkStatement.ts"
import { makeBatchQueue } from "./BatchQueue.ts"

/** The best concurrency of batches that mostly wait; eight gave no more throughput than four. */
export const CONCURRENCY_WHEN_SLOW = 4

interface BatchedList<Item, A> {
  /** The queue's name in metrics. */
  readonly name: string
  readonly fairnessKey: (item: Item) => unknown
  /** The longest time that the database works on an item with this answer, in milliseconds; 0.03 when left out. */
  readonly work?: (item: Item, answer: A) => number
}

/** Makes the operation of lists that share a statement where they wait at the same moment. It is open as long as the scope. */
export const batchLists = <Item, A, E>(
  statement: BulkStatement<Item, A, E>,
  ready: Effect.Effect<void, StoreError>,
  { fairnessKey, ...options }: BatchedList<Item, A>
) =>
  Effect.map(
    makeBatchQueue(statement, {
      ...options,
      ready,
      largestBatch: 32,
      concurrency: 2,
      concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW,
      mostPending: 10_000
    }),
    ({ submit }) =>
      (item: Item) =>
        submit(item, { fairnessKey: fairnessKey(item) })
  )
