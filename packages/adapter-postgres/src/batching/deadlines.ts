/** Enforces the deadlines of a batch queue: late batches, abandoned batches, and items that wait too long. */
import { type Clock, Effect } from "effect"
import { type Answer, failed, type RunFork } from "./answers.ts"
import type { InFlightBatch } from "./InFlightBatch.ts"
import type { PendingQueue } from "../queueing/PendingQueue.ts"

/** The interval between two checks, in milliseconds. */
const CHECK_INTERVAL_MS = 250

/** The age from which a batch no longer delays the next one, in milliseconds. */
const LATE_AFTER_MS = 500

/** The age at which a batch is abandoned, and the longest time that an item is queued, in milliseconds. */
const ABANDONED_AFTER_MS = 15_000

/** The queue whose deadlines are checked. */
export interface Watched {
  readonly operation: string
  readonly clock: Clock.Clock
  readonly runFork: RunFork
  readonly inFlight: ReadonlySet<InFlightBatch>
  readonly pending: PendingQueue
  readonly answer: Answer
  /** Dispatches the batches that are ready; called after each check. */
  readonly dispatchReady: () => void
}

/** The age of a batch since it was dispatched, in milliseconds. */
export const ageOf = (clock: Clock.Clock, { dispatchedAt }: InFlightBatch): number =>
  Number(clock.monotonicTimeNanosUnsafe() - dispatchedAt) / 1e6

/**
 * Makes the function that starts the periodic checks of a queue. Checks end when no item is pending or in flight. Each check
 * reads the clock instead of counting intervals, since an overloaded machine checks less often.
 */
export const makeDeadlines = ({
  operation,
  clock,
  runFork,
  inFlight,
  pending,
  answer,
  dispatchReady
}: Watched): (() => void) => {
  let isWatching = false

  const check = (elapsed: number) => {
    for (const batch of inFlight) {
      const age = ageOf(clock, batch)
      if (age < LATE_AFTER_MS || batch.state === "abandoned") continue
      batch.state = age < ABANDONED_AFTER_MS ? "late" : "abandoned"
      if (batch.state === "late") continue
      for (const item of batch.members) answer(item, failed(operation, "no answer in time"))
      batch.fiber.interruptUnsafe()
    }
    for (const item of pending.age(elapsed, ABANDONED_AFTER_MS))
      answer(item, failed(operation, "no connection in time"))
    dispatchReady()
  }

  return () => {
    if (isWatching) return
    isWatching = true
    let last = clock.monotonicTimeNanosUnsafe()
    runFork(
      Effect.sleep(CHECK_INTERVAL_MS).pipe(
        Effect.andThen(
          Effect.sync(() => {
            const now = clock.monotonicTimeNanosUnsafe()
            check(Number(now - last) / 1e6)
            last = now
          })
        ),
        Effect.repeat({ while: () => inFlight.size > 0 || pending.size > 0 }),
        Effect.ensuring(Effect.sync(() => (isWatching = false)))
      )
    )
  }
}
