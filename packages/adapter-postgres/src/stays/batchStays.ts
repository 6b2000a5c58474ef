/** The batch queues of the stay log, for movements, counters and lists, and the setting that turns batching off. */
import type { StoreError } from "@sojourn/core"
import { Context, Effect, Option } from "effect"
import { type Moving, organizationOf } from "./movements.ts"
import type { StayOperations, StayStatements } from "./StayStatements.ts"
import type { TrackingModeCache } from "./TrackingModeCache.ts"
import { batchLists, CONCURRENCY_WHEN_SLOW } from "../batching/batchLists.ts"
import { makeBatchQueue } from "../batching/BatchQueue.ts"
import type { QueueKeys } from "../queueing/PendingQueue.ts"

/**
 * Group commit: whether movements, counters and lists that wait at the same moment share a statement, and movements a commit.
 * True unless provided as false. Each movement is answered after its commit either way.
 */
export const GroupCommit = Context.Reference("@sojourn/adapter-postgres/GroupCommit", { defaultValue: () => true })

/** How long the database works on a reading at most: a counter, each id of a list; in milliseconds. */
const COUNTER_WORK_MS = 0.03
const LOOKUP_WORK_MS = 0.005

/**
 * Movements of one user keep their order. In an anonymous organization only entrances with one retry key do, as other movements
 * are independent.
 */
const keysOf = (moving: Moving, modes: TrackingModeCache): QueueKeys => {
  const organizationId = organizationOf(moving)
  if (!modes.isAnonymous(organizationId)) {
    const { userId } = moving._tag === "Opening" ? moving.opening : moving.closing
    return { fairnessKey: organizationId, orderingKey: `${organizationId} ${userId}` }
  }
  const orderingKey = moving._tag === "Opening" ? Option.getOrUndefined(moving.opening.retryKey) : undefined
  return { fairnessKey: organizationId, orderingKey }
}

/**
 * Batches the statements of the stay log as long as the scope is open: items that wait at the same moment share a statement, which
 * starts after all of them. An answer is never older than its question.
 */
export const batchStays = Effect.fnUntraced(function* (
  { move, count, list }: StayStatements,
  modes: TrackingModeCache,
  ready: Effect.Effect<void, StoreError>
) {
  const movements = yield* makeBatchQueue(move, {
    name: "movements",
    ready,
    largestBatch: 256,
    concurrency: 1,
    concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW,
    mostPending: 10_000
  })
  const counters = yield* makeBatchQueue(count, {
    name: "counters",
    ready,
    // One statement costs as much for each item of a larger batch, and delays the first.
    largestBatch: 256,
    concurrency: 1,
    concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW,
    mostPending: 20_000,
    work: () => COUNTER_WORK_MS
  })
  const operations: StayOperations = {
    move: (moving) => movements.submit(moving, keysOf(moving, modes)),
    count: (reading) => counters.submit(reading, { fairnessKey: reading.organizationId }),
    list: yield* batchLists(list, ready, {
      name: "lists",
      fairnessKey: ({ organizationId }) => organizationId,
      work: ({ ids }) => ids.length * LOOKUP_WORK_MS
    })
  }
  return operations
})
