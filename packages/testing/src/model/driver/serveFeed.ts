/** Answers commands on the feed and on capacities by the use cases. */
import {
  type Administrator,
  type Capacity,
  type CapacityStore,
  DEFAULT_WARN_AT,
  OrganizationPremises,
  PlacePremises,
  PresenceFeed,
  PresenceSubscriptions,
  requireLevel,
  type Timestamp
} from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { proveSum, readAllAfter } from "../../laws/shared/presenceFeed.ts"
import { type Serve, valueOf, type Translation } from "./translation.ts"

/** How many events a page holds: few, so that there are several pages. */
const PAGE = 5

/** A `Publish` that skipped what is locked is repeated after so many milliseconds at most. Some changes wait for the event interval as briefly. */
export const SKIPPED = 20
const PAUSE = 5
const TRIES = 20

/** Capacities and the feed of presence. A reader of each organization goes on where it was, and proves what it reads. */
export const makeServeFeed = Effect.fnUntraced(function* (
  translation: Translation,
  { feed, capacities }: { readonly feed: PresenceFeed["Service"]; readonly capacities: CapacityStore["Service"] }
) {
  const subscriptions = yield* PresenceSubscriptions
  const { answer, administrator, premises, names, organizationId, read } = translation
  const now = Effect.map(Clock.currentTimeMillis, (now) => now as Timestamp)
  /** Publishes until nothing is left that another transaction had locked: a server's next call would publish it. */
  const publishAll = (now: Timestamp, tries = TRIES): ReturnType<typeof feed.publish> =>
    Effect.flatMap(feed.publish(now), (concurrentPublish) =>
      tries > 0 && Option.exists(concurrentPublish.nextAt, (at) => at - now <= SKIPPED)
        ? Effect.andThen(Effect.sleep(PAUSE), publishAll(now, tries - 1))
        : Effect.succeed(concurrentPublish)
    )
  const requires = (least: "manager" | "viewer") => (level: Parameters<typeof requireLevel>[0]) =>
    requireLevel(level, least)
  const as = (who: Administrator) => who.administratorId
  return {
    SetCapacity: ({ by, at, capacity: limit, warnAt = DEFAULT_WARN_AT }) =>
      Effect.flatMap(now, (now) => {
        const capacity: Capacity | undefined = limit === null ? undefined : { capacity: limit, warnAt }
        return capacities.set({
          premises: premises(at),
          administratorId: as(administrator(by)),
          capacity,
          now,
          decide: requires("manager")
        })
      }).pipe(valueOf((reading) => ({ at: answer.premises(reading.premises), ...reading.capacity }))),
    ReadCapacity: ({ by, at }) =>
      capacities
        .get({ premises: premises(at), administratorId: as(administrator(by)), decide: requires("viewer") })
        .pipe(
          valueOf(({ inside, level, capacity, premises }) => ({
            at: answer.premises(premises),
            inside,
            ...capacity,
            level
          }))
        ),
    Publish: () =>
      Effect.flatMap(now, publishAll).pipe(valueOf(({ nextAt }) => ({ nextAt: Option.getOrUndefined(nextAt) }))),
    ReadFeed: Effect.fnUntraced(
      function* ({ by, organization }) {
        const id = organizationId(organization)
        yield* subscriptions.authorize(administrator(by), [id])
        const [snapshot] = yield* feed.snapshots([id])
        if (snapshot === undefined) return yield* Effect.die("the feed of an organization is gone that exists")
        const before = read.get(id) ?? []
        const added = yield* readAllAfter(id, before.at(-1), PAGE)
        const events = [...before, ...added]
        const sums = proveSum(snapshot, events)
        const isFirst = !read.has(id)
        read.set(id, events)
        return {
          value: {
            organization: names.label("organization", id),
            events: isFirst ? [] : added.map(answer.event),
            premises: snapshot.totals.map(({ placeId, capacity }) => {
              const { entered, left, level } = sums.get(placeId)!
              const at = answer.premises(placeId === undefined ? OrganizationPremises(id) : PlacePremises(placeId))
              return { at, entered, left, capacity: capacity?.capacity, level }
            })
          }
        }
      },
      Effect.provideService(PresenceFeed, feed)
    )
  } satisfies Partial<Serve>
})
