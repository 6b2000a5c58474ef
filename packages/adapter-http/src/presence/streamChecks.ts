/** What is checked of all streams each second. */
import { Authenticator, type PresenceSubscriptions } from "@sojourn/core"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Feeds } from "./Feeds.ts"
import { makeSlices } from "./slices.ts"
import type { Subscribers } from "./Subscribers.ts"

/** After how many milliseconds without a message a comment is written. */
const PING_AFTER_MS = 14_500

/** How many milliseconds may pass before a stream is opened. */
const OPEN_TIMEOUT_MS = 10_000

/** How many milliseconds a client may take for the rest of a stream that has ended. */
const END_TIMEOUT_MS = 1_000

/** How many permissions are checked at once. */
const PERMISSIONS_AT_ONCE = 1_000

/** Makes the check that ends organizations' parts of streams of a cell: a permission was withdrawn, or the organization deleted. */
export const makePermissionCheck = (
  { statuses }: Pick<PresenceSubscriptions["Service"], "statuses">,
  feeds: Feeds,
  subscribers: Subscribers
) =>
  Effect.gen(function* () {
    const slices = makeSlices()
    const permissions = []
    for (const feed of Array.from(feeds.byOrganization.values())) {
      yield* slices
      const byCaller = Map.groupBy(feed.subscribers, ({ subscription }) => subscription.administratorId)
      for (const [administratorId, members] of byCaller) {
        permissions.push({ key: { organizationId: feed.organizationId, administratorId }, feed, members })
      }
    }
    for (const chunk of Arr.chunksOf(permissions, PERMISSIONS_AT_ONCE)) {
      for (const [nth, status] of (yield* statuses(chunk.map(({ key }) => key))).entries()) {
        if (status === "allowed") continue
        const { feed, members } = chunk[nth]!
        const present = new Set(feed.subscribers)
        for (const subscriber of members)
          if (present.has(subscriber)) subscribers.dismiss(subscriber, feeds, feed, status)
      }
    }
    // No status is known while the storage is away: the streams stay.
  }).pipe(Effect.catchTag("StoreError", () => Effect.void))

/** Makes the check that ends streams and credentials that have expired, and writes comments. */
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
    for (const subscriber of Array.from(subscribers.ending)) {
      if (performance.now() - subscriber.endedAt >= END_TIMEOUT_MS) subscriber.discard()
    }
    let behind = 0
    for (const subscriber of Array.from(subscribers.all)) {
      yield* slices
      if (subscriber.isBehind) behind++
      if (subscriber.isEnded) continue
      const now = performance.now()
      if (!subscriber.isOpened && now - subscriber.begunAt > OPEN_TIMEOUT_MS) subscribers.remove(subscriber)
      else if (now >= subscriber.endsAt) subscribers.end(subscriber, "rotate")
      else {
        const { credential } = subscriber.subscription
        if (!checked.has(credential)) checked.set(credential, yield* isValid(credential))
        if (checked.get(credential) === false) subscribers.end(subscriber, "expired")
        else subscriber.ping(PING_AFTER_MS)
      }
    }
    subscribers.metrics.behind(behind)
  })
})
