/** All presence streams of a server: opens them within their bounds, reads the feeds for them, and ends them. */
import { type OrganizationId, PresenceSubscriptions } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { Scheduler } from "effect/Scheduler"
import * as Stream from "effect/Stream"
import { PROBLEM_URIS } from "../api/shared/problems.ts"
import { ServiceUnavailable } from "../api/shared/refusals.ts"
import { failureOf, logFailure } from "../pipeline/failure.ts"
import { countOverload } from "../pipeline/overload.ts"
import type { PushedBody } from "../pipeline/PushedBody.ts"
import { makeFeedReader } from "./FeedReader.ts"
import type { StreamLimits } from "./Places.ts"
import { makePermissionCheck, makeTimeCheck } from "./streamChecks.ts"
import type { Subscription } from "./Subscriber.ts"
import { Subscribers } from "./Subscribers.ts"

/** The interval at which all feeds are read, and permissions and credentials are checked. */
const POLL_INTERVAL = Duration.seconds(1)

/** How many milliseconds lie between the ends of two streams while the server drains, at most. */
const DRAIN_PAUSE = 10

/**
 * The shortest and the longest pause between two batches of subscribers that are given snapshots or missed events, in milliseconds. It is
 * as long as the batch took, so that attaching takes half of the time at most. Subscribers that arrive in the pause share what is read.
 */
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [5, 50]

/** The limits of presence streams, and how the server that they run on takes part. */
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

const eachSecond = (check: Effect.Effect<void>) => Effect.forever(Effect.andThen(Effect.sleep(POLL_INTERVAL), check))

export class PresenceHub extends Context.Service<
  PresenceHub,
  {
    /** Opens a stream for a caller who was authorized. It counts until it was read to its end or is closed. */
    readonly subscribe: (subscription: Subscription) => Effect.Effect<PushedBody, ServiceUnavailable>
  }
>()("@sojourn/adapter-http/PresenceHub") {
  static readonly layer = Layer.effect(
    PresenceHub,
    Effect.gen(function* () {
      const { feed } = yield* PresenceSubscriptions
      const options = yield* PresenceStreamOptions
      const tasks = (yield* Scheduler).makeDispatcher()
      const subscribers = new Subscribers(options, (task) => tasks.scheduleTask(task, 0))
      const { all, queue, queued } = subscribers
      /** Is opened when an organization has new events. */
      const wake = Latch.makeUnsafe(false)
      /** The organizations with new events that were not read. */
      const dirty = new Set<OrganizationId>()
      const { read, attachNext } = yield* makeFeedReader(feed, subscribers, dirty)
      const checkPermissions = yield* makePermissionCheck(subscribers)
      const checkTimes = yield* makeTimeCheck(subscribers)

      /** Reads feeds while there are subscribers: those with new events at once, and all of them each second. */
      const reading = Effect.gen(function* () {
        let polledAt = -Infinity
        subscribers.forgetGeneration()
        while (all.size > 0) {
          const rest = polledAt + Duration.toMillis(POLL_INTERVAL) - performance.now()
          if (rest > 0) yield* Effect.raceFirst(wake.await, Effect.sleep(rest))
          wake.closeUnsafe()
          const began = performance.now()
          const isFull = began - polledAt >= Duration.toMillis(POLL_INTERVAL)
          const isRead = yield* read(isFull)
          if (isRead && isFull) polledAt = began
          if (!isRead) {
            polledAt = -Infinity
            yield* Effect.sleep(POLL_INTERVAL)
          }
        }
      })

      /** Serves the subscribers that are queued, in batches. */
      const attaching = Effect.gen(function* () {
        while (true) {
          yield* queued.await
          queued.closeUnsafe()
          while (!queue.isEmpty) {
            const began = performance.now()
            const served = yield* attachNext
            const pause =
              served === undefined
                ? Duration.toMillis(POLL_INTERVAL)
                : // Where callers have to wait for their limit, none is served.
                  served === 0
                  ? LONGEST_PAUSE
                  : Math.min(Math.max(performance.now() - began, SHORTEST_PAUSE), LONGEST_PAUSE)
            yield* Effect.sleep(pause)
          }
        }
      })

      const listening = feed.notifications.pipe(
        Stream.runForEach((organizationIds) =>
          Effect.sync(() => {
            for (const id of organizationIds) if (subscribers.feeds.has(id)) dirty.add(id)
            if (dirty.size > 0) wake.openUnsafe()
          })
        ),
        Effect.catchTag("StoreError", () => Effect.void),
        Effect.andThen(Effect.sleep(POLL_INTERVAL)),
        Effect.forever
      )

      const session = Effect.gen(function* () {
        yield* Effect.forkScoped(listening)
        yield* Effect.forkScoped(eachSecond(checkPermissions))
        yield* Effect.forkScoped(eachSecond(checkTimes))
        yield* Effect.raceFirst(reading, attaching)
      }).pipe(
        Effect.scoped,
        Effect.catchCause((cause) => {
          const failure = failureOf(cause)
          return failure === undefined
            ? Effect.failCause(cause)
            : Effect.andThen(
                logFailure({ ...failure, message: "presence streams cannot be served" }),
                Effect.sleep(POLL_INTERVAL)
              )
        })
      )

      const draining = Effect.gen(function* () {
        const within = Duration.toMillis(yield* options.drain)
        while (true) {
          const open = [...all].filter(({ isEnded }) => !isEnded)
          for (const subscriber of open) {
            subscribers.end(subscriber, "shutdown")
            yield* Effect.sleep(Math.min(DRAIN_PAUSE, within / open.length))
          }
          yield* Effect.sleep(DRAIN_PAUSE)
        }
      })

      yield* Effect.forkScoped(Effect.forever(Effect.andThen(subscribers.populated.await, session)))
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
            return Effect.fail(
              new ServiceUnavailable({
                type: PROBLEM_URIS.TooManyStreams,
                detail: "There are too many streams: try again later."
              })
            )
          })
      })
    })
  )
}
