/** Joins reads of feeds that are asked for at one moment, so that the deliveries of many webhooks cost few queries. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { type FeedPage, type FeedPosition, PresenceFeed } from "../../ports/feed/PresenceFeed.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { makeShared } from "../shared/sharing.ts"

/** The most events of a page. */
export const MAX_EVENTS = 1000

/** How many positions are read at once: each may have a whole page of events. */
const POSITIONS_AT_ONCE = 20

/** Reads the page after a position, with at most {@link MAX_EVENTS} events. */
export type ReadPage = (position: FeedPosition) => Effect.Effect<FeedPage, StoreError>

/** Makes a reader of feeds that many fibers share, for the time of the scope. Equal positions of a run are read once. */
export const makeFeedPages = Effect.gen(function* () {
  const feed = yield* PresenceFeed
  const readAll = (_feeds: "feeds", positions: ReadonlyArray<FeedPosition>) => {
    const distinct = Arr.dedupe(positions)
    const nthOf = (position: FeedPosition) => distinct.findIndex((other) => Equal.equals(other, position))
    return Effect.map(feed.eventsAfter(distinct, MAX_EVENTS), (pages) =>
      positions.map((position) => Result.succeed(pages[nthOf(position)]!))
    )
  }
  const shared = yield* makeShared(yield* Semaphore.make(1), readAll, POSITIONS_AT_ONCE)
  const read: ReadPage = (position) => shared("feeds", position)
  return read
})
