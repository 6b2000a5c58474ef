import {
  type Capacity,
  type CapacityReading,
  type CapacityStore,
  insideOf,
  levelOf,
  nextLevel,
  type Premises
} from "@sojourn/core"
import { atomically } from "./atomically.ts"
import { tellNews, tellRecorded } from "./feed.ts"
import { levelIn, requirePremises, type State, type StoredPremises } from "./State.ts"

const isSame = (one: Capacity | undefined, other: Capacity | undefined): boolean =>
  one?.capacity === other?.capacity && one?.warnAt === other?.warnAt

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
      tellRecorded(state, owner, stays, now)
      const { head } = stays
      const inside = insideOf(head)
      const level = isSame(capacity, head.capacity)
        ? nextLevel(capacity, head.level, inside)
        : levelOf(capacity, inside)
      stays.head = { ...head, capacity, level }
      const { placeId } = head
      const isOther = level !== head.level
      tellNews(
        state,
        owner,
        now,
        isOther ? [{ _tag: "CapacityChanged", placeId, level, inside, capacity: capacity?.capacity }] : []
      )
      return readingOf(premises, found)
    }),

  get: ({ premises, administratorId, decide }) =>
    atomically(function* () {
      const found = yield* requirePremises(state, premises)
      yield* decide(levelIn(found.owner, administratorId))
      return readingOf(premises, found)
    })
})
