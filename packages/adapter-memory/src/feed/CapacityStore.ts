import {
  type Capacity,
  type CapacityReading,
  type CapacityStore,
  capacityUpdated,
  insideOf,
  nextLevel,
  type Premises,
  type PresenceEventData,
  recorded,
  setCapacity,
  setCapacityLater,
  type Timestamp
} from "@sojourn/core"
import { atomically, recording } from "../state/atomically.ts"
import {
  answeredInside,
  appendChange,
  intervalOf,
  peopleInside,
  publishableAt,
  publishDueOf,
  publishEvents,
  publishPending
} from "./feed.ts"
import {
  type OrganizationRecord,
  type PremisesStays,
  requireLevelIn,
  requirePremises,
  requireViewer,
  type State,
  type StoredPremises
} from "../state/State.ts"

const readingOf = (premises: Premises, { organization, stays }: StoredPremises): CapacityReading => {
  const { capacity, level } = stays.totals
  const inside = answeredInside(organization, stays)
  const organizationId = organization.data.id
  return { organizationId, premises, inside, capacity, level: nextLevel(capacity, level, inside) }
}

/** Sets a capacity, and answers the events that it leads to now. */
export const capacityEvents = (
  state: State,
  organization: OrganizationRecord,
  stays: PremisesStays,
  capacity: Capacity | undefined,
  now: Timestamp
): ReadonlyArray<PresenceEventData> => {
  if (intervalOf(organization) !== undefined) {
    publishDueOf(state, organization, now)
    const { totals, isLevelPending } = setCapacityLater(stays.totals, capacity)
    stays.totals = totals
    if (isLevelPending) appendChange(state, stays, { at: now })
    return []
  }
  if (publishableAt(organization, stays, now) <= now) publishPending(state, organization, stays, now)
  const { totals, events } = setCapacity(stays.totals, capacity, insideOf(stays.totals) !== peopleInside(stays))
  stays.totals = totals
  return events
}

/** Capacities kept in memory. */
export const makeCapacityStore = (state: State): CapacityStore["Service"] => ({
  set: ({ premises, administratorId, capacity, now }) =>
    recording(state, function* () {
      const found = yield* requirePremises(state, premises)
      const { organization, stays } = found
      const act = capacityUpdated(organization.data.id, premises, stays.totals.capacity, capacity)
      yield* requireLevelIn(organization, administratorId, "manager")
      publishEvents(state, organization, now, capacityEvents(state, organization, stays, capacity, now))
      return recorded(readingOf(premises, found), act)
    }),

  get: ({ premises, reader }) =>
    atomically(function* () {
      const found = yield* requirePremises(state, premises)
      yield* requireViewer(found.organization, reader)
      return readingOf(premises, found)
    })
})
