/** Answers commands on the feed and on capacities by the use cases. */
import {
  type Administrator,
  type Capacity,
  type CapacityStore,
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
import { proveSum, readOn } from "../../laws/feed/PresenceFeed/fixtures.ts"
import { type Serve, valueOf, type Words } from "./words.ts"

const DEFAULT_WARN_AT = 0.8

/** How many events a page holds: few, so that there are several pages. */
const PAGE = 5

/** A `Tell` that skipped what is locked is repeated after so many milliseconds at most. Some changes wait for the event interval as briefly. */
export const SKIPPED = 20
const PAUSE = 5
const TRIES = 20

/** Capacities and the feed of presence. A reader of each organization goes on where it was, and proves what it reads. */
export const makeServeFeed = Effect.fnUntraced(function* (
  words: Words,
  { feed, capacities }: { readonly feed: PresenceFeed["Service"]; readonly capacities: CapacityStore["Service"] }
) {
  const subscriptions = yield* PresenceSubscriptions
  const { answer, administrator, premises, names, organizationId, read } = words
  const now = Effect.map(Clock.currentTimeMillis, (now) => now as Timestamp)
  /** Tells until nothing is left that another transaction had locked: the next call of a server would tell it. */
  const tellAll = (now: Timestamp, tries = TRIES): ReturnType<typeof feed.publish> =>
    Effect.flatMap(feed.publish(now), (told) =>
      tries > 0 && Option.exists(told.nextAt, (at) => at - now <= SKIPPED)
        ? Effect.andThen(Effect.sleep(PAUSE), tellAll(now, tries - 1))
        : Effect.succeed(told)
    )
  const requires = (least: "manager" | "viewer") => (level: Parameters<typeof requireLevel>[0]) =>
    requireLevel(level, least)
  const as = (who: Administrator) => who.administratorId
  return {
    SetCapacity: ({ by, at, capacity: asked, warnAt = DEFAULT_WARN_AT }) =>
      Effect.flatMap(now, (now) => {
        const capacity: Capacity | undefined = asked === null ? undefined : { capacity: asked, warnAt }
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
    Tell: () => Effect.flatMap(now, tellAll).pipe(valueOf(({ nextAt }) => ({ nextAt: Option.getOrUndefined(nextAt) }))),
    ReadFeed: Effect.fnUntraced(
      function* ({ by, organization }) {
        const id = organizationId(organization)
        yield* subscriptions.authorize(administrator(by), [id])
        const [snapshot] = yield* feed.snapshots([id])
        if (snapshot === undefined) return yield* Effect.die("the feed of an organization is gone that exists")
        const before = read.get(id) ?? []
        const news = yield* readOn(id, before.at(-1), PAGE)
        const events = [...before, ...news]
        const sums = proveSum(snapshot, events)
        const isFirst = !read.has(id)
        read.set(id, events)
        return {
          value: {
            organization: names.label("organization", id),
            events: isFirst ? [] : news.map(answer.event),
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
  } satisfies Serve<"SetCapacity" | "ReadCapacity" | "Tell" | "ReadFeed">
})
