import {
  type CapacityReading,
  type CapacityStore,
  grainOf,
  insideOf,
  nextLevel,
  type Premises,
  setCapacity,
  tellableFrom
} from "@sojourn/core"
import { atomically } from "./atomically.ts"
import { tellNews, tellRecorded } from "./feed.ts"
import { levelIn, requirePremises, type State, type StoredPremises } from "./State.ts"

const readingOf = (premises: Premises, { owner, stays: { head, open } }: StoredPremises): CapacityReading => ({
  organizationId: owner.organization.id,
  premises,
  inside: open.size,
  capacity: head.capacity,
  level: nextLevel(head.capacity, head.level, open.size)
})

/** Capacities kept in memory. */
export const makeCapacityStore = (state: State): CapacityStore["Service"] => ({
  set: ({ premises, administratorId, capacity, now, decide }) =>
    atomically(function* () {
      const found = yield* requirePremises(state, premises)
      const { owner, stays } = found
      yield* decide(levelIn(owner, administratorId))
      const grain = grainOf(owner.policy, owner.organization.trackingMode)
      if (tellableFrom(stays.head, grain, now) <= now) tellRecorded(state, owner, stays, now)
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
