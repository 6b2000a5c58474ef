import {
  type AdministratorId,
  OrganizationNotFound,
  type Place,
  type PlaceFacts,
  type PlaceId,
  PlaceNotFound,
  type PlaceStore
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { atomically } from "./atomically.ts"
import { emptyStays, levelIn, type OrganizationRecord, type State } from "./State.ts"

const factsFor = (owner: OrganizationRecord, administratorId: AdministratorId, changed?: PlaceId): PlaceFacts => ({
  organizationArea: owner.organization.trackingArea,
  others: [...owner.places.values()].flatMap(({ place }) => (place.id === changed ? [] : [place])),
  level: levelIn(owner, administratorId)
})

const find = (state: State, placeId: PlaceId) => {
  const owner = state.organizationByPlace.get(placeId)
  const record = owner?.places.get(placeId)
  return owner === undefined || record === undefined ? undefined : { owner, record }
}

export const makePlaceStore = (state: State): PlaceStore["Service"] => ({
  create: ({ organizationId, administratorId, decide }) =>
    atomically(function* () {
      const owner = state.organizations.get(organizationId)
      if (owner === undefined) return yield* Result.fail(new OrganizationNotFound({ organizationId }))
      const decided = yield* decide(factsFor(owner, administratorId))
      const place: Place = { ...decided, id: ++state.lastId.place as PlaceId }
      owner.places.set(place.id, { place, stays: emptyStays() })
      state.organizationByPlace.set(place.id, owner)
      return place
    }),

  update: ({ placeId, administratorId, decide }) =>
    atomically(function* () {
      const found = find(state, placeId)
      if (found === undefined) return yield* Result.fail(new PlaceNotFound({ placeId }))
      const place = yield* decide(found.record.place, factsFor(found.owner, administratorId, placeId))
      found.record.place = place
      return place
    }),

  remove: ({ placeId, administratorId, decide }) =>
    atomically(function* () {
      const found = find(state, placeId)
      if (found === undefined) return yield* Result.fail(new PlaceNotFound({ placeId }))
      yield* decide(levelIn(found.owner, administratorId))
      found.owner.places.delete(placeId)
      state.organizationByPlace.delete(placeId)
    }),

  list: (organizationId) =>
    Effect.sync(() => [...(state.organizations.get(organizationId)?.places.values() ?? [])].map(({ place }) => place))
})
