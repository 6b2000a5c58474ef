/** Sends `stale` to the subscribers while the storage does not answer, and has a message follow once it does. */
import type { StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { Subscribers } from "./Subscribers.ts"

/** How long a read may take before the subscribers get `stale`, in milliseconds. */
const SLOW_READ_MS = 5_000

export interface Outages {
  /** Runs a read, and sends `stale` where it is slow or fails. The result is undefined where it fails. */
  readonly observe: <A>(read: Effect.Effect<A, StoreError>) => Effect.Effect<A | undefined>
  /**
   * Has a snapshot confirm the positions of the subscribers whose last message is `stale`, as the storage answers again: it shows that
   * their counts are current.
   */
  readonly confirm: Effect.Effect<void>
}

export const makeOutages = ({ all, feeds }: Subscribers): Outages => {
  /** Whether subscribers may have `stale` as their last message. */
  let isAnyStale = false

  const stale = (cause: StoreError | string) =>
    Effect.suspend(() => {
      isAnyStale = true
      for (const subscriber of all) subscriber.addStale()
      return Effect.logDebug("presence streams wait for the storage", cause)
    })

  // `adapter-postgres` takes 20 seconds to fail where the database hangs: its timeout of 15, and 5 that cancelling takes.
  const staleIfSlow = Effect.sleep(SLOW_READ_MS).pipe(
    Effect.andThen(stale("no answer yet")),
    Effect.andThen(Effect.never)
  )

  return {
    observe: (read) =>
      Effect.raceFirst(read, staleIfSlow).pipe(
        Effect.catchTag("StoreError", (error) => Effect.as(stale(error), undefined))
      ),
    confirm: Effect.sync(() => {
      if (!isAnyStale) return
      const confirmed = Array.from(all).filter((subscriber) => subscriber.recover())
      for (const subscriber of confirmed) feeds.requestConfirmation(subscriber)
      isAnyStale = confirmed.length > 0
    })
  }
}
