/** Joins reads of feeds that are asked for at one moment, so that the deliveries of many webhooks cost few queries. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import { type FeedPage, type FeedPosition, PresenceFeed } from "../../ports/feed/PresenceFeed.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"

/** The most events of a page. */
export const MAX_EVENTS = 1000

/** How many positions are read at once: each may have a whole page of events. */
const POSITIONS_AT_ONCE = 20

/** Reads the page after a position, with at most {@link MAX_EVENTS} events. */
export type ReadPage = (position: FeedPosition) => Effect.Effect<FeedPage, StoreError>

/**
 * Makes a reader of feeds that many fibers share, for the time of the scope. Positions that wait at the same moment are read together, and
 * equal ones once. A page is read after it was asked for.
 */
export const makeFeedPages = Effect.gen(function* () {
  const feed = yield* PresenceFeed
  const waiting = new Map<
    string,
    { readonly position: FeedPosition; readonly page: Deferred.Deferred<FeedPage, StoreError> }
  >()
  const wake = Latch.makeUnsafe()

  const readSome = Effect.gen(function* () {
    const batch = [...waiting].slice(0, POSITIONS_AT_ONCE)
    for (const [key] of batch) waiting.delete(key)
    if (waiting.size === 0) wake.closeUnsafe()
    const positions = batch.map(([, { position }]) => position)
    const pages = yield* Effect.exit(feed.eventsAfter(positions, MAX_EVENTS))
    for (const [nth, [, { page }]] of batch.entries()) {
      Deferred.doneUnsafe(
        page,
        Exit.map(pages, (all) => all[nth]!)
      )
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(wake.await, readSome)))

  const read: ReadPage = (position) =>
    Effect.suspend(() => {
      const key = `${position.organizationId}:${position.version}`
      const page = waiting.get(key)?.page ?? Deferred.makeUnsafe<FeedPage, StoreError>()
      waiting.set(key, { position, page })
      wake.openUnsafe()
      return Deferred.await(page)
    })
  return read
})
