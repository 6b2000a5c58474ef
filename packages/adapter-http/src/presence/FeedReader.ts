/** Reads the feeds once for all subscribers, and gives each subscriber the snapshots and events that it waits for. */
import type { FeedPosition, FeedVersion, OrganizationId, PresenceFeed, StoreError } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { childOf } from "../pipeline/childOf.ts"
import { inChunks } from "./chunks.ts"
import type { Cursor, Feed } from "./Feed.ts"
import {
  encodeEvent,
  type EncodedSnapshot,
  encodeSnapshot,
  type Message,
  resetMessage,
  snapshotMessage,
  type SnapshotReason
} from "./messages.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/** How many events may be missing at a resume. */
const MOST_MISSING = 1_000

/** How many events of a feed, of how many feeds, are read at once. */
const PAGE = 500
const FEEDS_AT_ONCE = 100

/** How many feeds are read at once for readers that come back. */
const RESUMES_AT_ONCE = 20

/** How long a look may take before the readers are told that the storage is away. */
const LONGEST_LOOK = Duration.seconds(5)

type SnapshotCursor = Cursor & { readonly _tag: "Snapshot" }

/** Makes the reader. It takes the organizations that there is news of from `dirty`. */
export const makeFeedReader = Effect.fnUntraced(function* (
  port: Pick<PresenceFeed["Service"], "epoch" | "snapshots" | "eventsAfter">,
  subscribers: Subscribers,
  dirty: Set<OrganizationId>
) {
  const clock = yield* Clock.Clock
  const { feeds, metrics, wake } = subscribers
  /** Whether readers may have been told that the storage is away, and nothing since. */
  let isAnyStale = false

  const snapshotsOf = Effect.fnUntraced(function* (organizationIds: Iterable<OrganizationId>) {
    const read = new Map<OrganizationId, EncodedSnapshot>()
    for (const chunk of inChunks([...organizationIds], FEEDS_AT_ONCE)) {
      for (const one of yield* port.snapshots(chunk)) read.set(one.organizationId, encodeSnapshot(one))
    }
    return read
  })

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
      // The reader may have left meanwhile.
      if (cursor === undefined || feed?.cursors.get(subscriber) !== cursor) continue
      const snapshot = read.get(feed.organizationId)!
      if (cursor.lost !== undefined) lost ??= cursor.lost < snapshot.version ? "expired" : "unknown"
      childOf(byReason, cursor.reason, () => []).push(snapshot)
      feed.set(subscriber, { _tag: "Live", position: snapshot.version })
    }
    if (lost !== undefined) subscriber.add(resetMessage(lost))
    for (const [reason, organizations] of byReason) {
      const message = snapshotMessage(reason, organizations)
      if (organizations.length === subscriber.organizationIds.size) subscriber.catchUp(message)
      else subscriber.add(message)
    }
  }

  /** Gives snapshots to the readers that wait for one. */
  const readSnapshots = Effect.gen(function* () {
    const waiting = new Map<Subscriber, Map<Feed, SnapshotCursor>>()
    const asked = new Set<Feed>()
    for (const feed of feeds.values()) {
      for (const subscriber of feed.pending) {
        const cursor = feed.cursors.get(subscriber)!
        if (cursor._tag !== "Snapshot") continue
        childOf(waiting, subscriber, () => new Map()).set(feed, cursor)
        asked.add(feed)
      }
    }
    const read = yield* snapshotsOf(Array.from(asked, ({ organizationId }) => organizationId))
    for (const feed of asked) if (!read.has(feed.organizationId)) subscribers.dismissAll(feed)
    for (const [subscriber, cursors] of waiting) give(subscriber, cursors, read)
  })

  /** Gives a reader the events after its position from memory, if all of them are there. */
  const replay = (subscriber: Subscriber, feed: Feed, position: FeedVersion): boolean => {
    const missed = feed.after(position)
    if (missed === undefined) return false
    for (const event of missed) subscriber.addEvent(event)
    feed.set(subscriber, { _tag: "Live", position: feed.version! })
    return true
  }

  /** Gives the events that they missed to the readers that come back. */
  const readResumes = Effect.gen(function* () {
    const asked = new Map<string, FeedPosition>()
    for (const feed of feeds.values()) {
      const { organizationId } = feed
      for (const subscriber of Array.from(feed.pending)) {
        const cursor = feed.cursors.get(subscriber)!
        if (cursor._tag !== "Resume" || replay(subscriber, feed, cursor.position)) continue
        asked.set(`${organizationId}:${cursor.position}`, { organizationId, version: cursor.position })
      }
    }
    for (const positions of inChunks([...asked.values()], RESUMES_AT_ONCE)) {
      const pages = yield* port.eventsAfter(positions, MOST_MISSING + 1)
      for (const [nth, page] of pages.entries()) {
        const feed = feeds.get(page.organizationId)
        if (feed === undefined) continue
        if (page._tag === "Gone") {
          subscribers.dismissAll(feed)
          continue
        }
        const from = positions[nth]!.version
        const readers = Array.from(feed.pending).filter((subscriber) => {
          const cursor = feed.cursors.get(subscriber)!
          return cursor._tag === "Resume" && cursor.position === from
        })
        if (page._tag === "Unknown") {
          for (const subscriber of readers) feed.set(subscriber, { _tag: "Snapshot", reason: "reset", lost: from })
          continue
        }
        const events = page.events.map(encodeEvent)
        const position = from + events.length
        for (const subscriber of readers) {
          if (events.length > MOST_MISSING) subscriber.fallBehind()
          for (const event of events) subscriber.addEvent(event)
          if (feed.version === undefined || position >= feed.version) {
            feed.set(subscriber, { _tag: "Live", position })
          } else if (!replay(subscriber, feed, position)) {
            feed.set(subscriber, { _tag: "Resume", position })
            wake.openUnsafe()
          }
        }
      }
    }
  })

  /** The events after a version are gone: the readers get a snapshot in their place. */
  const lose = (feed: Feed, version: FeedVersion): void => {
    for (const [subscriber, cursor] of Array.from(feed.cursors)) {
      if (cursor._tag === "Live") feed.set(subscriber, { _tag: "Snapshot", reason: "reset", lost: version })
    }
    wake.openUnsafe()
  }

  /** Reads the events that follow. */
  const readLive = Effect.fnUntraced(function* (isFull: boolean) {
    let due = isFull ? [...feeds.values()] : [...dirty].flatMap((id) => feeds.get(id) ?? [])
    dirty.clear()
    while (due.length > 0) {
      const more: Array<Feed> = []
      for (const chunk of inChunks(due, FEEDS_AT_ONCE)) {
        const positions = chunk.flatMap(({ organizationId, version }) =>
          version === undefined ? [] : [{ organizationId, version }]
        )
        if (positions.length === 0) continue
        const pages = yield* port.eventsAfter(positions, PAGE)
        for (const [nth, page] of pages.entries()) {
          const feed = feeds.get(page.organizationId)
          if (feed?.version === undefined) continue
          if (page._tag === "Gone") subscribers.dismissAll(feed)
          else if (page._tag === "Unknown") lose(feed, positions[nth]!.version)
          else {
            for (const event of page.events) {
              if (event.version === feed.version + 1) feed.append(encodeEvent(event))
            }
            const last = page.events.at(-1)
            if (last !== undefined) metrics.lag(clock.currentTimeMillisUnsafe() - last.at)
            if (page.events.length === PAGE) more.push(feed)
          }
        }
      }
      due = more
      // Readers that are quick enough take what there is before more is read.
      if (due.length > 0)
        yield* Effect.andThen(
          Effect.sync(() => subscribers.flush()),
          Effect.yieldNow
        )
    }
  })

  /**
   * Gives a snapshot to the readers that were told `stale` and got no message since: it shows them that their counts are current. Readers
   * of the same organizations share the message.
   */
  const confirm = Effect.gen(function* () {
    const told = Array.from(subscribers.all).filter((subscriber) => subscriber.recover())
    isAnyStale = told.length > 0
    const read = yield* snapshotsOf(new Set(told.flatMap(({ organizationIds }) => [...organizationIds])))
    const messages = new Map<string, Message>()
    for (const subscriber of told) {
      const ids = [...subscriber.organizationIds]
      // A later snapshot would stand for events that the next look finds: the reader gets the events.
      const isCurrent = ids.every((id) => {
        const cursor = feeds.get(id)?.cursors.get(subscriber)
        return cursor?._tag === "Live" && cursor.position === read.get(id)?.version
      })
      if (!isCurrent || !subscriber.isStale) continue
      const snapshots = ids.map((id) => read.get(id)!)
      subscriber.add(childOf(messages, ids.join(), () => snapshotMessage("behind", snapshots)))
      subscriber.flush()
    }
  })

  const readOnce = Effect.fnUntraced(function* (isFull: boolean) {
    if (isFull || subscribers.attaching.size > 0) subscribers.setEpoch(yield* port.epoch)
    subscribers.attach()
    yield* readResumes
    yield* readSnapshots
    yield* readLive(isFull)
    subscribers.flush()
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
  const staleIfSlow = Effect.sleep(LONGEST_LOOK).pipe(
    Effect.andThen(stale("no answer yet")),
    Effect.andThen(Effect.never)
  )

  /** Reads once, all feeds or those that there is news of. Returns whether the storage answered. */
  return (isFull: boolean): Effect.Effect<boolean> =>
    Effect.raceFirst(readOnce(isFull), staleIfSlow).pipe(
      Effect.as(true),
      Effect.catchTag("StoreError", (error) => Effect.as(stale(error), false))
    )
})
