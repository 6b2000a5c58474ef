/** What is checked of all streams each second. */
import { type AdministratorId, Authenticator, PresenceSubscriptions } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { inChunks } from "./chunks.ts"
import type { Feed } from "./Feed.ts"
import { makeSlices } from "./slices.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Subscribers } from "./Subscribers.ts"

/** After how many milliseconds without a message a comment is written. */
const PING_AFTER_MS = 14_500

/** How many milliseconds a stream may take to be read for the first time. */
const FIRST_READ_TIMEOUT_MS = 10_000

/** How long a stream that has ended may take to be read to its end, in milliseconds. */
const LAST_READ_TIMEOUT_MS = 1_000

/** How many permissions are checked at once. */
const PERMISSIONS_AT_ONCE = 1_000

/** Makes the check that ends what a permission was withdrawn for, or an organization that was deleted. */
export const makePermissionCheck = Effect.fnUntraced(function* (subscribers: Subscribers) {
  const { statuses } = yield* PresenceSubscriptions
  return Effect.gen(function* () {
    const held: Array<{ feed: Feed; administratorId: AdministratorId; readers: Array<Subscriber> }> = []
    const slices = makeSlices()
    for (const feed of Array.from(subscribers.feeds.values())) {
      yield* slices
      const readers = Map.groupBy(feed.cursors.keys(), ({ subscription }) => subscription.administratorId)
      for (const [administratorId, some] of readers) held.push({ feed, administratorId, readers: some })
    }
    for (const chunk of inChunks(held, PERMISSIONS_AT_ONCE)) {
      const keys = chunk.map(({ feed: { organizationId }, administratorId }) => ({ organizationId, administratorId }))
      for (const [nth, status] of (yield* statuses(keys)).entries()) {
        if (status === "allowed") continue
        const { feed, readers } = chunk[nth]!
        for (const subscriber of readers) {
          if (!feed.cursors.has(subscriber)) continue
          subscribers.dismiss(subscriber, feed, status)
        }
      }
    }
    // No status is known while the storage is away: the streams stay.
  }).pipe(Effect.catchTag("StoreError", () => Effect.void))
})

/** Makes the check that ends the streams whose time is over, or whose credentials are, and writes comments. */
export const makeTimeCheck = Effect.fnUntraced(function* (subscribers: Subscribers) {
  const { authenticate } = yield* Authenticator
  const isValid = (credential: Redacted.Redacted<string>) =>
    authenticate(credential).pipe(
      Effect.as(true),
      Effect.catchTags({
        NotAuthenticated: () => Effect.succeed(false),
        AuthenticatorUnavailable: () => Effect.succeed(true)
      })
    )
  return Effect.gen(function* () {
    const checked = new Map<Redacted.Redacted<string>, boolean>()
    const slices = makeSlices()
    // The first one ended first.
    for (const subscriber of Array.from(subscribers.ending)) {
      if (!subscriber.isEndedFor(LAST_READ_TIMEOUT_MS)) break
      subscriber.discard()
    }
    for (const subscriber of Array.from(subscribers.all)) {
      yield* slices
      if (subscriber.isEnded) continue
      const now = performance.now()
      if (!subscriber.isRead && now - subscriber.begun > FIRST_READ_TIMEOUT_MS) subscribers.closed(subscriber)
      else if (now >= subscriber.endsAt) subscribers.end(subscriber, "rotate")
      else {
        const { credential } = subscriber.subscription
        if (!checked.has(credential)) checked.set(credential, yield* isValid(credential))
        if (checked.get(credential) === false) subscribers.end(subscriber, "expired")
        else subscriber.ping(PING_AFTER_MS)
      }
    }
    subscribers.metrics.behind(subscribers.all)
  })
})
