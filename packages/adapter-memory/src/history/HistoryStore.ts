/** History kept in memory. The buckets are made from the kept events of the feed, so these are rolled up before they go. */
import {
  bucketOfChange,
  bucketStart,
  BUCKET_STEPS,
  type HistoryChange,
  type HistoryStore,
  insideOf,
  mergeBuckets,
  type PlaceId,
  IMPORT_PAUSE_MS,
  smallestCountOf
} from "@sojourn/core"
import { Clock, Effect } from "effect"
import { modeOf } from "../feed/feed.ts"
import { atomically } from "../state/atomically.ts"
import {
  everyStays,
  type OrganizationRecord,
  requireViewer,
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

export const makeHistoryStore = (state: State): HistoryStore["Service"] => ({
  read: (reader, premises, { bucketStep, starts, to }) =>
    atomically(function* () {
      const { organization, stays } = yield* requirePremises(state, premises)
      yield* requireViewer(organization, reader)
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
    Effect.map(Clock.currentTimeMillis, (now) => {
      let forgotten = 0
      for (const organization of state.organizations.values()) {
        const { history } = organization
        if (before > (history.minutesFrom ?? -Infinity)) history.minutesFrom = before
        if ((history.importedAt ?? -Infinity) > now - IMPORT_PAUSE_MS) continue
        for (const { buckets } of everyStays(organization)) {
          const old = buckets.minute.filter(({ from }) => from < before).length
          forgotten += buckets.minute.splice(0, Math.min(old, most - forgotten)).length
        }
      }
      return forgotten
    })
})
