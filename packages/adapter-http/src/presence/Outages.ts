/** Sends `stale` to the subscribers of a cell while it does not answer, and has a message follow once it does. */
import type { StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { Feeds } from "./Feeds.ts"
import type { Subscribers } from "./Subscribers.ts"

/** How long a read may take before the subscribers get `stale`, in milliseconds. */
const SLOW_READ_MS = 5_000

export type Outages = ReturnType<typeof makeOutages>

export const makeOutages = (feeds: Feeds, subscribers: Subscribers) => {
  const stale = (cause: StoreError | string) =>
    Effect.suspend(() => {
      feeds.reachable.closeUnsafe()
      for (const subscriber of feeds.subscribers.keys()) {
        // Those of other cells wait no longer for the ones of this cell.
        subscribers.giveSnapshots(subscriber)
        subscriber.addStale()
      }
      return Effect.logDebug("presence streams wait for the storage", cause)
    })

  // `adapter-postgres` takes 20 seconds to fail where the database hangs: its timeout of 15, and 5 that cancelling takes.
  const staleIfSlow = Effect.sleep(SLOW_READ_MS).pipe(
    Effect.andThen(stale("no answer yet")),
    Effect.andThen(Effect.never)
  )

  return {
    /** Runs a read, and sends `stale` where it is slow or fails. The result is undefined where it fails. */
    observe: <A>(read: Effect.Effect<A, StoreError>): Effect.Effect<A | undefined> =>
      Effect.raceFirst(read, staleIfSlow).pipe(
        Effect.catchTag("StoreError", (error) => Effect.as(stale(error), undefined))
      ),
    /**
     * The cell answers again: snapshots show the subscribers whose last message is `stale` that their counts are current, unless they also have
     * organizations of a cell that does not answer.
     */
    confirm: Effect.sync(() => {
      if (feeds.reachable.isOpen()) return
      feeds.reachable.openUnsafe()
      for (const subscriber of feeds.subscribers.keys()) {
        const isCurrent = subscribers.cellsOf(subscriber).every(({ reachable }) => reachable.isOpen())
        if (isCurrent && subscriber.recover()) feeds.queue.add(subscriber)
      }
    })
  }
}
