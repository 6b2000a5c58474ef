/** The feed kept in memory: tells what movements recorded, and pages through the events. */
import {
  type FeedPage,
  type FeedPosition,
  grainOf,
  type PresenceFeed,
  tellableFrom,
  type Timestamp
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Stream from "effect/Stream"
import { rollUp } from "./HistoryStore.ts"
import { publish, tellRecorded } from "./feed.ts"
import type { OrganizationRecord, PremisesStays, State } from "./State.ts"

const pageAfter = (
  owner: OrganizationRecord | undefined,
  { organizationId, version }: FeedPosition,
  most: number
): FeedPage => {
  if (owner === undefined) return { _tag: "Gone", organizationId }
  const { feed } = owner
  const forgotten = feed.version - feed.events.length
  const nearest = Math.min(Math.max(version, forgotten), feed.version)
  if (nearest !== version) return { _tag: "Unknown", organizationId, nearest }
  const from = version - forgotten
  return { _tag: "Events", organizationId, events: feed.events.slice(from, from + most).map(({ event }) => event) }
}

/** The order in which premises are told: by when the last of their deltas was recorded, then the organization before its places. */
const recordedFirst = (one: PremisesStays, other: PremisesStays): number =>
  one.untold!.at - other.untold!.at || Order.BigInt(one.head.placeId ?? 0n, other.head.placeId ?? 0n)

const snapshotOf = ({ organization, feed, stays, places }: OrganizationRecord) => {
  const byId = [...places.values()].sort(({ place: one }, { place: other }) => Order.BigInt(one.id, other.id))
  return {
    organizationId: organization.id,
    version: feed.version,
    heads: [stays.head, ...byId.map((place) => place.stays.head)] as const
  }
}

/** Presence feeds kept in memory. */
export const makePresenceFeed = (state: State): PresenceFeed["Service"] => ({
  tell: (now) =>
    Effect.sync(() => {
      state.recorded.closeUnsafe()
      const organizations = new Set<OrganizationRecord>()
      let nextAt: Timestamp | undefined
      for (const stays of [...state.untold].sort(recordedFirst)) {
        const owner = state.organizations.get(stays.organizationId)
        if (owner === undefined) {
          state.untold.delete(stays)
          continue
        }
        const from = tellableFrom(stays.head, grainOf(owner.policy, owner.organization.trackingMode), now)
        if (from > now) {
          if (nextAt === undefined || from < nextAt) nextAt = from
          continue
        }
        tellRecorded(state, owner, stays, now)
        organizations.add(owner)
      }
      const told = Array.from(organizations, ({ organization }) => organization.id)
      if (told.length > 0) publish(state, told)
      return { organizations: told, nextAt: Option.fromUndefinedOr(nextAt) }
    }),

  recorded: state.recorded.await,

  news: Stream.fromPubSub(state.news),

  // Each is as of one version, and between them the event loop serves other requests.
  snapshots: (organizationIds) =>
    Effect.forEach([...new Set(organizationIds)].sort(Order.BigInt), (id) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => {
          const owner = state.organizations.get(id)
          return owner === undefined ? [] : [snapshotOf(owner)]
        })
      )
    ).pipe(Effect.map((snapshots) => snapshots.flat())),

  eventsAfter: (positions, most) =>
    Effect.sync(() =>
      positions.map((position) => pageAfter(state.organizations.get(position.organizationId), position, most))
    ),

  epoch: Effect.succeed(state.epoch),

  forget: (before, most) =>
    Effect.sync(() => {
      let forgotten = 0
      for (const owner of state.organizations.values()) {
        const { feed } = owner
        rollUp(owner, Infinity)
        const kept = feed.events.findIndex(({ event }, i) => event.at >= before || i === feed.events.length - 1)
        forgotten += feed.events.splice(0, Math.min(Math.max(kept, 0), most - forgotten)).length
      }
      return forgotten
    })
})
