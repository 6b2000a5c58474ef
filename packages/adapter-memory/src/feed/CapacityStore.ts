import {
  type CapacityReading,
  type CapacityStore,
  insideOf,
  nextLevel,
  type Premises,
  publishingIntervalOf,
  setCapacity,
  setCapacityLater
} from "@sojourn/core"
import { atomically } from "../state/atomically.ts"
import { answeredInside, record, tellableAt, tellDueOf, tellNews, tellRecorded } from "./feed.ts"
import { levelIn, requirePremises, type State, type StoredPremises } from "../state/State.ts"

const readingOf = (premises: Premises, { owner, stays }: StoredPremises): CapacityReading => {
  const { capacity, level } = stays.head
  const inside = answeredInside(owner, stays)
  const organizationId = owner.organization.id
  return { organizationId, premises, inside, capacity, level: nextLevel(capacity, level, inside) }
}

/** Capacities kept in memory. */
export const makeCapacityStore = (state: State): CapacityStore["Service"] => ({
  set: ({ premises, administratorId, capacity, now, decide }) =>
    atomically(function* () {
      const found = yield* requirePremises(state, premises)
      const { owner, stays } = found
      yield* decide(levelIn(owner, administratorId))
      if (publishingIntervalOf(owner.policy, owner.organization.trackingMode) !== undefined) {
        tellDueOf(state, owner, now)
        const { head, isLevelPending } = setCapacityLater(stays.head, capacity)
        stays.head = head
        if (isLevelPending) record(state, stays, { at: now })
        return readingOf(premises, found)
      }
      if (tellableAt(owner, stays, now) <= now) tellRecorded(state, owner, stays, now)
      const { head, news } = setCapacity(stays.head, capacity, insideOf(stays.head) !== stays.open.size)
      stays.head = head
      tellNews(state, owner, now, news)
      return readingOf(premises, found)
    }),

  get: ({ premises, administratorId, decide }) =>
    atomically(function* () {
      const found = yield* requirePremises(state, premises)
      yield* decide(levelIn(found.owner, administratorId))
      return readingOf(premises, found)
    })
})
