/** Records what changes at premises, and adds events to the feeds of organizations, as part of an operation on the state. */
import {
  addDeltas,
  eventAt,
  grainOf,
  insideOf,
  isPublishedAt,
  type OrganizationId,
  type PresenceDelta,
  type PresenceNews,
  publishableFrom,
  publishingIntervalOf,
  publishingMoment,
  tellableFrom,
  tellDelta,
  type Timestamp
} from "@sojourn/core"
import * as Order from "effect/Order"
import * as PubSub from "effect/PubSub"
import { everyStays, type OrganizationRecord, type PremisesStays, type State } from "../state/State.ts"

const NOTHING = { entered: 0, left: 0, exits: 0, stayed: 0 }

/** The whole second at which a time is over. */
const secondOf = (at: Timestamp): number => Math.ceil(at / 1000)

/** Records a delta, which `tell` or the end of the premises tells later. */
export const record = (state: State, stays: PremisesStays, delta: Partial<PresenceDelta> & { at: Timestamp }): void => {
  const whole = { ...NOTHING, ...delta }
  const last = stays.untold.at(-1)
  stays.untold =
    last !== undefined && secondOf(last.at) === secondOf(whole.at)
      ? [...stays.untold.slice(0, -1), addDeltas(last, whole)]
      : [...stays.untold, whole]
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

const intervalOf = ({ policy, organization }: OrganizationRecord): number | undefined =>
  publishingIntervalOf(policy, organization.trackingMode)

/** How many people are inside as far as answers say so. */
export const answeredInside = (owner: OrganizationRecord, { head, open }: PremisesStays): number =>
  intervalOf(owner) === undefined ? open.size : insideOf(head)

/** How many exits there were from premises as far as answers say so. */
export const answeredExits = (owner: OrganizationRecord, { exits, untold }: PremisesStays): number =>
  intervalOf(owner) === undefined ? exits : exits - untold.reduce((sum, delta) => sum + delta.exits, 0)

/** Tells what is recorded of premises, which is not empty, at `now`; what `isDue` does not hold for is left. */
const tellDeltas = (
  state: State,
  owner: OrganizationRecord,
  stays: PremisesStays,
  now: Timestamp,
  isDue: (delta: PresenceDelta) => boolean
): void => {
  const due = stays.untold.filter(isDue)
  stays.untold = stays.untold.filter((delta) => !isDue(delta))
  if (stays.untold.length === 0) state.untold.delete(stays)
  if (due.length === 0) return
  const sum = due.reduce(addDeltas)
  const interval = intervalOf(owner)
  const moment = interval === undefined ? undefined : publishingMoment(interval, now)
  const { head, news } = tellDelta(stays.head, sum, moment ?? now)
  stays.head = head
  append(owner, moment ?? sum.at, now, news, sum)
}

/** Tells all that is recorded of premises. */
export const tellRecorded = (state: State, owner: OrganizationRecord, stays: PremisesStays, now: Timestamp): void =>
  tellDeltas(state, owner, stays, now, () => true)

/** When what is recorded of premises may be told: `now` or before where it may be told now. */
export const tellableAt = (owner: OrganizationRecord, { head, untold }: PremisesStays, now: Timestamp): Timestamp => {
  const interval = intervalOf(owner)
  if (interval === undefined) return tellableFrom(head, grainOf(owner.policy, owner.organization.trackingMode), now)
  const recordedAt = untold.reduce((first, { at }) => (at < first ? at : first), untold[0]?.at ?? now)
  return publishableFrom({ recordedAt, feedAt: owner.feed.at, toldAt: head.toldAt }, interval, now)
}

/** The order in which premises are told: by the `at` of their events, then the organization before its places by id. */
const byEvent =
  (state: State, now: Timestamp) =>
  (one: PremisesStays, other: PremisesStays): number => {
    const at = ({ organizationId, untold }: PremisesStays) => {
      const owner = state.organizations.get(organizationId)
      const interval = owner && intervalOf(owner)
      return interval === undefined ? Math.max(...untold.map((delta) => delta.at)) : publishingMoment(interval, now)
    }
    return at(one) - at(other) || Order.BigInt(one.head.placeId ?? 0n, other.head.placeId ?? 0n)
  }

/** Tells what is recorded and due of some premises. Answers when the next of what is left may be told. */
export const tellDue = (state: State, some: Iterable<PremisesStays>, now: Timestamp): Timestamp | undefined => {
  let nextAt: Timestamp | undefined
  for (const stays of [...some].filter(({ untold }) => untold.length > 0).sort(byEvent(state, now))) {
    const owner = state.organizations.get(stays.organizationId)
    if (owner === undefined) {
      state.untold.delete(stays)
      continue
    }
    const interval = intervalOf(owner)
    if (tellableAt(owner, stays, now) <= now) {
      const moment = interval === undefined ? now : publishingMoment(interval, now)
      tellDeltas(state, owner, stays, now, (delta) => interval === undefined || isPublishedAt(moment, delta, now))
    }
    if (stays.untold.length === 0) continue
    const from = tellableAt(owner, stays, now)
    if (nextAt === undefined || from < nextAt) nextAt = from
  }
  return nextAt
}

/**
 * Tells what is due of an organization with a publishing interval before other events are added: after them it would have to wait for
 * the next multiple, as no event is before the one before it.
 */
export const tellDueOf = (state: State, owner: OrganizationRecord, now: Timestamp): void => {
  if (intervalOf(owner) !== undefined) tellDue(state, everyStays(owner), now)
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
  tellDueOf(state, owner, at)
  append(owner, at, at, news, NOTHING)
  publish(state, [owner.organization.id])
}
