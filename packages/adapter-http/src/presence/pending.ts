/** Serves the subscribers of a cell that wait for missed events or snapshots, batch by batch. */
import type { FeedPage, FeedPosition, FeedVersion } from "@sojourn/core"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { childOf } from "../pipeline/childOf.ts"
import { BEHIND, type Cell, RESET } from "./Cell.ts"
import type { Feed, PendingSnapshot } from "./Feed.ts"
import { encodeEvent } from "./messages.ts"
import { POLL_INTERVAL_MS } from "./poll.ts"
import { makeSlices } from "./slices.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/**
 * The shortest and the longest pause between two batches, in milliseconds. It is as long as the batch took, so that serving takes half
 * of the time at most. Subscribers that arrive in the pause share what is read.
 */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5, 50]

/** How many events may be missing at a resume: a snapshot makes up for more. */
const MAX_MISSING_EVENTS = 1_000

/** How many feeds one statement reads missed events of, and snapshots, each of which may have thousands of places. */
const FEEDS_AT_ONCE = 4
const SNAPSHOTS_AT_ONCE = 5

/** Makes the effect that serves the queued subscribers of a cell, and never ends. */
export const servePending = (cell: Cell, subscribers: Subscribers): Effect.Effect<never> => {
  /** Gives the page after the first of some positions. Subscribers that it is of no use to stay pending. */
  const givePage = Effect.fnUntraced(function* (
    feed: Feed,
    positions: ReadonlyMap<Subscriber, FeedVersion>,
    first: FeedVersion,
    page: Exclude<FeedPage, { _tag: "Gone" }>
  ) {
    const slices = makeSlices()
    const events = page._tag === "Events" ? page.events.map(encodeEvent) : []
    const last = first + events.length
    for (const [subscriber, position] of positions) {
      yield* slices
      const state = feed.subscribers.get(subscriber)
      if (typeof state !== "object" || state._tag !== "Events") continue
      if (page._tag === "Unknown") {
        // The other positions are known if they are not before the first event that is kept.
        const isUnknown = position === first || position < page.nearest || page.nearest < first
        if (isUnknown) feed.subscribers.set(subscriber, { ...RESET, lost: position })
      } else if (events.length > MAX_MISSING_EVENTS) {
        if (position === first) cell.requestSnapshots(subscriber)
      } else if (position <= last) {
        for (const event of events.slice(position - first)) subscriber.addEvent(event)
        feed.continueAfter(subscriber, last)
      }
    }
  })

  /** Gives missed events: from memory, or by one page of each feed for all positions. */
  const giveMissedEvents = Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    const slices = makeSlices()
    const waiting = new Map<Feed, Map<Subscriber, FeedVersion>>()
    for (const subscriber of batch) {
      yield* slices
      for (const [feed, state] of cell.feedsOf(subscriber)) {
        if (typeof state !== "object" || state._tag !== "Events") continue
        const { generation = cell.generation, position } = state
        if (generation !== cell.generation) feed.subscribers.set(subscriber, RESET)
        else if (feed.version !== undefined && feed.version - position > MAX_MISSING_EVENTS) {
          cell.requestSnapshots(subscriber)
          break
        } else if (!feed.replay(subscriber, position)) {
          childOf(waiting, feed, () => new Map<Subscriber, FeedVersion>()).set(subscriber, position)
        }
      }
    }
    for (const chunk of Arr.chunksOf(waiting, FEEDS_AT_ONCE)) {
      const first = chunk.map(([{ organizationId }, positions]): FeedPosition => {
        return { organizationId, version: Math.min(...positions.values()) }
      })
      for (const [nth, page] of (yield* cell.port.eventsAfter(first, MAX_MISSING_EVENTS + 1)).entries()) {
        const [feed, positions] = chunk[nth]!
        if (page._tag === "Gone") subscribers.dismiss(feed)
        else yield* givePage(feed, positions, first[nth]!.version, page)
      }
    }
  })

  /**
   * Reads each snapshot once for all subscribers that wait for it. Live subscribers whose last message is `stale` get one of their position,
   * which shows that their counts are current. Where the feed has gone on, events show it.
   */
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
    for (const chunk of Arr.chunksOf(requested, SNAPSHOTS_AT_ONCE)) {
      const snapshots = yield* cell.port.snapshots(chunk.map(([{ organizationId }]) => organizationId))
      for (const [feed, states] of chunk) {
        yield* slices
        const snapshot = snapshots.find(({ organizationId }) => organizationId === feed.organizationId)
        if (snapshot === undefined) {
          subscribers.dismiss(feed)
          continue
        }
        const read = feed.encode(snapshot)
        for (const [subscriber, state] of states) {
          if (feed.subscribers.get(subscriber) !== state) continue
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
    (serving, batch) =>
      Effect.onExit(serving, () =>
        Effect.sync(() => {
          for (const subscriber of batch) if (cell.isPending(subscriber)) cell.enqueue(subscriber)
        })
      )
  )

  return Effect.gen(function* () {
    while (true) {
      yield* cell.queued.await
      const began = performance.now()
      const batch = cell.takeBatch()
      if (yield* subscribers.observe(cell, serve(batch))) {
        // None is served where all callers have used up their limits.
        const took = batch.length === 0 ? Infinity : performance.now() - began
        yield* Effect.sleep(Math.min(Math.max(took, MIN_PAUSE_MS), MAX_PAUSE_MS))
      } else {
        // The poll looks whether the storage is back: further attempts would use up the limits of the callers.
        yield* Effect.andThen(Effect.sleep(POLL_INTERVAL_MS), cell.reachable.await)
      }
    }
  })
}
