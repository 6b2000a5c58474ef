/** Gives subscribers the snapshots and missed events that they wait for, batch by batch. */
import type { FeedPosition, FeedVersion, OrganizationId, PresenceFeed } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { childOf } from "../pipeline/childOf.ts"
import { inChunks } from "./chunks.ts"
import type { Cursor, Feed } from "./Feed.ts"
import { encodeEvent, type EncodedSnapshot, resetMessage, snapshotMessage, type SnapshotReason } from "./messages.ts"
import { makeSlices } from "./slices.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/** How many events may be missing at a resume. */
const MAX_MISSING_EVENTS = 1_000

/** How many feeds missed events are read of by one statement. */
const RESUMES_AT_ONCE = 4

type SnapshotCursor = Cursor & { readonly _tag: "Snapshot" }

/** Gives a subscriber the events after its position from memory, if all of them are there. */
const replay = (subscriber: Subscriber, feed: Feed, position: FeedVersion): boolean => {
  const missed = feed.after(position)
  if (missed === undefined) return false
  for (const event of missed) subscriber.addEvent(event)
  feed.set(subscriber, { _tag: "Live", position: feed.version! })
  return true
}

/** A subscriber knows everything up to a position, which was read beside the events of its feed. */
const goOnFrom = (subscriber: Subscriber, feed: Feed, position: FeedVersion): void => {
  if (feed.version === undefined || position >= feed.version) feed.set(subscriber, { _tag: "Live", position })
  else if (!replay(subscriber, feed, position)) feed.set(subscriber, { _tag: "Resume", position })
}

/** Gives missed events to the subscribers of a batch that resume: from memory, or by one page of each feed for all positions. */
const makeResume = (port: Pick<PresenceFeed["Service"], "eventsAfter">, subscribers: Subscribers) => {
  /** Too many events are missing: a snapshot makes up for them. */
  const leaveOut = (subscriber: Subscriber): void => {
    subscriber.fallBehind()
    subscribers.ready(subscriber)
  }

  /** The subscribers of the batch that wait for events of a feed which are not in memory, with their positions. */
  const waitingFor = (feed: Feed, batch: ReadonlyArray<Subscriber>): ReadonlyMap<Subscriber, FeedVersion> => {
    const waiting = new Map<Subscriber, FeedVersion>()
    for (const subscriber of batch) {
      const cursor = feed.cursors.get(subscriber)
      if (cursor?._tag !== "Resume" || replay(subscriber, feed, cursor.position)) continue
      if (feed.version !== undefined && feed.version - cursor.position > MAX_MISSING_EVENTS) {
        leaveOut(subscriber)
      } else waiting.set(subscriber, cursor.position)
    }
    return waiting
  }

  return Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    const slices = makeSlices()
    const asked: Array<readonly [FeedPosition, ReadonlyMap<Subscriber, FeedVersion>]> = []
    for (const feed of new Set(batch.flatMap((subscriber) => subscribers.feedsOf(subscriber)))) {
      const waiting = waitingFor(feed, batch)
      if (waiting.size === 0) continue
      asked.push([{ organizationId: feed.organizationId, version: Math.min(...waiting.values()) }, waiting])
      yield* slices
    }
    for (const chunk of inChunks(asked, RESUMES_AT_ONCE)) {
      const positions = chunk.map(([position]) => position)
      const pages = yield* port.eventsAfter(positions, MAX_MISSING_EVENTS + 1)
      for (const [nth, page] of pages.entries()) {
        const feed = subscribers.feeds.get(page.organizationId)
        if (feed === undefined) continue
        if (page._tag === "Gone") {
          subscribers.dismissAll(feed)
          continue
        }
        const [{ version: first }, waiting] = chunk[nth]!
        const events = page._tag === "Events" ? page.events.map(encodeEvent) : []
        const last = first + events.length
        for (const [subscriber, position] of waiting) {
          yield* slices
          const cursor = feed.cursors.get(subscriber)
          if (cursor?._tag !== "Resume" || cursor.position !== position) continue
          if (page._tag === "Unknown") {
            // The other positions are known if they are not before the first event that is kept.
            const isUnknown = position === first || position < page.nearest || page.nearest < first
            if (isUnknown) feed.set(subscriber, { _tag: "Snapshot", reason: "reset", lost: position })
          } else if (position === first && events.length > MAX_MISSING_EVENTS) {
            leaveOut(subscriber)
          } else if (events.length <= MAX_MISSING_EVENTS && position <= last) {
            for (const event of events.slice(position - first)) subscriber.addEvent(event)
            goOnFrom(subscriber, feed, last)
          }
        }
      }
    }
  })
}

/** Makes what serves a batch of subscribers. Those that more is to be read for are queued again. */
export const makeAttaching = (
  port: Pick<PresenceFeed["Service"], "generation" | "eventsAfter">,
  subscribers: Subscribers,
  readSnapshots: (
    organizationIds: Iterable<OrganizationId>
  ) => Effect.Effect<
    ReadonlyMap<OrganizationId, EncodedSnapshot>,
    Effect.Error<ReturnType<PresenceFeed["Service"]["snapshots"]>>
  >
) => {
  const { feeds, queue } = subscribers
  const resume = makeResume(port, subscribers)

  const give = (
    subscriber: Subscriber,
    cursors: ReadonlyMap<Feed, SnapshotCursor>,
    read: ReadonlyMap<OrganizationId, EncodedSnapshot>
  ): void => {
    const byReason = new Map<SnapshotReason, Array<EncodedSnapshot>>()
    let lost: "expired" | "unknown" | undefined
    for (const organizationId of subscriber.subscription.organizationIds) {
      const feed = feeds.get(organizationId)
      const cursor = feed && cursors.get(feed)
      // The subscriber may have left meanwhile.
      if (cursor === undefined || feed?.cursors.get(subscriber) !== cursor) continue
      const snapshot = read.get(feed.organizationId)
      if (snapshot === undefined) continue
      if (cursor.lost !== undefined) lost ??= cursor.lost < snapshot.version ? "expired" : "unknown"
      childOf(byReason, cursor.reason, () => []).push(snapshot)
    }
    if (lost !== undefined) subscriber.add(resetMessage(lost))
    for (const [reason, organizations] of byReason) {
      const message = snapshotMessage(reason, organizations)
      if (organizations.length === subscriber.organizationIds.size) subscriber.catchUp(message)
      else subscriber.add(message)
    }
    // Events that were read meanwhile follow the snapshot.
    for (const { organizationId, version } of [...byReason.values()].flat()) {
      goOnFrom(subscriber, feeds.get(organizationId)!, version)
    }
  }

  const giveSnapshots = Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    const slices = makeSlices()
    const waiting = new Map<Subscriber, Map<Feed, SnapshotCursor>>()
    const asked = new Set<Feed>()
    for (const subscriber of batch) {
      for (const feed of subscribers.feedsOf(subscriber)) {
        const cursor = feed.cursors.get(subscriber)!
        if (cursor._tag !== "Snapshot") continue
        childOf(waiting, subscriber, () => new Map()).set(feed, cursor)
        asked.add(feed)
      }
      yield* slices
    }
    const read = yield* readSnapshots(Array.from(asked, ({ organizationId }) => organizationId))
    for (const feed of asked) if (!read.has(feed.organizationId)) subscribers.dismissAll(feed)
    for (const [subscriber, cursors] of waiting) {
      give(subscriber, cursors, read)
      yield* slices
    }
  })

  const serve = Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    if (batch.some((subscriber) => subscribers.attaching.has(subscriber)))
      subscribers.setGeneration(yield* port.generation)
    for (const subscriber of batch) subscribers.attach(subscriber)
    yield* resume(batch)
    yield* giveSnapshots(batch)
    subscribers.flush(batch)
  })

  const isWaiting = (subscriber: Subscriber): boolean =>
    subscribers.attaching.has(subscriber) ||
    subscribers.feedsOf(subscriber).some((feed) => feed.pending.has(subscriber))

  /** Serves a batch of those that are queued. Returns how many were served; fails where the storage does. */
  return Effect.suspend(() => {
    const batch = queue.take()
    return serve(batch).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          for (const subscriber of batch) if (isWaiting(subscriber)) subscribers.enqueue(subscriber)
        })
      ),
      Effect.as(batch.length)
    )
  })
}
