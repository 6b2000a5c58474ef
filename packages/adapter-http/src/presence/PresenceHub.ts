/** All presence streams of a server: opens them within their limits, reads the feeds for them, checks them and ends them. */
import { Authenticator, Devices, PresenceSubscriptions, readerOf } from "@sojourn/core"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { problemOf } from "../api/shared/problems.ts"
import { ServiceUnavailable } from "../api/shared/refusals.ts"
import { logFailure } from "../pipeline/requestNotes.ts"
import { countOverload } from "../pipeline/overload.ts"
import type { PushedBody } from "../pipeline/answer.ts"
import { Cell } from "./Cell.ts"
import { makePoll, servePending } from "./reads.ts"
import { makeSlices, SLICE_MS } from "./slices.ts"
import type { Subscription } from "./Subscriber.ts"
import { Subscribers } from "./Subscribers.ts"

/** The interval at which permissions and credentials are checked, in milliseconds, and how many permissions at once. */
const CHECK_INTERVAL_MS = 1_000
const PERMISSIONS_AT_ONCE = 1_000

/** After how many milliseconds without a message a comment is written. */
const PING_AFTER_MS = 14_500

/** The longest pause between the ends of two streams while the server drains, in milliseconds. */
const DRAIN_PAUSE_MS = 10

/** The limits of presence streams, and how the server that they run on takes part. */
export interface PresenceStreamOptions {
  /** How many streams there may be. */
  readonly maxSubscribers: number
  /** How many streams a caller may have: one more ends the caller's oldest. */
  readonly maxSubscribersPerCaller: number
  /** How long a stream lives at most. Each ends in the last fifth of it, at random. */
  readonly lifetime: Duration.Duration
  /** Ends once the server drains, with the time within which the streams shall end. */
  readonly drain: Effect.Effect<Duration.Duration>
  /** Is called with the platform's own request when a stream is about to answer it. */
  readonly opened: (source: object) => void
}

/** The limits of presence streams; by default 2,000 of an hour each, and 20 of each caller. */
export const PresenceStreamOptions = Context.Reference<PresenceStreamOptions>(
  "@sojourn/adapter-http/PresenceStreamOptions",
  {
    defaultValue: () => ({
      maxSubscribers: 2_000,
      maxSubscribersPerCaller: 20,
      lifetime: Duration.hours(1),
      drain: Effect.never,
      opened: () => {}
    })
  }
)

const pause = Effect.sleep(CHECK_INTERVAL_MS)

/** Runs a part of what serves the streams again and again, also after a defect. */
const forever = (part: Effect.Effect<void>) =>
  Effect.forever(
    Effect.catchCauseIf(part, Cause.hasDies, (cause) =>
      Effect.andThen(logFailure({ message: "presence streams cannot be served", cause }), pause)
    )
  )

/** Writes to the subscribers in turn. One that is added again while it is written to comes after the others. */
const write = Effect.fnUntraced(function* ({ writing, isWriting }: Subscribers) {
  yield* isWriting.await
  const until = performance.now() + SLICE_MS
  for (const subscriber of writing) {
    writing.delete(subscriber)
    subscriber.flush()
    if (performance.now() >= until) break
  }
  if (writing.size === 0) isWriting.closeUnsafe()
  yield* Effect.yieldNow
})

/** Ends organizations' parts of streams of a cell: a permission was withdrawn, a display removed, or the organization deleted. */
const checkPermissions = Effect.fnUntraced(
  function* ({ statuses }: PresenceSubscriptions["Service"], cell: Cell, subscribers: Subscribers) {
    const slices = makeSlices()
    const permissions = []
    for (const feed of Array.from(cell.feeds.values())) {
      yield* slices
      const { organizationId } = feed
      for (const own of Map.groupBy(feed.subscribers.keys(), ({ callerName }) => callerName).values()) {
        permissions.push({ organizationId, reader: readerOf(own[0]!.subscription.caller), feed, own })
      }
    }
    for (const chunk of Arr.chunksOf(permissions, PERMISSIONS_AT_ONCE)) {
      for (const [nth, status] of (yield* statuses(chunk)).entries()) {
        if (status === "allowed") continue
        const { feed, own } = chunk[nth]!
        subscribers.dismiss(feed, status, own)
      }
    }
  },
  // No status is known while the storage is away: the streams stay.
  Effect.catchTag("StoreError", () => Effect.void)
)

/** Ends the streams that are due or whose credentials have expired, and writes comments. */
const checkTimes = Effect.fnUntraced(function* ({ authenticate }: Authenticator["Service"], subscribers: Subscribers) {
  const slices = makeSlices()
  const checked = new Map<Redacted.Redacted<string>, boolean>()
  for (const subscriber of Array.from(subscribers.all)) {
    yield* slices
    const { caller, credential } = subscriber.subscription
    if (performance.now() >= subscriber.endsAt) {
      if (subscriber.isOpen && !subscriber.isEnded) subscribers.end(subscriber, "rotate")
      else subscriber.discard()
    } else if (!subscriber.isEnded) {
      // Tokens of displays are in the storage: `checkDisplays` waits for it.
      if (caller._tag === "Display") checked.set(credential, true)
      if (!checked.has(credential)) {
        const check = Effect.catchTag(authenticate(credential), "AuthenticatorUnavailable", () => Effect.void)
        checked.set(credential, yield* Effect.isSuccess(check))
      }
      if (checked.get(credential) === true) subscriber.ping(PING_AFTER_MS)
      else subscribers.end(subscriber, "expired")
    }
  }
  subscribers.metrics.behind([...subscribers.all].filter(({ isBehind }) => isBehind).length)
})

/** Notes which displays have a stream open, and ends those whose token is no longer valid while the display is still there. */
const checkDisplays = Effect.fnUntraced(
  function* (devices: Devices["Service"], { statuses }: PresenceSubscriptions["Service"], subscribers: Subscribers) {
    const open = [...subscribers.all].flatMap((subscriber) => {
      const { caller, credential, organizationIds } = subscriber.subscription
      return caller._tag === "Display" && !subscriber.isEnded
        ? [{ subscriber, caller, credential, organizationIds }]
        : []
    })
    const check = Effect.fnUntraced(function* ([credential, own]: [Redacted.Redacted<string>, typeof open]) {
      const { caller } = own[0]!
      if (yield* Effect.isSuccess(Effect.catchTag(devices.authenticate(credential), "StoreError", () => Effect.void))) {
        return yield* devices.noteSighting(caller)
      }
      // The streams of one that was removed are ended with its permission.
      const [status] = yield* statuses([{ organizationId: caller.organizationId, reader: caller }])
      if (status === "allowed") for (const { subscriber } of own) subscribers.end(subscriber, "expired")
    })
    const byCredential = Map.groupBy(open, ({ credential }) => credential)
    yield* Effect.forEach(byCredential, check, { concurrency: "unbounded", discard: true })
  },
  Effect.catchTag("StoreError", () => Effect.void)
)

export class PresenceHub extends Context.Service<
  PresenceHub,
  {
    /** Opens a stream for an authorized caller. It counts until it was read to its end or is closed. */
    readonly subscribe: (subscription: Subscription) => Effect.Effect<PushedBody, ServiceUnavailable>
  }
>()("@sojourn/adapter-http/PresenceHub") {
  static readonly layer = Layer.effect(
    PresenceHub,
    Effect.gen(function* () {
      const authenticator = yield* Authenticator
      const subscriptions = yield* PresenceSubscriptions
      const devices = yield* Devices
      const options = yield* PresenceStreamOptions
      const paidOffAt = new Map()
      const cells = new Map(subscriptions.cells.map((port) => [port, new Cell(port, paidOffAt)]))
      const subscribers = new Subscribers(options, (organizationId) => cells.get(subscriptions.cellOf(organizationId))!)
      const eachSecond = (check: Effect.Effect<void>) => forever(Effect.andThen(pause, check))

      /** Reads the feeds of a cell for the streams, while there are any. */
      const serve = Effect.fnUntraced(function* (cell: Cell) {
        yield* cell.populated.await
        const { poll, listen } = makePoll(cell, subscribers)
        yield* Effect.forkScoped(listen)
        yield* Effect.forkScoped(eachSecond(checkPermissions(subscriptions, cell, subscribers)))
        yield* Effect.raceFirst(poll, servePending(cell, subscribers))
      }, Effect.scoped)

      const draining = Effect.gen(function* () {
        const within = Duration.toMillis(yield* options.drain)
        const endOpen = Effect.gen(function* () {
          const open = [...subscribers.all].filter(({ isEnded }) => !isEnded)
          for (const subscriber of open) {
            subscribers.end(subscriber, "shutdown")
            yield* Effect.sleep(Math.min(DRAIN_PAUSE_MS, within / open.length))
          }
          yield* Effect.sleep(DRAIN_PAUSE_MS)
        })
        yield* Effect.forever(endOpen)
      })

      for (const cell of cells.values()) yield* Effect.forkScoped(forever(serve(cell)))
      yield* Effect.forkScoped(forever(write(subscribers)))
      yield* Effect.forkScoped(eachSecond(checkTimes(authenticator, subscribers)))
      yield* Effect.forkScoped(eachSecond(checkDisplays(devices, subscriptions, subscribers)))
      yield* Effect.forkScoped(draining)
      const endAll = Effect.sync(() => subscribers.all.forEach((subscriber) => subscribers.end(subscriber, "shutdown")))
      yield* Effect.addFinalizer(() => endAll)

      return PresenceHub.of({
        subscribe: Effect.fnUntraced(function* (subscription) {
          const lifetime = Duration.toMillis(options.lifetime) * (0.8 + 0.2 * Math.random())
          const subscriber = subscribers.add(subscription, lifetime)
          if (subscriber !== undefined) return subscriber
          countOverload("subscribers")
          return yield* new ServiceUnavailable(problemOf("TooManyStreams"))
        })
      })
    })
  )
}
