/** Reads the feeds of a cell once for all live subscribers: those with new events at once, and all of them at an interval. */
import type { FeedVersion, PresenceFeed } from "@sojourn/core"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import type { Feed } from "./Feed.ts"
import type { Feeds } from "./Feeds.ts"
import { encodeEvent } from "./messages.ts"
import type { Outages } from "./Outages.ts"
import { makeSlices } from "./slices.ts"
import type { Subscribers } from "./Subscribers.ts"

/** The interval at which all feeds are read, in milliseconds. */
export const POLL_INTERVAL_MS = 1_000

/** How many events of a feed, of how many feeds, are read at once. */
const PAGE = 500
const FEEDS_AT_ONCE = 100

/** Makes the effect that reads what follows in some feeds, page by page. */
const makeRead = (port: Pick<PresenceFeed["Service"], "eventsAfter">, feeds: Feeds, subscribers: Subscribers) => {
  /** The events after a version are gone: live subscribers get a snapshot in their place. */
  const reset = (feed: Feed, lost: FeedVersion): void => {
    for (const subscriber of Array.from(feed.live.keys())) {
      feed.setPending(subscriber, { _tag: "Snapshot", reason: "reset", lost })
      feeds.queue.add(subscriber)
    }
  }

  /** Reads a page of some feeds. Returns the feeds that have more. */
  const readPages = Effect.fnUntraced(function* (some: ReadonlyArray<Feed>) {
    const slices = makeSlices()
    const live = some.flatMap((feed) => (feed.version === undefined ? [] : [{ feed, version: feed.version }]))
    if (live.length === 0) return []
    const positions = live.map(({ feed: { organizationId }, version }) => ({ organizationId, version }))
    const unfinished: Array<Feed> = []
    for (const [nth, page] of (yield* port.eventsAfter(positions, PAGE)).entries()) {
      yield* slices
      const { feed, version } = live[nth]!
      if (feed.version === undefined) continue
      if (page._tag === "Gone") subscribers.dismissAll(feeds, feed)
      else if (page._tag === "Unknown") reset(feed, version)
      else {
        for (const event of page.events) if (event.version === feed.version + 1) feed.append(encodeEvent(event))
        const last = page.events.at(-1)
        if (last !== undefined) subscribers.metrics.lag(Math.max(0, (yield* Clock.currentTimeMillis) - last.at) / 1000)
        if (page.events.length === PAGE) unfinished.push(feed)
      }
    }
    return unfinished
  })

  return Effect.fnUntraced(function* (some: ReadonlyArray<Feed>) {
    let unread = some
    while (unread.length > 0) {
      unread = (yield* Effect.forEach(Arr.chunksOf(unread, FEEDS_AT_ONCE), readPages)).flat()
      // Clients that are quick enough take what there is before more is read.
      if (unread.length > 0) yield* Effect.yieldNow
    }
  })
}

/** Makes the effects that follow the feeds of a cell: `poll` ends when there are no subscribers, and `listen` never ends. */
export const makeFeedReader = (
  port: Pick<PresenceFeed["Service"], "generation" | "eventsAfter" | "notifications">,
  feeds: Feeds,
  subscribers: Subscribers,
  outages: Outages
) => {
  /** The feeds with new events that were not read. */
  const dirty = new Set<Feed>()
  const wake = Latch.makeUnsafe(false)
  const read = makeRead(port, feeds, subscribers)

  /** Reads all feeds or the dirty ones. */
  const readOnce = Effect.fnUntraced(function* (isFull: boolean) {
    if (isFull) feeds.setGeneration(yield* port.generation)
    const unread = isFull ? [...feeds.byOrganization.values()] : [...dirty]
    dirty.clear()
    yield* read(unread)
    yield* outages.confirm
    return true
  })

  const poll = Effect.gen(function* () {
    let polledAt = -Infinity
    while (feeds.subscribers.size > 0) {
      const rest = polledAt + POLL_INTERVAL_MS - performance.now()
      if (rest > 0) yield* Effect.raceFirst(wake.await, Effect.sleep(rest))
      wake.closeUnsafe()
      const began = performance.now()
      const isFull = began - polledAt >= POLL_INTERVAL_MS
      if (yield* outages.observe(readOnce(isFull))) {
        if (isFull) polledAt = began
      } else {
        polledAt = -Infinity
        yield* Effect.sleep(POLL_INTERVAL_MS)
      }
    }
  })

  const listen = port.notifications.pipe(
    Stream.runForEach((organizationIds) =>
      Effect.sync(() => {
        for (const id of organizationIds) {
          const feed = feeds.byOrganization.get(id)
          if (feed !== undefined) dirty.add(feed)
        }
        if (dirty.size > 0) wake.openUnsafe()
      })
    ),
    Effect.catchTag("StoreError", () => Effect.void),
    Effect.andThen(Effect.sleep(POLL_INTERVAL_MS)),
    Effect.forever
  )

  return { poll, listen }
}
