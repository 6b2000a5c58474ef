import type { StoreError } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { nameOf } from "../stays/counters.ts"
import { type Moving, organizationOf } from "../stays/movements.ts"
import type { StayOperations, StayStatements } from "../stays/StayStatements.ts"
import type { TrackingModeCache } from "../stays/TrackingModeCache.ts"
import { makeBatchQueue } from "./BatchQueue.ts"
import type { QueueKeys } from "./PendingQueue.ts"

/**
 * Group commit: whether movements, counters and lists that wait at the same moment share a statement, and movements a commit.
 * True unless provided as false. Each movement is answered after its commit either way.
 */
export const GroupCommit = Context.Reference("@sojourn/adapter-postgres/GroupCommit", { defaultValue: () => true })

/** The best concurrency of batches that mostly wait; eight gave no more throughput than four. */
const CONCURRENCY_WHEN_SLOW = 4

/** The number of open stays from which counting takes long enough to delay other counters. */
const LARGE_CROWD = 10_000

/** How long the database works on a reading at most: a counter, each stay that it counts, each id of a list; in milliseconds. */
const COUNTER_WORK = 0.03
const COUNTING_ONE = 0.0001
const LOOKUP = 0.005

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
 * starts after all of them. An answer is never older than its question. Premises with many open stays when they were last
 * counted have a queue of their own, and do not delay other counters.
 */
export const batchStays = Effect.fnUntraced(function* (
  { move, count, list }: StayStatements,
  modes: TrackingModeCache,
  ready: Effect.Effect<void, StoreError>
) {
  const counting = {
    ready,
    // One statement costs as much for each item of a larger batch, and delays the first.
    largestBatch: 256,
    concurrency: 1,
    mostPending: 20_000,
    work: (_: unknown, inside: number) => COUNTER_WORK + inside * COUNTING_ONE
  }
  const movements = yield* makeBatchQueue(move, {
    name: "movements",
    ready,
    largestBatch: 256,
    concurrency: 1,
    concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW,
    mostPending: 10_000
  })
  const counters = yield* makeBatchQueue(count, {
    ...counting,
    name: "counters",
    concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW
  })
  const crowds = yield* makeBatchQueue(count, { ...counting, name: "crowds" })
  const lists = yield* makeBatchQueue(list, {
    name: "lists",
    ready,
    largestBatch: 32,
    concurrency: 2,
    concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW,
    mostPending: 10_000,
    work: ({ ids }) => ids.length * LOOKUP
  })
  const large = new Set<string>()
  const operations: StayOperations = {
    move: (moving) => movements.submit(moving, keysOf(moving, modes)),
    count: (reading) => {
      const isLarge = large.size > 0 && large.has(nameOf(reading))
      return Effect.map(
        (isLarge ? crowds : counters).submit(reading, { fairnessKey: reading.organizationId }),
        (inside) => {
          if (inside >= LARGE_CROWD) large.add(nameOf(reading))
          else if (isLarge) large.delete(nameOf(reading))
          return inside
        }
      )
    },
    list: (listing) => lists.submit(listing, { fairnessKey: listing.organizationId })
  }
  return operations
})
