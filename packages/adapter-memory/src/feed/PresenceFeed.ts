/** The feed kept in memory: publishes what movements recorded, and pages through the events. */
import type { FeedPage, FeedPosition, PresenceFeed } from "@sojourn/core"
import { Effect, Option, Order, Stream } from "effect"
import { notify, publishDue } from "./feed.ts"
import type { OrganizationRecord, State } from "../state/State.ts"

const pageAfter = (
  organization: OrganizationRecord | undefined,
  { organizationId, version }: FeedPosition,
  most: number
): FeedPage => {
  if (organization === undefined) return { _tag: "Gone", organizationId }
  const { feed } = organization
  const forgotten = feed.version - feed.events.length
  const nearest = Math.min(Math.max(version, forgotten), feed.version)
  if (nearest !== version) return { _tag: "Unknown", organizationId, nearest }
  const from = version - forgotten
  return { _tag: "Events", organizationId, events: feed.events.slice(from, from + most).map(({ event }) => event) }
}

const snapshotOf = ({ data, feed, stays, places }: OrganizationRecord) => {
  const byId = [...places.values()].sort(({ place: one }, { place: other }) => Order.BigInt(one.id, other.id))
  return {
    organizationId: data.id,
    version: feed.version,
    totals: [stays.totals, ...byId.map((place) => place.stays.totals)] as const
  }
}

/** Presence feeds kept in memory. `rollUp` adds events of an organization to its history, before they are forgotten. */
export const makePresenceFeed = (
  state: State,
  rollUp: (organization: OrganizationRecord, most: number) => number
): PresenceFeed["Service"] => ({
  publish: (now) =>
    Effect.sync(() => {
      state.appended.closeUnsafe()
      const before = new Map<OrganizationRecord, number>()
      for (const { organizationId } of state.pending) {
        const organization = state.organizations.get(organizationId)
        if (organization !== undefined) before.set(organization, organization.feed.version)
      }
      const nextAt = publishDue(state, state.pending, now)
      const published = [...before].flatMap(([{ data, feed }, version]) => (feed.version > version ? data.id : []))
      if (published.length > 0) notify(state, published)
      return { organizations: published, nextAt: Option.fromUndefinedOr(nextAt) }
    }),

  appended: state.appended.await,

  notifications: Stream.fromPubSub(state.notifications),

  // Each is as of one version, and between them the event loop serves other requests.
  snapshots: (organizationIds) =>
    Effect.forEach([...new Set(organizationIds)].sort(Order.BigInt), (id) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => {
          const organization = state.organizations.get(id)
          return organization === undefined ? [] : [snapshotOf(organization)]
        })
      )
    ).pipe(Effect.map((snapshots) => snapshots.flat())),

  eventsAfter: (positions, most) =>
    Effect.sync(() =>
      positions.map((position) => pageAfter(state.organizations.get(position.organizationId), position, most))
    ),

  generation: Effect.succeed(state.generation),

  forget: (before, most) =>
    Effect.sync(() => {
      let forgotten = 0
      for (const organization of state.organizations.values()) {
        const { feed } = organization
        rollUp(organization, Infinity)
        const kept = feed.events.findIndex(({ event }, i) => event.at >= before || i === feed.events.length - 1)
        forgotten += feed.events.splice(0, Math.min(Math.max(kept, 0), most - forgotten)).length
      }
      return forgotten
    })
})
