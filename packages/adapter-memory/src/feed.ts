/** Records what changes at premises, and adds events to the feeds of organizations, as part of an operation on the state. */
import {
  addDeltas,
  eventAt,
  type OrganizationId,
  type PresenceDelta,
  type PresenceNews,
  tellDelta,
  type Timestamp
} from "@sojourn/core"
import * as PubSub from "effect/PubSub"
import type { OrganizationRecord, PremisesStays, State } from "./State.ts"

const NOTHING = { entered: 0, left: 0, exits: 0, stayed: 0 }

/** Records a delta, which `tell` or the end of the premises tells later. */
export const record = (state: State, stays: PremisesStays, delta: Partial<PresenceDelta> & { at: Timestamp }): void => {
  const whole = { ...NOTHING, ...delta }
  stays.untold = stays.untold === undefined ? whole : addDeltas(stays.untold, whole)
  state.untold.add(stays)
  state.recorded.openUnsafe()
}

const append = (
  { organization, feed }: OrganizationRecord,
  at: Timestamp,
  now: Timestamp,
  news: ReadonlyArray<PresenceNews>,
  { exits, stayed }: Pick<PresenceDelta, "exits" | "stayed">
): void => {
  if (news.length === 0) return
  feed.at = eventAt(feed.at, at, now)
  for (const one of news) {
    const event = { ...one, version: ++feed.version, organizationId: organization.id, at: feed.at }
    const isPresence = one._tag === "PresenceChanged"
    feed.events.push({ event, exits: isPresence ? exits : 0, stayed: isPresence ? stayed : 0 })
  }
}

/** Tells what is recorded of premises; `now` is when. */
export const tellRecorded = (state: State, owner: OrganizationRecord, stays: PremisesStays, now: Timestamp): void => {
  const { untold } = stays
  state.untold.delete(stays)
  if (untold === undefined) return
  stays.untold = undefined
  const { head, news } = tellDelta(stays.head, untold, now)
  stays.head = head
  append(owner, untold.at, now, news, untold)
}

/** Wakes up the readers of feeds. */
export const publish = (state: State, organizations: ReadonlyArray<OrganizationId>): void => {
  PubSub.publishUnsafe(state.news, organizations)
}

/** Adds events to the feed of an organization in the step that they tell of. */
export const tellNews = (
  state: State,
  owner: OrganizationRecord,
  at: Timestamp,
  news: ReadonlyArray<PresenceNews>
): void => {
  append(owner, at, at, news, NOTHING)
  publish(state, [owner.organization.id])
}
