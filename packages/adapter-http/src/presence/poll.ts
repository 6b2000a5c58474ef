/** Reads the feeds of a cell once for all live subscribers: those with new events at once, and all of them at an interval. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import type { Cell } from "./Cell.ts"
import type { Feed } from "./Feed.ts"
import { encodeEvent } from "./messages.ts"
import { makeSlices } from "./slices.ts"
import type { Subscribers } from "./Subscribers.ts"

/** The interval at which all feeds are read, in milliseconds. */
export const POLL_INTERVAL_MS = 1_000

/** How many events of a feed, of how many feeds, are read at once. */
const PAGE = 500
const FEEDS_AT_ONCE = 100

/** Makes the effects that follow the feeds of a cell: `poll` ends when there are no subscribers, and `listen` never ends. */
export const makePoll = (cell: Cell, subscribers: Subscribers) => {
  /** The feeds with events that were not read. */
  const dirty = new Set<Feed>()
  const wake = Latch.makeUnsafe(false)

  const addDirty = (feed: Feed): void => {
    dirty.add(feed)
    wake.openUnsafe()
  }

  const readPages = Effect.fnUntraced(function* (feeds: ReadonlyArray<Feed>) {
    const slices = makeSlices()
    const begun = feeds.flatMap((feed) => (feed.version === undefined ? [] : [{ feed, version: feed.version }]))
    if (begun.length === 0) return
    const positions = begun.map(({ feed: { organizationId }, version }) => ({ organizationId, version }))
    for (const [nth, page] of (yield* cell.port.eventsAfter(positions, PAGE)).entries()) {
      yield* slices
      const { feed, version } = begun[nth]!
      if (feed.version === undefined) continue
      if (page._tag === "Gone") subscribers.dismiss(feed)
      else if (page._tag === "Unknown") cell.reset(feed, version)
      else {
        for (const event of page.events) if (event.version === feed.version + 1) feed.append(encodeEvent(event))
        const last = page.events.at(-1)
        if (last !== undefined) subscribers.metrics.lag(Math.max(0, (yield* Clock.currentTimeMillis) - last.at) / 1000)
        // Clients that are quick enough take what there is before more is read.
        if (page.events.length === PAGE) addDirty(feed)
      }
    }
  })

  /** Reads all feeds or the dirty ones. */
  const read = Effect.fnUntraced(function* (isFull: boolean) {
    if (isFull) cell.setGeneration(yield* cell.port.generation)
    const feeds = isFull ? [...cell.feeds.values()] : [...dirty]
    dirty.clear()
    yield* Effect.forEach(Arr.chunksOf(feeds, FEEDS_AT_ONCE), readPages, { discard: true })
    subscribers.confirm(cell)
  })

  const poll = Effect.gen(function* () {
    let polledAt = -Infinity
    while (cell.feeds.size > 0) {
      const rest = polledAt + POLL_INTERVAL_MS - performance.now()
      yield* rest > 0 ? Effect.raceFirst(wake.await, Effect.sleep(rest)) : Effect.yieldNow
      wake.closeUnsafe()
      const began = performance.now()
      const isFull = began - polledAt >= POLL_INTERVAL_MS
      if (yield* subscribers.observe(cell, read(isFull))) {
        if (isFull) polledAt = began
      } else {
        polledAt = -Infinity
        yield* Effect.sleep(POLL_INTERVAL_MS)
      }
    }
  })

  const listen = cell.port.notifications.pipe(
    Stream.runForEach((organizationIds) =>
      Effect.sync(() => {
        for (const id of organizationIds) {
          const feed = cell.feeds.get(id)
          if (feed !== undefined) addDirty(feed)
        }
      })
    ),
    Effect.catchTag("StoreError", () => Effect.void),
    Effect.andThen(Effect.sleep(POLL_INTERVAL_MS)),
    Effect.forever
  )

  return { poll, listen }
}
