/** History kept in memory. The buckets are made from the kept events of the feed, so these are rolled up before they go. */
import {
  admitEarlierStays,
  bucketOfChange,
  bucketStart,
  BUCKET_STEPS,
  type HistoryChange,
  type HistoryStore,
  insideOf,
  mergeBuckets,
  type OpenStay,
  OrganizationPremises,
  type PlaceId,
  type Premises,
  PremisesNotFound,
  type PresenceEventData,
  publishChange,
  smallestCountOf,
  type StayId
} from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { modeOf, publishEvents } from "../feed/feed.ts"
import { atomically } from "../state/atomically.ts"
import {
  everyStays,
  findPremises,
  type OrganizationRecord,
  type PremisesStays,
  requireLevelIn,
  requirePremises,
  type State,
  type StoredEvent
} from "../state/State.ts"

/** The events after a version, as far as they are kept. */
const eventsAfter = ({ feed }: OrganizationRecord, version: number): ReadonlyArray<StoredEvent> =>
  feed.events.slice(Math.max(0, version - (feed.version - feed.events.length)))

/** The changes of an organization's history that events publish, by place; undefined: of the organization as a whole. */
const changesByPlace = (events: ReadonlyArray<StoredEvent>): ReadonlyMap<PlaceId | undefined, Array<HistoryChange>> => {
  const changes = new Map<PlaceId | undefined, Array<HistoryChange>>()
  for (const { event, exits, stayed } of events) {
    if (event._tag !== "PresenceChanged") continue
    const { placeId, entered, left, inside, at } = event
    const change = { entered, left, inside, exits, stayed, at }
    const known = changes.get(placeId)
    if (known === undefined) changes.set(placeId, [change])
    else known.push(change)
  }
  return changes
}

/** Adds events of an organization to its buckets. Returns how many. */
export const rollUp = (organization: OrganizationRecord, most: number): number => {
  const events = eventsAfter(organization, organization.history.version).slice(0, most)
  const changes = changesByPlace(events)
  for (const stays of changes.size === 0 ? [] : everyStays(organization)) {
    const buckets = (changes.get(stays.totals.placeId) ?? []).map(bucketOfChange)
    if (buckets.length === 0) continue
    for (const step of BUCKET_STEPS) {
      const first = buckets.reduce((one, { from }) => (from < one ? from : one), buckets[0]!.from)
      const startOf = bucketStart(step)
      const begins = startOf(first)
      const later = stays.buckets[step].splice(stays.buckets[step].findLastIndex(({ from }) => from < begins) + 1)
      stays.buckets[step].push(...mergeBuckets(startOf, [...later, ...buckets]))
    }
  }
  organization.history.version += events.length
  return events.length
}

const hasMovements = ({ totals, pending }: PremisesStays): boolean =>
  totals.entered > 0 || pending.some(({ entered }) => entered > 0)

/** The stays of premises of this organization. */
const staysIn = (
  state: State,
  organization: OrganizationRecord,
  premises: Premises
): Result.Result<PremisesStays, PremisesNotFound> => {
  const found = findPremises(state, premises)
  return found?.organization === organization
    ? Result.succeed(found.stays)
    : Result.fail(new PremisesNotFound({ premises }))
}

export const makeHistoryStore = (state: State): HistoryStore["Service"] => ({
  read: (administratorId, premises, { bucketStep, starts, to }) =>
    atomically(function* () {
      const { organization, stays } = yield* requirePremises(state, premises)
      yield* requireLevelIn(organization, administratorId, "viewer")
      const every = stays.buckets[bucketStep]
      const after = every.find((bucket) => bucket.from >= to)
      return {
        beganAt: stays.beganAt,
        keptFrom: bucketStep === "minute" ? organization.history.minutesFrom : undefined,
        buckets: every.filter((bucket) => bucket.from >= starts[0]! && (bucket.from < to || bucket === after)),
        changes:
          changesByPlace(eventsAfter(organization, organization.history.version)).get(stays.totals.placeId) ?? [],
        inside: insideOf(stays.totals),
        pendingSince: stays.pending[0]?.at,
        smallestCount: smallestCountOf(organization.policy, modeOf(organization)),
        anonymousUntil: organization.data.trackingMode === "anonymous" ? undefined : organization.anonymousUntil
      }
    }),

  timeZone: (premises) =>
    atomically(function* () {
      return (yield* requirePremises(state, premises)).organization.policy.timeZone
    }),

  rollUp: (most) =>
    Effect.sync(() => {
      for (const organization of state.organizations.values()) {
        const added = rollUp(organization, most)
        if (added > 0) return added
      }
      return 0
    }),

  forgetMinutes: (before, most) =>
    Effect.sync(() => {
      let forgotten = 0
      for (const organization of state.organizations.values()) {
        const { history } = organization
        if (before > (history.minutesFrom ?? -Infinity)) history.minutesFrom = before
        for (const { buckets } of everyStays(organization)) {
          const old = buckets.minute.filter(({ from }) => from < before).length
          forgotten += buckets.minute.splice(0, Math.min(old, most - forgotten)).length
        }
      }
      return forgotten
    }),

  adopt: ({ organizationId, presence, open, beganAt, keyId, now }) =>
    atomically(function* () {
      const { organization } = yield* requirePremises(state, OrganizationPremises(organizationId))
      yield* admitEarlierStays(organization.data.trackingMode)
      const entered = []
      for (const { premises, entrance } of open) {
        entered.push({ premises, entrance, stays: yield* staysIn(state, organization, premises) })
      }
      const earlier = []
      for (const one of presence) earlier.push({ ...one, stays: yield* staysIn(state, organization, one.premises) })
      const every = everyStays(organization)
      if (every.some(hasMovements)) return Option.none()

      const ids = entered.map(({ premises, entrance, stays }): StayId => {
        const id = ++state.lastId.stay as StayId
        const stay: OpenStay = { _tag: "OpenStay", id, organizationId, premises, keyId, entrance }
        stays.open.set(id, stay)
        stays.recorded.set(id, entrance)
        return id
      })
      const events: Array<PresenceEventData> = []
      for (const { stays, sum, buckets } of earlier) {
        const published = publishChange(stays.totals, sum, now)
        stays.totals = published.totals
        stays.exits += sum.exits
        events.push(...published.events)
        for (const step of BUCKET_STEPS) stays.buckets[step].push(...buckets[step])
      }
      for (const stays of every) if (beganAt < stays.beganAt) stays.beganAt = beganAt
      publishEvents(state, organization, now, events)
      organization.history.version = organization.feed.version
      return Option.some(ids)
    })
})
