/** Gives subscribers the snapshots and missed events that they wait for, batch by batch. */
import type { OrganizationId, PresenceFeed } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { addSnapshots } from "./addSnapshots.ts"
import type { Feed, PendingSnapshot, ReadSnapshot } from "./Feed.ts"
import { POLL_INTERVAL_MS } from "./FeedReader.ts"
import type { Feeds } from "./Feeds.ts"
import type { EncodedSnapshot } from "./messages.ts"
import { makeMissedEvents } from "./MissedEvents.ts"
import type { Outages } from "./Outages.ts"
import { makeSlices } from "./slices.ts"
import { makeSnapshotReader } from "./SnapshotReader.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/**
 * The shortest and the longest pause between two batches, in milliseconds. It is as long as the batch took, so that attaching takes half
 * of the time at most. Subscribers that arrive during the pause share one read.
 */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5, 50]

/** The snapshots that a subscriber waits for. */
type Requested = ReadonlyArray<readonly [Feed, PendingSnapshot]>

/** A snapshot of the live position: it shows a subscriber whose last message is `stale` that its counts are current. */
const CONFIRMATION: PendingSnapshot = { _tag: "Snapshot", reason: "behind" }

const requestedBy = (subscriber: Subscriber, feeds: Feeds): Requested => {
  const isConfirmation = subscriber.isStale && !feeds.isPending(subscriber)
  return feeds.of(subscriber).flatMap((feed) => {
    const pending = isConfirmation ? CONFIRMATION : feed.pending.get(subscriber)
    return pending?._tag === "Snapshot" ? [[feed, pending]] : []
  })
}

/** Gives a subscriber the snapshots that were read for it. */
const give = (
  subscribers: Subscribers,
  subscriber: Subscriber,
  requested: Requested,
  read: ReadonlyMap<OrganizationId, EncodedSnapshot>
): void => {
  const confirmed: Array<readonly [Feed, Omit<ReadSnapshot, "_tag">]> = []
  for (const [feed, pending] of requested) {
    const snapshot = read.get(feed.organizationId)
    if (snapshot === undefined) continue
    if (pending === CONFIRMATION) {
      // Where the feed has gone on, events confirm the position instead.
      const isWaiting = subscriber.isStale && feed.live.get(subscriber) === snapshot.version
      if (isWaiting) confirmed.push([feed, { ...pending, snapshot }])
    } else if (feed.pending.get(subscriber) === pending) {
      feed.pending.set(subscriber, { ...pending, _tag: "Read", snapshot })
    }
  }
  addSnapshots(subscriber, confirmed)
  subscribers.giveSnapshots(subscriber)
}

/** Makes the effect that serves the queued subscribers of a cell, and never ends. */
export const makeAttaching = (
  port: Pick<PresenceFeed["Service"], "generation" | "snapshots" | "eventsAfter">,
  feeds: Feeds,
  subscribers: Subscribers,
  outages: Outages
): Effect.Effect<never> => {
  const giveMissedEvents = makeMissedEvents(port, feeds, subscribers)
  const readSnapshots = makeSnapshotReader(port, feeds.byOrganization)

  const giveSnapshots = Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    const slices = makeSlices()
    const requests = new Map<Subscriber, Requested>()
    for (const subscriber of batch) {
      requests.set(subscriber, requestedBy(subscriber, feeds))
      yield* slices
    }
    const unread = new Set([...requests.values()].flatMap((requested) => requested.map(([feed]) => feed)))
    const read = yield* readSnapshots(Array.from(unread, ({ organizationId }) => organizationId))
    for (const feed of unread) if (!read.has(feed.organizationId)) subscribers.dismissAll(feeds, feed)
    for (const [subscriber, requested] of requests) {
      give(subscribers, subscriber, requested, read)
      yield* slices
    }
  })

  const serve = Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    feeds.setGeneration(yield* port.generation)
    for (const subscriber of batch) feeds.attach(subscriber)
    yield* giveMissedEvents(batch)
    yield* giveSnapshots(batch)
  })

  /** Serves a batch, and queues again the subscribers that still wait for a read. Returns how many were served. */
  const serveNext = Effect.suspend(() => {
    const batch = feeds.queue.take()
    if (batch.length === 0) return Effect.succeed(0)
    const queueAgain = Effect.sync(() => {
      for (const subscriber of batch) if (feeds.isPending(subscriber)) feeds.queue.add(subscriber)
    })
    return serve(batch).pipe(Effect.ensuring(queueAgain), Effect.as(batch.length))
  })

  const serveAndPause = Effect.gen(function* () {
    yield* feeds.queue.filled.await
    const began = performance.now()
    const served = yield* outages.observe(serveNext)
    // The poll detects that the storage is back: further attempts would use up the limits of the callers.
    if (served === undefined) yield* Effect.andThen(Effect.sleep(POLL_INTERVAL_MS), feeds.reachable.await)
    // All callers have used up their limits.
    else if (served === 0) yield* Effect.sleep(MAX_PAUSE_MS)
    else yield* Effect.sleep(Math.min(Math.max(performance.now() - began, MIN_PAUSE_MS), MAX_PAUSE_MS))
  })
  return Effect.forever(serveAndPause)
}
