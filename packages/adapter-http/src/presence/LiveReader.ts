/** Reads what follows in the feeds, once for all subscribers. */
import type { FeedVersion, OrganizationId, PresenceFeed } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { inChunks } from "./chunks.ts"
import type { Feed } from "./Feed.ts"
import { encodeEvent } from "./messages.ts"
import { makeSlices } from "./slices.ts"
import type { Subscribers } from "./Subscribers.ts"

/** How many events of a feed, of how many feeds, are read at once. */
const PAGE = 500
const FEEDS_AT_ONCE = 100

/** Makes the reader. It takes the organizations with new events from `dirty`, or all of them. */
export const makeLiveReader = Effect.fnUntraced(function* (
  port: Pick<PresenceFeed["Service"], "eventsAfter">,
  subscribers: Subscribers,
  dirty: Set<OrganizationId>
) {
  const clock = yield* Clock.Clock
  const { feeds, metrics } = subscribers

  /** The events after a version are gone: the subscribers get a snapshot in their place. */
  const lose = (feed: Feed, version: FeedVersion): void => {
    for (const [subscriber, cursor] of Array.from(feed.cursors)) {
      if (cursor._tag !== "Live") continue
      feed.set(subscriber, { _tag: "Snapshot", reason: "reset", lost: version })
      subscribers.enqueue(subscriber)
    }
  }

  /** Reads a page of some feeds, and answers those that have more. */
  const readPages = Effect.fnUntraced(function* (due: ReadonlyArray<Feed>) {
    const slices = makeSlices()
    const more: Array<Feed> = []
    const positions = due.flatMap(({ organizationId, version }) =>
      version === undefined ? [] : [{ organizationId, version }]
    )
    if (positions.length === 0) return more
    const pages = yield* port.eventsAfter(positions, PAGE)
    for (const [nth, page] of pages.entries()) {
      yield* slices
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
    return more
  })

  return Effect.fnUntraced(function* (isFull: boolean) {
    let due: ReadonlyArray<Feed> = isFull ? [...feeds.values()] : [...dirty].flatMap((id) => feeds.get(id) ?? [])
    dirty.clear()
    while (due.length > 0) {
      const more: Array<Feed> = []
      for (const chunk of inChunks(due, FEEDS_AT_ONCE)) more.push(...(yield* readPages(chunk)))
      due = more
      subscribers.flush()
      // Readers that are quick enough take what there is before more is read.
      if (due.length > 0) yield* Effect.yieldNow
    }
  })
})
