import {
  type Administrator,
  type Capacity,
  type CapacityStore,
  type OrganizationId,
  OrganizationNotFound,
  OrganizationPremises,
  PlacePremises,
  type PresenceEvent,
  PresenceFeed,
  requireLevel,
  type Timestamp
} from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { proveSum, readOn } from "../../laws/PresenceFeed/given.ts"
import { type Serve, valueOf, type Words } from "./words.ts"

const DEFAULT_WARN_AT = 0.8

/** How many events a page holds: few, so that there are several pages. */
const PAGE = 5

/** Capacities and the feed of presence. A reader of each organization goes on where it was, and proves what it reads. */
export const makeServeFeed = (
  words: Words,
  { feed, capacities }: { readonly feed: PresenceFeed["Service"]; readonly capacities: CapacityStore["Service"] }
) => {
  const { answer, administrator, premises, names, organizationId } = words
  const read = new Map<OrganizationId, ReadonlyArray<PresenceEvent>>()
  const now = Effect.map(Clock.currentTimeMillis, (now) => now as Timestamp)
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
    Tell: () =>
      Effect.flatMap(now, (now) => feed.tell(now)).pipe(
        valueOf(({ nextAt }) => ({ nextAt: Option.getOrUndefined(nextAt) }))
      ),
    ReadFeed: Effect.fnUntraced(
      function* ({ organization }) {
        const id = organizationId(organization)
        const [snapshot] = yield* feed.snapshots([id])
        if (snapshot === undefined) {
          const [page] = yield* feed.eventsAfter([{ organizationId: id, version: 0 }], 1)
          if (page?._tag !== "Gone") return yield* Effect.die(page)
          return yield* new OrganizationNotFound({ organizationId: id })
        }
        const before = read.get(id) ?? []
        const events = [...before, ...(yield* readOn(id, before.at(-1), PAGE))]
        read.set(id, events)
        const sums = proveSum(snapshot, events)
        const updatesOf = (placeId: (typeof snapshot.heads)[number]["placeId"]) =>
          events.filter(
            (event) =>
              (event._tag === "OrganizationChanged" && placeId === undefined) ||
              (event._tag === "PlaceChanged" && event.placeId === placeId && event.changed === "updated")
          ).length
        return {
          value: {
            organization: names.label("organization", id),
            updates: updatesOf(undefined),
            premises: snapshot.heads.map(({ placeId, capacity }) => {
              const { entered, left, level } = sums.get(placeId)!
              const at = answer.premises(placeId === undefined ? OrganizationPremises(id) : PlacePremises(placeId))
              const updates = placeId === undefined ? undefined : updatesOf(placeId)
              return { at, entered, left, capacity, level, updates }
            })
          }
        }
      },
      Effect.provideService(PresenceFeed, feed)
    )
  } satisfies Serve<"SetCapacity" | "ReadCapacity" | "Tell" | "ReadFeed">
}
