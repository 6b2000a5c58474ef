import { type CapacityStore, type PresenceFeed, StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

const absent = Effect.fail(new StoreError({ operation: "read the feed", cause: "PostgreSQL has no feed yet" }))

/** Stands in for the feed until PostgreSQL has one: it holds nothing, and tells nothing. */
export const absentFeed: PresenceFeed["Service"] = {
  tell: () => Effect.succeed({ organizations: [], nextAt: Option.none() }),
  recorded: Effect.never,
  news: Stream.never,
  snapshots: () => absent,
  eventsAfter: () => absent,
  epoch: absent,
  forget: () => Effect.succeed(0)
}

export const absentCapacities: CapacityStore["Service"] = { set: () => absent, get: () => absent }
