/** Reads the feeds once for all subscribers, and sends `stale` while the storage does not answer. */
import type { OrganizationId, PresenceFeed, StoreError } from "@sojourn/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { makeAttaching } from "./Attaching.ts"
import { makeLiveReader } from "./LiveReader.ts"
import { snapshotMessage } from "./messages.ts"
import { makeSnapshotReader } from "./SnapshotReader.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/** How long a read may take before the subscribers get `stale`. */
const LONGEST_READING = Duration.seconds(5)

/** Makes the reader. It takes the organizations with new events from `dirty`. */
export const makeFeedReader = Effect.fnUntraced(function* (
  port: Pick<PresenceFeed["Service"], "generation" | "snapshots" | "eventsAfter">,
  subscribers: Subscribers,
  dirty: Set<OrganizationId>
) {
  const { feeds } = subscribers
  /** Whether subscribers may have `stale` as their last message. */
  let isAnyStale = false

  const readLive = yield* makeLiveReader(port, subscribers, dirty)
  const readSnapshots = makeSnapshotReader(port, subscribers)
  const attachNext = makeAttaching(port, subscribers, readSnapshots)

  /**
   * Gives a snapshot to the subscribers whose last message is `stale`: it shows them that their counts are current.
   * Subscribers of the same organizations share the message.
   */
  const confirm = Effect.gen(function* () {
    const lagging = Array.from(subscribers.all).filter((subscriber) => subscriber.recover())
    isAnyStale = lagging.length > 0
    for (const group of Map.groupBy(lagging, ({ organizationIds }) => [...organizationIds].join()).values()) {
      const ids = [...group[0]!.organizationIds]
      const read = yield* readSnapshots(ids)
      const message = snapshotMessage(
        "behind",
        ids.flatMap((id) => read.get(id) ?? [])
      )
      // A later snapshot would stand for events that the next reading finds: the subscriber gets the events.
      const isCurrent = (subscriber: Subscriber): boolean =>
        ids.every((id) => {
          const cursor = feeds.get(id)?.cursors.get(subscriber)
          return cursor?._tag === "Live" && cursor.position === read.get(id)?.version
        })
      const confirmed = group.filter((subscriber) => subscriber.isStale && ids.length > 0 && isCurrent(subscriber))
      for (const subscriber of confirmed) subscriber.add(message)
      subscribers.flush(confirmed)
    }
  })

  const readOnce = Effect.fnUntraced(function* (isFull: boolean) {
    if (isFull) subscribers.setGeneration(yield* port.generation)
    yield* readLive(isFull)
    if (isAnyStale) yield* confirm
  })

  /** The storage is away: the streams stay, and go on when it is back. */
  const stale = (cause: StoreError | string) =>
    Effect.sync(() => {
      isAnyStale = true
      for (const subscriber of subscribers.all) subscriber.addStale()
      subscribers.flush()
    }).pipe(Effect.andThen(Effect.logDebug("presence streams wait for the storage", cause)))

  /** `adapter-postgres` takes 20 seconds to fail where the database hangs: its timeout of 15, and 5 that cancelling takes. */
  const staleIfSlow = Effect.sleep(LONGEST_READING).pipe(
    Effect.andThen(stale("no answer yet")),
    Effect.andThen(Effect.never)
  )

  /** Tells the subscribers where the storage does not answer; the result is `undefined` then. */
  const reportingStale = <A>(reading: Effect.Effect<A, StoreError>): Effect.Effect<A | undefined> =>
    Effect.raceFirst(reading, staleIfSlow).pipe(
      Effect.catchTag("StoreError", (error) => Effect.as(stale(error), undefined))
    )

  return {
    /** Reads once what follows, of all feeds or of those in `dirty`. Returns whether the storage answered. */
    read: (isFull: boolean): Effect.Effect<boolean> =>
      Effect.map(reportingStale(Effect.as(readOnce(isFull), true)), (isRead) => isRead === true),
    /** Serves the next subscribers that are queued. Returns how many; `undefined` where the storage did not answer. */
    attachNext: reportingStale(attachNext)
  }
})
