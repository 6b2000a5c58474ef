/** Records what changes at premises, and adds events to the feeds of organizations, as part of an operation on the state. */
import {
  addPendingChanges,
  eventAt,
  eventIntervalOf,
  NO_CHANGE,
  insideOf,
  isInMeanStay,
  isPublishedAt,
  type OrganizationId,
  type PendingChange,
  type PresenceEventData,
  nextPublishingMoment,
  publishingIntervalOf,
  publishingMoment,
  publishableFrom,
  publishChange,
  publishingMode,
  Timestamp
} from "@sojourn/core"
import { Order, PubSub } from "effect"
import { everyStays, type OrganizationRecord, type PremisesStays, type State } from "../state/State.ts"

/** The whole second at which a time is over. */
const secondOf = (at: Timestamp): number => Math.ceil(at / 1000)

const isOfOneKind = (one: PendingChange, other: PendingChange): boolean =>
  one.isCorrection === other.isCorrection && one.isAnonymous === other.isAnonymous

/** Records a change, which `publish` or the end of the premises publishes later. */
export const appendChange = (
  state: State,
  stays: PremisesStays,
  change: Partial<PendingChange> & { at: Timestamp }
): void => {
  const whole = { ...NO_CHANGE, ...change }
  const last = stays.pending.at(-1)
  stays.pending =
    last !== undefined && secondOf(last.at) === secondOf(whole.at) && isOfOneKind(last, whole)
      ? [...stays.pending.slice(0, -1), addPendingChanges(last, whole)]
      : [...stays.pending, whole]
  state.pending.add(stays)
  state.appended.openUnsafe()
}

/**
 * Takes back what devices counted at premises and no event has yet, and corrections of it. A change of nothing is left where it stands for the
 * level of a capacity.
 */
export const withdrawCounted = (stays: PremisesStays): void => {
  stays.pending = stays.pending.flatMap((change) => {
    const { entered, left, counted, countedOut, isCorrection } = change
    if (counted === 0 && countedOut === 0) return change
    const rest = {
      ...change,
      entered: entered - counted - countedOut,
      left: left - countedOut,
      counted: 0,
      countedOut: 0
    }
    stays.countedOut -= countedOut
    return isCorrection || rest.entered + rest.left === 0 ? [] : rest
  })
}

const addEvents = (
  { data: { id: organizationId }, feed }: OrganizationRecord,
  at: Timestamp,
  now: Timestamp,
  events: ReadonlyArray<PresenceEventData>,
  { exits, stayed }: Pick<PendingChange, "exits" | "stayed">
): void => {
  if (events.length === 0) return
  feed.at = eventAt({ last: feed.at, recorded: at, now })
  for (const data of events) {
    const event = { ...data, version: ++feed.version, organizationId, at: feed.at }
    const isPresence = data._tag === "PresenceChanged"
    feed.events.push({ event, exits: isPresence ? exits : 0, stayed: isPresence ? stayed : 0 })
  }
}

/** The mode whose rules the counts of an organization are published by. */
export const modeOf = ({ data, anonymousUntil }: OrganizationRecord) =>
  publishingMode(data.trackingMode, anonymousUntil)

/** The publishing interval of an organization. */
export const intervalOf = (organization: OrganizationRecord): number | undefined =>
  publishingIntervalOf(organization.policy, modeOf(organization))

/** How many people are inside: the open stays, and the people counted. */
export const peopleInside = ({ open, counted }: PremisesStays): number => open.size + (counted ?? 0)

/** How many people are inside as far as answers say so. */
export const answeredInside = (organization: OrganizationRecord, stays: PremisesStays): number =>
  intervalOf(organization) === undefined ? peopleInside(stays) : insideOf(stays.totals)

/** A number without what is pending, in an organization whose answers say what was published. */
const answered = (
  organization: OrganizationRecord,
  { pending }: PremisesStays,
  number: number,
  of: (change: PendingChange) => number
): number =>
  intervalOf(organization) === undefined ? number : number - pending.reduce((sum, change) => sum + of(change), 0)

/** How many people came into premises, as far as answers say so. */
export const answeredEntered = (organization: OrganizationRecord, { totals, pending }: PremisesStays): number =>
  totals.entered + (intervalOf(organization) === undefined ? pending.reduce((sum, { entered }) => sum + entered, 0) : 0)

/** How many people left premises by exits and by the counts of devices, as far as answers say so. */
export const answeredExits = (organization: OrganizationRecord, stays: PremisesStays): number =>
  answered(organization, stays, stays.exits + stays.countedOut, ({ exits, countedOut }) => exits + countedOut)

/** How many people are counted inside as far as answers say so; undefined before anything was counted. */
export const answeredCounted = (organization: OrganizationRecord, stays: PremisesStays): number | undefined =>
  stays.counted === undefined ? undefined : answered(organization, stays, stays.counted, ({ counted }) => counted)

/** Publishes what is recorded of premises, which is not empty, at `now`; what `isDue` does not hold for is left. */
const publishChanges = (
  state: State,
  organization: OrganizationRecord,
  stays: PremisesStays,
  now: Timestamp,
  isDue: (change: PendingChange) => boolean
): void => {
  const due = stays.pending.filter(isDue)
  stays.pending = stays.pending.filter((change) => !isDue(change))
  if (stays.pending.length === 0) state.pending.delete(stays)
  if (due.length === 0) return
  const interval = intervalOf(organization)
  const moment = interval === undefined ? undefined : publishingMoment(interval, now)
  // With an interval corrections have an event of their own at the same multiple, after the movements, whatever came first.
  const some =
    interval === undefined ? [due] : [false, true].map((kind) => due.filter((one) => one.isCorrection === kind))
  const kinds = some.filter((changes) => changes.length > 0)
  const { capacity, level } = stays.totals
  for (const [n, changes] of kinds.entries()) {
    const isLast = n === kinds.length - 1
    const sum = changes.reduce(addPendingChanges)
    // The level goes by all of them.
    const before = isLast
      ? { ...stays.totals, capacity, level }
      : { ...stays.totals, capacity: undefined, level: "none" as const }
    const { totals, events } = publishChange(before, sum, moment ?? now)
    stays.totals = totals
    const measured = changes.filter((change) => isInMeanStay(organization.data.trackingMode, change))
    addEvents(
      organization,
      moment ?? sum.at,
      now,
      events,
      measured.reduce(addPendingChanges, { ...NO_CHANGE, at: now })
    )
  }
}

/** Whether a change is of the kind of the first one: corrections and movements are published apart, the earlier kind first. */
const isOfFirstKind =
  ({ pending: [first] }: PremisesStays) =>
  ({ isCorrection }: PendingChange): boolean =>
    isCorrection === first?.isCorrection

/** Publishes all that is recorded of premises. */
export const publishPending = (
  state: State,
  organization: OrganizationRecord,
  stays: PremisesStays,
  now: Timestamp
): void => publishChanges(state, organization, stays, now, () => true)

/** When what is recorded of premises may be published: `now` or before where it may be published now. */
export const publishableAt = (
  organization: OrganizationRecord,
  { totals, pending }: PremisesStays,
  now: Timestamp
): Timestamp => {
  const interval = intervalOf(organization)
  if (interval === undefined)
    return publishableFrom(totals, eventIntervalOf(organization.policy, organization.data.trackingMode), now)
  const recordedAt = pending.reduce((first, { at }) => (at < first ? at : first), pending[0]?.at ?? now)
  return nextPublishingMoment(
    { recordedAt, feedAt: organization.feed.at, publishedAt: totals.publishedAt },
    interval,
    now
  )
}

/** The order in which premises are published: by the `at` of their events, then the organization before its places by id. */
const byEvent =
  (state: State, now: Timestamp) =>
  (one: PremisesStays, other: PremisesStays): number => {
    const at = ({ organizationId, pending }: PremisesStays) => {
      const organization = state.organizations.get(organizationId)
      const interval = organization && intervalOf(organization)
      return interval === undefined ? Math.max(...pending.map((change) => change.at)) : publishingMoment(interval, now)
    }
    return at(one) - at(other) || Order.BigInt(one.totals.placeId ?? 0n, other.totals.placeId ?? 0n)
  }

/** Publishes what is recorded and due of some premises. Answers when the next of what is left may be published. */
export const publishDue = (state: State, some: Iterable<PremisesStays>, now: Timestamp): Timestamp | undefined => {
  let nextAt: Timestamp | undefined
  for (const stays of [...some].filter(({ pending }) => pending.length > 0).sort(byEvent(state, now))) {
    const organization = state.organizations.get(stays.organizationId)
    if (organization === undefined) {
      state.pending.delete(stays)
      continue
    }
    const interval = intervalOf(organization)
    if (publishableAt(organization, stays, now) <= now) {
      const moment = interval === undefined ? now : publishingMoment(interval, now)
      const isNext = interval === undefined ? isOfFirstKind(stays) : () => true
      publishChanges(
        state,
        organization,
        stays,
        now,
        (change) => isNext(change) && (interval === undefined || isPublishedAt(moment, change, now))
      )
    }
    if (stays.pending.length === 0) continue
    const from = publishableAt(organization, stays, now)
    if (nextAt === undefined || from < nextAt) nextAt = from
  }
  return nextAt
}

/**
 * Publishes the changes that are due of an organization with a publishing interval, before other events are added. After these they would
 * have to wait for the next multiple, since the times of events never go back.
 */
export const publishDueOf = (state: State, organization: OrganizationRecord, now: Timestamp): void => {
  if (intervalOf(organization) !== undefined) publishDue(state, everyStays(organization), now)
}

/** Notes that an organization is anonymous no longer, before its mode changes: later events have no exit of an anonymous stay. */
export const endAnonymity = (state: State, organization: OrganizationRecord, now: Timestamp): void => {
  publishDueOf(state, organization, now)
  organization.anonymousUntil = Timestamp(Math.max(organization.anonymousUntil ?? now, organization.feed.at, now))
}

/** Wakes up the readers of feeds. */
export const notify = (state: State, organizations: ReadonlyArray<OrganizationId>): void => {
  PubSub.publishUnsafe(state.notifications, organizations)
}

/** Adds events to the feed of an organization in the step that they publish of. */
export const publishEvents = (
  state: State,
  organization: OrganizationRecord,
  at: Timestamp,
  events: ReadonlyArray<PresenceEventData>
): void => {
  publishDueOf(state, organization, at)
  addEvents(organization, at, at, events, NO_CHANGE)
  notify(state, [organization.data.id])
}
