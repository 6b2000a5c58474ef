/** All presence streams of a server: opens them within their limits, reads the feeds for them, and ends them. */
import { type CellFeeds, PresenceSubscriptions } from "@sojourn/core"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { Scheduler } from "effect/Scheduler"
import { problemOf } from "../api/shared/problems.ts"
import { ServiceUnavailable } from "../api/shared/refusals.ts"
import { logFailure } from "../pipeline/failure.ts"
import { countOverload } from "../pipeline/overload.ts"
import type { PushedBody } from "../pipeline/PushedBody.ts"
import { makeAttaching } from "./Attaching.ts"
import type { PaidOffAt } from "./AttachQueue.ts"
import { makeFeedReader } from "./FeedReader.ts"
import { Feeds } from "./Feeds.ts"
import { makeOutages } from "./Outages.ts"
import type { StreamLimits } from "./Places.ts"
import { makePermissionCheck, makeTimeCheck } from "./streamChecks.ts"
import type { Subscription } from "./Subscriber.ts"
import { Subscribers } from "./Subscribers.ts"

/** The interval at which permissions and credentials are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000

/** The longest pause between the ends of two streams while the server drains, in milliseconds. */
const DRAIN_PAUSE_MS = 10

/** The limits of presence streams, and the hooks of the server that they run on. */
export interface PresenceStreamOptions extends StreamLimits {
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

const eachSecond = (check: Effect.Effect<void>) =>
  Effect.forever(Effect.andThen(Effect.sleep(CHECK_INTERVAL_MS), check))

/** Runs a part of what serves the streams again whenever there are subscribers, also after a defect. */
const whilePopulated = (populated: Latch.Latch, part: Effect.Effect<void>) =>
  part.pipe(
    Effect.catchCauseIf(Cause.hasDies, (cause) =>
      Effect.andThen(
        logFailure({ message: "presence streams cannot be served", cause }),
        Effect.sleep(CHECK_INTERVAL_MS)
      )
    ),
    (survives) => Effect.forever(Effect.andThen(populated.await, survives))
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
      const subscriptions = yield* PresenceSubscriptions
      const options = yield* PresenceStreamOptions
      const tasks = (yield* Scheduler).makeDispatcher()
      const paidOffAt: PaidOffAt = new Map()
      const cells = new Map(subscriptions.cells.map((cell) => [cell, new Feeds(paidOffAt)] as const))
      const subscribers = new Subscribers(
        options,
        (task) => tasks.scheduleTask(task, 0),
        [...cells.values()],
        (organizationId) => cells.get(subscriptions.cellOf(organizationId))!
      )
      const { all } = subscribers
      const checkTimes = yield* makeTimeCheck(subscribers)

      /** Reads the feeds of a cell for the streams. */
      const serve = (cell: CellFeeds, feeds: Feeds) => {
        const outages = makeOutages(feeds, subscribers)
        const { poll, listen } = makeFeedReader(cell, feeds, subscribers, outages)
        const attach = makeAttaching(cell, feeds, subscribers, outages)
        const checkPermissions = makePermissionCheck(subscriptions, feeds, subscribers)
        return Effect.gen(function* () {
          yield* Effect.forkScoped(listen)
          yield* Effect.forkScoped(eachSecond(checkPermissions))
          yield* Effect.raceFirst(poll, attach)
        }).pipe(Effect.scoped)
      }

      const endAll = Effect.fnUntraced(function* (within: Duration.Duration) {
        const open = [...all].filter(({ isEnded }) => !isEnded)
        for (const subscriber of open) {
          subscribers.end(subscriber, "shutdown")
          yield* Effect.sleep(Math.min(DRAIN_PAUSE_MS, Duration.toMillis(within) / open.length))
        }
        yield* Effect.sleep(DRAIN_PAUSE_MS)
      })
      const draining = Effect.flatMap(options.drain, (within) => Effect.forever(endAll(within)))

      for (const [cell, feeds] of cells) {
        yield* Effect.forkScoped(whilePopulated(feeds.populated, serve(cell, feeds)))
      }
      yield* Effect.forkScoped(
        whilePopulated(subscribers.populated, Effect.andThen(Effect.sleep(CHECK_INTERVAL_MS), checkTimes))
      )
      yield* Effect.forkScoped(draining)
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const subscriber of Array.from(all)) subscribers.end(subscriber, "shutdown")
        })
      )

      return PresenceHub.of({
        subscribe: (subscription) =>
          Effect.suspend(() => {
            const lifetime = Duration.toMillis(options.lifetime) * (0.8 + 0.2 * Math.random())
            const subscriber = subscribers.add(subscription, performance.now() + lifetime)
            if (subscriber !== undefined) return Effect.succeed(subscriber)
            countOverload("subscribers")
            return Effect.fail(new ServiceUnavailable(problemOf("TooManyStreams")))
          })
      })
    })
  )
}
