/** Gives missed events to the subscribers that resume: from memory, or by one page of each feed for all positions. */
import type { FeedPage, FeedVersion, PresenceFeed } from "@sojourn/core"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Feed } from "./Feed.ts"
import type { Feeds } from "./Feeds.ts"
import { encodeEvent } from "./messages.ts"
import { makeSlices } from "./slices.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/** How many events may be missing at a resume: a snapshot makes up for more. */
const MAX_MISSING_EVENTS = 1_000

/** How many feeds missed events are read of by one statement. */
const FEEDS_AT_ONCE = 4

/** The subscribers that wait for the events of a feed, with their positions, and the first of these positions. */
interface Waiting {
  readonly feed: Feed
  readonly positions: ReadonlyMap<Subscriber, FeedVersion>
  readonly first: FeedVersion
}

/** Makes the effect that gives missed events to the subscribers of a batch. */
export const makeMissedEvents = (
  port: Pick<PresenceFeed["Service"], "eventsAfter">,
  feeds: Feeds,
  subscribers: Subscribers
) => {
  /** Gives what is in memory. Returns the subscribers that wait for more. */
  const replay = (feed: Feed, batch: ReadonlyArray<Subscriber>): Waiting => {
    const positions = new Map<Subscriber, FeedVersion>()
    for (const subscriber of batch) {
      const pending = feed.pending.get(subscriber)
      if (pending?._tag !== "Events" || feed.replay(subscriber, pending.position)) continue
      if (feed.version !== undefined && feed.version - pending.position > MAX_MISSING_EVENTS) {
        feeds.requestSnapshots(subscriber)
      } else positions.set(subscriber, pending.position)
    }
    return { feed, positions, first: Math.min(...positions.values()) }
  }

  /** Gives a page after the first position. Subscribers that it is of no use to stay pending. */
  const give = Effect.fnUntraced(function* (
    { feed, positions, first }: Waiting,
    page: Exclude<FeedPage, { _tag: "Gone" }>
  ) {
    const slices = makeSlices()
    const events = page._tag === "Events" ? page.events.map(encodeEvent) : []
    const last = first + events.length
    for (const [subscriber, position] of positions) {
      yield* slices
      const pending = feed.pending.get(subscriber)
      if (pending?._tag !== "Events" || pending.position !== position) continue
      if (page._tag === "Unknown") {
        // The other positions are known if they are not before the first event that is kept.
        const isUnknown = position === first || position < page.nearest || page.nearest < first
        if (isUnknown) feed.setPending(subscriber, { _tag: "Snapshot", reason: "reset", lost: position })
      } else if (events.length > MAX_MISSING_EVENTS) {
        if (position === first) feeds.requestSnapshots(subscriber)
      } else if (position <= last) {
        for (const event of events.slice(position - first)) subscriber.addEvent(event)
        feed.continueAfter(subscriber, last)
      }
    }
  })

  return Effect.fnUntraced(function* (batch: ReadonlyArray<Subscriber>) {
    const slices = makeSlices()
    const waiting: Array<Waiting> = []
    for (const feed of new Set(batch.flatMap((subscriber) => feeds.of(subscriber)))) {
      waiting.push(replay(feed, batch))
      yield* slices
    }
    const unread = waiting.filter(({ positions }) => positions.size > 0)
    for (const chunk of Arr.chunksOf(unread, FEEDS_AT_ONCE)) {
      const positions = chunk.map(({ feed: { organizationId }, first }) => ({ organizationId, version: first }))
      const pages = yield* port.eventsAfter(positions, MAX_MISSING_EVENTS + 1)
      for (const [nth, page] of pages.entries()) {
        if (page._tag === "Gone") subscribers.dismissAll(feeds, chunk[nth]!.feed)
        else yield* give(chunk[nth]!, page)
      }
    }
  })
}
