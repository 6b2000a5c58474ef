/** Gives subscribers the snapshots and missed events that they wait for, batch by batch. */
import type { FeedVersion, OrganizationId, PresenceFeed } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { Feed, PendingSnapshot } from "./Feed.ts"
import { POLL_INTERVAL_MS } from "./FeedReader.ts"
import type { Feeds } from "./Feeds.ts"
import { type EncodedSnapshot, resetMessage, snapshotMessage } from "./messages.ts"
import { makeMissedEvents } from "./MissedEvents.ts"
import type { Outages } from "./Outages.ts"
import { makeSlices } from "./slices.ts"
import { makeSnapshotReader } from "./SnapshotReader.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/**
 * The shortest and the longest pause between two batches, in milliseconds. It is as long as the batch took, so that attaching takes half
 * of the time at most. Subscribers that arrive in the pause share what is read.
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

/** Gives a subscriber the snapshots that were read for it, as one message for each reason, and the events that follow them. */
const give = (
  subscriber: Subscriber,
  requested: Requested,
  read: ReadonlyMap<OrganizationId, EncodedSnapshot>
): void => {
  /** Whether the subscriber still waits for a snapshot. Where a feed has gone on, events confirm the position instead. */
  const isWaiting = (feed: Feed, pending: PendingSnapshot, version: FeedVersion): boolean =>
    pending === CONFIRMATION
      ? subscriber.isStale && feed.live.get(subscriber) === version
      : feed.pending.get(subscriber) === pending
  const ready = requested.flatMap(([feed, pending]) => {
    const snapshot = read.get(feed.organizationId)
    return snapshot !== undefined && isWaiting(feed, pending, snapshot.version) ? [{ feed, pending, snapshot }] : []
  })
  const reset = ready.find(({ pending }) => pending.lost !== undefined)
  if (reset !== undefined) {
    subscriber.add(resetMessage(reset.pending.lost! < reset.snapshot.version ? "expired" : "unknown"))
  }
  for (const [reason, group] of Map.groupBy(ready, ({ pending }) => pending.reason)) {
    const message = snapshotMessage(
      reason,
      group.map(({ snapshot }) => snapshot)
    )
    if (group.length === subscriber.organizationIds.size) subscriber.catchUp(message)
    else subscriber.add(message)
  }
  for (const { feed, snapshot } of ready) feed.continueAfter(subscriber, snapshot.version)
}

/** Makes the effect that serves the queued subscribers, and never ends. */
export const makeAttaching = (
  port: Pick<PresenceFeed["Service"], "generation" | "snapshots" | "eventsAfter">,
  subscribers: Subscribers,
  outages: Outages
): Effect.Effect<never> => {
  const { feeds } = subscribers
  const giveMissedEvents = makeMissedEvents(port, subscribers)
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
    for (const feed of unread) if (!read.has(feed.organizationId)) subscribers.dismissAll(feed)
    for (const [subscriber, requested] of requests) {
      give(subscriber, requested, read)
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

  return Effect.gen(function* () {
    while (true) {
      yield* feeds.queue.filled.await
      const began = performance.now()
      const served = yield* outages.observe(serveNext)
      if (served === undefined) yield* Effect.sleep(POLL_INTERVAL_MS)
      // None is served where all callers have used up their limits.
      else if (served === 0) yield* Effect.sleep(MAX_PAUSE_MS)
      else yield* Effect.sleep(Math.min(Math.max(performance.now() - began, MIN_PAUSE_MS), MAX_PAUSE_MS))
    }
  })
}
