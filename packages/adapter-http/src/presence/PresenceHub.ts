import {
  Authenticator,
  type FeedPosition,
  type FeedVersion,
  type OrganizationId,
  PresenceSubscriptions,
  type StoreError
} from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { ServiceUnavailable } from "../api/refusals.ts"
import { failureOf, logFailure } from "../failure.ts"
import { countOverload } from "../overload.ts"
import { type Cursor, Feed } from "./Feed.ts"
import {
  encodeEvent,
  type EncodedSnapshot,
  encodeSnapshot,
  type EndReason,
  goneMessage,
  resetMessage,
  snapshotMessage,
  type SnapshotReason
} from "./messages.ts"
import { makeStreamMetrics } from "./metrics.ts"
import { Subscriber, type Subscription } from "./Subscriber.ts"

/** How often feeds are read without news of them, and permissions and credentials checked again. */
const LOOK = Duration.seconds(1)

/** After how many milliseconds without a message a comment is written; looked for once each {@link LOOK}. */
const PING_AFTER = 14_500

/** How many milliseconds a stream may take to be read for the first time. */
const FIRST_READ = 10_000

/** How many events may be missing at a resume. */
const MOST_MISSING = 1_000

/** How many events of a feed, of how many feeds, are read at once. */
const PAGE = 500
const FEEDS_AT_ONCE = 100

/** How many feeds are read at once for readers that come back. */
const RESUMES_AT_ONCE = 20

/** How many permissions are checked at once. */
const PERMISSIONS_AT_ONCE = 5_000

/** How many milliseconds lie between the ends of two streams while the server drains, at most. */
const DRAIN_PAUSE = 10

/** The bounds of presence streams, and how the server that they run on takes part. */
export interface PresenceStreamOptions {
  /** How many streams there may be; further ones are refused. */
  readonly maxSubscribers: number
  /** How long a stream lives at most. Each ends in the last fifth of it, at random. */
  readonly lifetime: Duration.Duration
  /** Ends once the server drains, with the time within which the streams shall end. */
  readonly drain: Effect.Effect<Duration.Duration>
  /** Is called with the platform's own request when a stream is about to answer it. */
  readonly opened: (source: object) => void
}

/** The bounds of presence streams; 2,000 of an hour each by default. */
export const PresenceStreamOptions = Context.Reference<PresenceStreamOptions>(
  "@sojourn/adapter-http/PresenceStreamOptions",
  {
    defaultValue: () => ({
      maxSubscribers: 2_000,
      lifetime: Duration.hours(1),
      drain: Effect.never,
      opened: () => {}
    })
  }
)

const inChunks = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, nth) => items.slice(nth * size, (nth + 1) * size))

const childOf = <Key, Child>(parent: Map<Key, Child>, key: Key, make: () => Child): Child => {
  let child = parent.get(key)
  if (child === undefined) parent.set(key, (child = make()))
  return child
}

/** Reads the feeds of organizations once for all streams of a server. */
export class PresenceHub extends Context.Service<
  PresenceHub,
  {
    /** Opens a stream for a caller who was authorized. It counts until it was read to its end or is interrupted. */
    readonly subscribe: (subscription: Subscription) => Effect.Effect<Stream.Stream<Uint8Array>, ServiceUnavailable>
  }
>()("@sojourn/adapter-http/PresenceHub") {
  static readonly layer = Layer.effect(
    PresenceHub,
    Effect.gen(function* () {
      const { feed: port, statuses } = yield* PresenceSubscriptions
      const { authenticate } = yield* Authenticator
      const options = yield* PresenceStreamOptions
      const clock = yield* Clock.Clock
      const metrics = makeStreamMetrics()

      const subscribers = new Set<Subscriber>()
      /** Those that nothing was read for yet. */
      const attaching = new Set<Subscriber>()
      const feeds = new Map<OrganizationId, Feed>()
      /** The organizations that there is news of. */
      const dirty = new Set<OrganizationId>()
      const populated = Latch.makeUnsafe(false)
      const wake = Latch.makeUnsafe(false)
      let epoch = ""

      const set = (subscriber: Subscriber, organizationId: OrganizationId, cursor: Cursor): void =>
        childOf(feeds, organizationId, () => new Feed(organizationId)).set(subscriber, cursor)

      const leave = (subscriber: Subscriber, feed: Feed): void => {
        feed.remove(subscriber)
        if (feed.cursors.size === 0) feeds.delete(feed.organizationId)
      }

      const feedsOf = (subscriber: Subscriber): ReadonlyArray<Feed> =>
        Array.from(subscriber.organizationIds, (id) => feeds.get(id)!)

      const unsubscribe = (subscriber: Subscriber): void => {
        subscribers.delete(subscriber)
        attaching.delete(subscriber)
        for (const feed of feedsOf(subscriber)) leave(subscriber, feed)
        if (subscribers.size === 0) populated.closeUnsafe()
        metrics.set(subscribers)
      }

      /** Ends a stream with its last message. It counts until the client read it. */
      const end = (subscriber: Subscriber, reason: EndReason): void => {
        for (const feed of feedsOf(subscriber)) leave(subscriber, feed)
        attaching.delete(subscriber)
        subscriber.end(reason)
      }

      const dismiss = (subscriber: Subscriber, feed: Feed, reason: "forbidden" | "deleted"): void => {
        leave(subscriber, feed)
        subscriber.add(goneMessage(feed.organizationId, reason))
        if (subscriber.organizationIds.size === 0) end(subscriber, "forbidden")
      }

      const dismissAll = (feed: Feed): void => {
        for (const subscriber of Array.from(feed.cursors.keys())) dismiss(subscriber, feed, "deleted")
      }

      /** A reader that is behind reads again. */
      const ready = (subscriber: Subscriber): void => {
        for (const feed of feedsOf(subscriber)) {
          if (feed.cursors.get(subscriber)?._tag === "Snapshot") continue
          set(subscriber, feed.organizationId, { _tag: "Snapshot", reason: "behind" })
        }
        wake.openUnsafe()
      }

      const startOver = (subscriber: Subscriber, organizationIds: ReadonlyArray<OrganizationId>): void => {
        subscriber.fallBehind()
        subscriber.begin({ epoch, versions: new Map() })
        subscriber.add(resetMessage("unknown"))
        for (const id of organizationIds) set(subscriber, id, { _tag: "Snapshot", reason: "reset" })
      }

      /** Decides what the new readers begin with. */
      const attach = (): void => {
        for (const subscriber of attaching) {
          const { lastEventId, organizationIds } = subscriber.subscription
          const id = subscriber.resumed
          if (lastEventId !== undefined && id?.epoch !== epoch) {
            startOver(subscriber, organizationIds)
            continue
          }
          const versions = new Map<OrganizationId, FeedVersion>()
          for (const organizationId of organizationIds) {
            const position = id?.versions.get(organizationId)
            if (position === undefined) set(subscriber, organizationId, { _tag: "Snapshot", reason: "start" })
            else {
              versions.set(organizationId, position)
              set(subscriber, organizationId, { _tag: "Resume", position })
            }
          }
          subscriber.begin({ epoch, versions })
        }
        attaching.clear()
      }

      /** Feeds that were replaced, as by restoring a backup: every stream starts over. */
      const readEpoch = Effect.map(port.epoch, (read) => {
        const isReplaced = epoch !== "" && read !== epoch
        epoch = read
        if (!isReplaced) return
        for (const subscriber of subscribers) {
          if (!attaching.has(subscriber) && !subscriber.isEnded) {
            startOver(subscriber, [...subscriber.organizationIds])
          }
        }
      })

      /** Gives snapshots to the readers that wait for one. */
      const readSnapshots = Effect.gen(function* () {
        const waiting = new Map<Subscriber, Map<Feed, Cursor & { readonly _tag: "Snapshot" }>>()
        const asked = new Set<Feed>()
        for (const feed of feeds.values()) {
          for (const [subscriber, cursor] of feed.cursors) {
            if (cursor._tag !== "Snapshot") continue
            childOf(waiting, subscriber, () => new Map()).set(feed, cursor)
            asked.add(feed)
          }
        }
        const read = new Map<OrganizationId, EncodedSnapshot>()
        for (const chunk of inChunks([...asked], FEEDS_AT_ONCE)) {
          for (const one of yield* port.snapshots(chunk.map(({ organizationId }) => organizationId))) {
            read.set(one.organizationId, encodeSnapshot(one))
          }
        }
        for (const feed of asked) if (!read.has(feed.organizationId)) dismissAll(feed)
        for (const [subscriber, cursors] of waiting) give(subscriber, cursors, read)
      })

      const give = (
        subscriber: Subscriber,
        cursors: ReadonlyMap<Feed, Cursor & { readonly _tag: "Snapshot" }>,
        read: ReadonlyMap<OrganizationId, EncodedSnapshot>
      ): void => {
        const byReason = new Map<SnapshotReason, Array<EncodedSnapshot>>()
        let lost: "expired" | "unknown" | undefined
        for (const organizationId of subscriber.subscription.organizationIds) {
          const feed = feeds.get(organizationId)
          const cursor = feed && cursors.get(feed)
          // The reader may have left meanwhile.
          if (cursor === undefined || feed?.cursors.get(subscriber) !== cursor) continue
          const snapshot = read.get(feed.organizationId)!
          if (cursor.lost !== undefined) lost ??= cursor.lost < snapshot.version ? "expired" : "unknown"
          childOf(byReason, cursor.reason, () => []).push(snapshot)
          set(subscriber, feed.organizationId, { _tag: "Live", position: snapshot.version })
        }
        if (lost !== undefined) subscriber.add(resetMessage(lost))
        for (const [reason, organizations] of byReason) {
          const message = snapshotMessage(reason, organizations)
          if (organizations.length === subscriber.organizationIds.size) subscriber.catchUp(message)
          else subscriber.add(message)
        }
      }

      /** Gives the events that they missed to the readers that come back. */
      const readResumes = Effect.gen(function* () {
        const asked = new Map<string, FeedPosition>()
        for (const { organizationId, feed, subscriber, position } of resuming()) {
          if (replay(subscriber, feed, position)) continue
          asked.set(`${organizationId}:${position}`, { organizationId, version: position })
        }
        for (const positions of inChunks([...asked.values()], RESUMES_AT_ONCE)) {
          const pages = yield* port.eventsAfter(positions, MOST_MISSING + 1)
          for (const [nth, page] of pages.entries()) {
            const feed = feeds.get(page.organizationId)
            if (feed === undefined) continue
            if (page._tag === "Gone") {
              dismissAll(feed)
              continue
            }
            const from = positions[nth]!.version
            const readers = [...feed.cursors].filter(([, of]) => of._tag === "Resume" && of.position === from)
            if (page._tag === "Unknown") {
              for (const [subscriber] of readers) {
                set(subscriber, feed.organizationId, { _tag: "Snapshot", reason: "reset", lost: from })
              }
              continue
            }
            const events = page.events.map(encodeEvent)
            const position = from + events.length
            for (const [subscriber] of readers) {
              if (events.length > MOST_MISSING) subscriber.fallBehind()
              for (const event of events) subscriber.addEvent(event)
              if (feed.version === undefined || position >= feed.version) {
                set(subscriber, feed.organizationId, { _tag: "Live", position })
              } else if (!replay(subscriber, feed, position)) {
                set(subscriber, feed.organizationId, { _tag: "Resume", position })
                wake.openUnsafe()
              }
            }
          }
        }
      })

      function* resuming() {
        for (const feed of feeds.values()) {
          for (const [subscriber, cursor] of Array.from(feed.cursors)) {
            if (cursor._tag !== "Resume") continue
            yield { organizationId: feed.organizationId, feed, subscriber, position: cursor.position }
          }
        }
      }

      /** Gives a reader the events after its position from memory, if all of them are there. */
      const replay = (subscriber: Subscriber, feed: Feed, position: FeedVersion): boolean => {
        const missed = feed.after(position)
        if (missed === undefined) return false
        for (const event of missed) subscriber.addEvent(event)
        set(subscriber, feed.organizationId, { _tag: "Live", position: feed.version! })
        return true
      }

      /** Reads the events that follow, of all feeds or of those that there is news of. */
      const readLive = Effect.fnUntraced(function* (isFull: boolean) {
        let due = isFull ? [...feeds.values()] : [...dirty].flatMap((id) => feeds.get(id) ?? [])
        dirty.clear()
        while (due.length > 0) {
          const more: Array<Feed> = []
          for (const chunk of inChunks(due, FEEDS_AT_ONCE)) {
            const positions = chunk.flatMap(({ organizationId, version }) =>
              version === undefined ? [] : [{ organizationId, version }]
            )
            if (positions.length === 0) continue
            const pages = yield* port.eventsAfter(positions, PAGE)
            for (const [nth, page] of pages.entries()) {
              const feed = feeds.get(page.organizationId)
              if (feed?.version === undefined) continue
              if (page._tag === "Gone") dismissAll(feed)
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
          }
          due = more
          // Readers that are quick enough take what there is before more is read.
          if (due.length > 0) yield* Effect.andThen(Effect.sync(flush), Effect.yieldNow)
        }
      })

      /** The events after a version are gone: the readers get a snapshot in their place. */
      const lose = (feed: Feed, version: FeedVersion): void => {
        for (const [subscriber, cursor] of Array.from(feed.cursors)) {
          if (cursor._tag === "Live") {
            set(subscriber, feed.organizationId, { _tag: "Snapshot", reason: "reset", lost: version })
          }
        }
        wake.openUnsafe()
      }

      const flush = (): void => {
        for (const subscriber of subscribers) subscriber.flush()
      }

      const readOnce = Effect.fnUntraced(function* (isFull: boolean) {
        if (isFull || attaching.size > 0) yield* readEpoch
        attach()
        yield* readResumes
        yield* readSnapshots
        yield* readLive(isFull)
        flush()
      })

      /** The storage is away: the streams stay, and go on when it is back. */
      const stale = (error: StoreError) =>
        Effect.sync(() => {
          // A message to a reader that nothing was read for yet would have no id to go on after.
          for (const subscriber of subscribers) if (!attaching.has(subscriber)) subscriber.addStale()
          flush()
        }).pipe(Effect.andThen(Effect.logDebug("presence streams wait for the storage", error)))

      /** Reads feeds as long as there are readers: what there is news of at once, and all of them each second. */
      const reading = Effect.gen(function* () {
        let lookedAt = -Infinity
        epoch = ""
        while (subscribers.size > 0) {
          const rest = lookedAt + Duration.toMillis(LOOK) - performance.now()
          if (rest > 0) yield* Effect.raceFirst(wake.await, Effect.sleep(rest))
          wake.closeUnsafe()
          const began = performance.now()
          const isFull = began - lookedAt >= Duration.toMillis(LOOK)
          const isRead = yield* readOnce(isFull).pipe(
            Effect.as(true),
            Effect.catchTag("StoreError", (error) => Effect.as(stale(error), false))
          )
          if (isRead && isFull) lookedAt = began
          if (!isRead) {
            lookedAt = -Infinity
            yield* Effect.sleep(LOOK)
          }
        }
      })

      const listening = port.news.pipe(
        Stream.runForEach((organizationIds) =>
          Effect.sync(() => {
            for (const id of organizationIds) if (feeds.has(id)) dirty.add(id)
            if (dirty.size > 0) wake.openUnsafe()
          })
        ),
        Effect.catchTag("StoreError", () => Effect.void),
        Effect.andThen(Effect.sleep(LOOK)),
        Effect.forever
      )

      /** Ends what a permission was withdrawn for, or an organization that was deleted. */
      const checkPermissions = Effect.gen(function* () {
        const readers = new Map<string, Array<readonly [Subscriber, Feed]>>()
        for (const subscriber of subscribers) {
          for (const feed of feedsOf(subscriber)) {
            const key = `${feed.organizationId} ${subscriber.subscription.administratorId}`
            childOf(readers, key, () => []).push([subscriber, feed])
          }
        }
        for (const chunk of inChunks([...readers.values()], PERMISSIONS_AT_ONCE)) {
          const keys = chunk.map(([first]) => {
            const [{ subscription }, { organizationId }] = first!
            return { organizationId, administratorId: subscription.administratorId }
          })
          for (const [nth, status] of (yield* statuses(keys)).entries()) {
            if (status === "allowed") continue
            for (const [subscriber, feed] of chunk[nth]!) {
              if (!feed.cursors.has(subscriber)) continue
              dismiss(subscriber, feed, status)
              subscriber.flush()
            }
          }
        }
        // The storage is away: nothing that it tells has changed.
      }).pipe(Effect.catchTag("StoreError", () => Effect.void))

      /** Ends the streams whose time is over, or whose credentials are, and writes comments. */
      const checkTimes = Effect.gen(function* () {
        for (const subscriber of Array.from(subscribers)) {
          if (subscriber.isEnded) continue
          const now = performance.now()
          if (!subscriber.isRead && now - subscriber.begun > FIRST_READ) unsubscribe(subscriber)
          else if (now >= subscriber.endsAt) end(subscriber, "rotate")
          else {
            const isValid = yield* authenticate(subscriber.subscription.credential).pipe(
              Effect.as(true),
              Effect.catchTags({
                NotAuthenticated: () => Effect.succeed(false),
                AuthenticatorUnavailable: () => Effect.succeed(true)
              })
            )
            if (!isValid) end(subscriber, "expired")
            else subscriber.ping(PING_AFTER)
          }
        }
        metrics.set(subscribers)
      })

      const eachSecond = (check: Effect.Effect<void>) => Effect.forever(Effect.andThen(Effect.sleep(LOOK), check))

      const session = Effect.gen(function* () {
        yield* Effect.forkScoped(listening)
        yield* Effect.forkScoped(eachSecond(checkPermissions))
        yield* Effect.forkScoped(eachSecond(checkTimes))
        yield* reading
      }).pipe(
        Effect.scoped,
        Effect.catchCause((cause) => {
          const failure = failureOf(cause)
          return failure === undefined
            ? Effect.failCause(cause)
            : Effect.andThen(
                logFailure({ ...failure, message: "presence streams cannot be served" }),
                Effect.sleep(LOOK)
              )
        })
      )

      const draining = Effect.gen(function* () {
        const within = Duration.toMillis(yield* options.drain)
        while (true) {
          const open = [...subscribers].filter(({ isEnded }) => !isEnded)
          for (const subscriber of open) {
            end(subscriber, "shutdown")
            yield* Effect.sleep(Math.min(DRAIN_PAUSE, within / open.length))
          }
          yield* Effect.sleep(DRAIN_PAUSE)
        }
      })

      yield* Effect.forkScoped(Effect.forever(Effect.andThen(populated.await, session)))
      yield* Effect.forkScoped(draining)
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const subscriber of Array.from(subscribers)) end(subscriber, "shutdown")
        })
      )

      return PresenceHub.of({
        subscribe: (subscription) =>
          Effect.suspend(() => {
            if (subscribers.size >= options.maxSubscribers) {
              countOverload("subscribers")
              return Effect.fail(new ServiceUnavailable({ detail: "There are too many streams: try again later." }))
            }
            const lifetime = Duration.toMillis(options.lifetime) * (0.8 + 0.2 * Math.random())
            const subscriber = new Subscriber(subscription, performance.now() + lifetime, ready)
            subscribers.add(subscriber)
            attaching.add(subscriber)
            populated.openUnsafe()
            wake.openUnsafe()
            metrics.set(subscribers)
            return Effect.succeed(
              Stream.fromPull(Effect.succeed(subscriber.take)).pipe(
                Stream.ensuring(Effect.sync(() => unsubscribe(subscriber)))
              )
            )
          })
      })
    })
  )
}
