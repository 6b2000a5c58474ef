/** What reads a cell: `makePoll` for live subscribers, and `servePending` for those that wait for missed events or snapshots. */
import type { FeedPosition, FeedVersion } from "@sojourn/core"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import { childOf } from "../shared/childOf.ts"
import { BEHIND, type Cell, RESET } from "./Cell.ts"
import type { Feed, PendingSnapshot } from "./Feed.ts"
import { encodeSnapshot, eventMessage, MAX_EVENTS } from "./messages.ts"
import { makeSlices } from "./slices.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/** The interval at which all feeds are read, in milliseconds. */
const POLL_INTERVAL_MS = 1_000

/** How many events of a feed, of how many feeds, are read at once for live subscribers. */
const PAGE = 500
const FEEDS_AT_ONCE = 100

/** The bounds of the pause after a batch, in milliseconds: as long as the batch took, so that those that arrive in it share what is read. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5, 50]

/** How many feeds are read at once for pending subscribers: 1,000 events each, or snapshots of thousands of places. */
const PENDING_AT_ONCE = 4

/** Makes `poll`, which reads the feeds once for all live subscribers until there are none, and `listen`, which wakes it and never ends. */
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
    const begun = feeds.flatMap((feed) => {
      const { organizationId, version } = feed
      return version === undefined ? [] : [{ feed, organizationId, version }]
    })
    if (begun.length === 0) return
    for (const [nth, page] of (yield* cell.port.eventsAfter(begun, PAGE)).entries()) {
      yield* slices
      const { feed, version } = begun[nth]!
      if (feed.version === undefined) continue
      if (page._tag === "Gone") subscribers.dismiss(feed, "deleted")
      else if (page._tag === "Unknown") cell.reset(feed, version)
      else {
        for (const event of page.events) feed.append(event)
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

/** Makes the effect that serves the queued subscribers of a cell batch by batch, and never ends. */
export const servePending = (cell: Cell, subscribers: Subscribers): Effect.Effect<never> => {
  /** Gives missed events: from memory, or by one page after the first position. Subscribers that need another page stay pending. */
  const giveMissedEvents = Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    const slices = makeSlices()
    const waiting = new Map<Feed, Map<Subscriber, FeedVersion>>()
    for (const subscriber of batch) {
      yield* slices
      for (const [feed, state] of cell.feedsOf(subscriber)) {
        if (typeof state !== "object" || state._tag !== "Events") continue
        const { generation = cell.generation, position } = state
        if (generation !== cell.generation) feed.subscribers.set(subscriber, RESET)
        else if (feed.version !== undefined && feed.version - position > MAX_EVENTS) {
          cell.requestSnapshots(subscriber)
          break
        } else if (!feed.replay(subscriber, position)) childOf(waiting, feed, () => new Map()).set(subscriber, position)
      }
    }
    for (const chunk of Arr.chunksOf(waiting, PENDING_AT_ONCE)) {
      const first = chunk.map(([{ organizationId }, positions]): FeedPosition => {
        return { organizationId, version: Math.min(...positions.values()) }
      })
      for (const [nth, page] of (yield* cell.port.eventsAfter(first, MAX_EVENTS + 1)).entries()) {
        const [feed, positions] = chunk[nth]!
        const { version: begin } = first[nth]!
        if (page._tag === "Gone") subscribers.dismiss(feed, "deleted")
        const messages = page._tag === "Events" ? page.events.map(eventMessage) : []
        for (const [subscriber, position] of positions) {
          yield* slices
          const state = feed.subscribers.get(subscriber)
          if (typeof state !== "object" || state._tag !== "Events") continue
          if (page._tag === "Unknown") {
            // The other positions are known if they are not before the first event that is kept.
            const isUnknown = position === begin || position < page.nearest || page.nearest < begin
            if (isUnknown) feed.subscribers.set(subscriber, { ...RESET, lost: position })
          } else if (messages.length > MAX_EVENTS) {
            if (position === begin) cell.requestSnapshots(subscriber)
          } else if (position <= begin + messages.length) {
            for (const message of messages.slice(position - begin)) subscriber.addEvent(message)
            feed.continueAfter(subscriber, begin + messages.length)
          }
        }
      }
    }
  })

  /** Reads each snapshot once. Live subscribers whose last message is `stale` get one of their position, unless events follow it. */
  const giveSnapshots = Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    const slices = makeSlices()
    const requested = new Map<Feed, Map<Subscriber, FeedVersion | PendingSnapshot>>()
    for (const subscriber of batch) {
      const isConfirmed = subscriber.isStale && !cell.isPending(subscriber)
      for (const [feed, state] of cell.feedsOf(subscriber)) {
        if (typeof state === "object" && (state._tag === "Events" || state.read !== undefined)) continue
        if (typeof state === "object" || isConfirmed) childOf(requested, feed, () => new Map()).set(subscriber, state)
      }
    }
    for (const chunk of Arr.chunksOf(requested, PENDING_AT_ONCE)) {
      const snapshots = yield* cell.port.snapshots(chunk.map(([{ organizationId }]) => organizationId))
      for (const [feed, states] of chunk) {
        yield* slices
        const snapshot = snapshots.find(({ organizationId }) => organizationId === feed.organizationId)
        if (snapshot === undefined) subscribers.dismiss(feed, "deleted")
        else feed.snapshot = encodeSnapshot(snapshot, feed.snapshot)
        for (const [subscriber, state] of states) {
          const { snapshot: read } = feed
          if (read === undefined || feed.subscribers.get(subscriber) !== state) continue
          if (typeof state === "number" && !(subscriber.isStale && state === read.version)) continue
          subscriber.position.begin(feed.organizationId, cell.generation)
          feed.subscribers.set(subscriber, { ...(typeof state === "number" ? BEHIND : state), read })
        }
      }
    }
    for (const subscriber of batch) {
      subscribers.giveSnapshots(subscriber)
      yield* slices
    }
  })

  const serve = Effect.fnUntraced(
    function* (batch: ReadonlyArray<Subscriber>) {
      if (batch.length === 0) return
      cell.setGeneration(yield* cell.port.generation)
      yield* giveMissedEvents(batch)
      yield* giveSnapshots(batch)
    },
    (serving, batch) => {
      const queueAgain = Effect.sync(() => {
        for (const subscriber of batch) if (cell.isPending(subscriber)) cell.enqueue(subscriber)
      })
      return Effect.ensuring(serving, queueAgain)
    }
  )

  const serveBatch = Effect.gen(function* () {
    yield* cell.queued.await
    const began = performance.now()
    const batch = cell.takeBatch()
    if (yield* subscribers.observe(cell, serve(batch))) {
      // A batch is empty where all callers have used up their limits.
      const took = batch.length === 0 ? Infinity : performance.now() - began
      yield* Effect.sleep(Math.min(Math.max(took, MIN_PAUSE_MS), MAX_PAUSE_MS))
    } else {
      // The poll looks whether the storage is back: further attempts would use up the limits of the callers.
      yield* Effect.andThen(Effect.sleep(POLL_INTERVAL_MS), cell.reachable.await)
    }
  })
  return Effect.forever(serveBatch)
}
