import {
  type AdministratorId,
  type Bounds,
  boundsMeet,
  type Place,
  type PlaceFacts,
  type PlaceId,
  PlaceNotFound,
  type PlaceStore
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { atomically } from "./atomically.ts"
import {
  areaRecords,
  emptyStays,
  findOrganization,
  levelIn,
  measured,
  type OrganizationRecord,
  pageOf,
  type State
} from "./State.ts"

const NO_AREAS = { near: [], others: { places: 0, points: 0 } }

/** The areas that a change within some bounds must respect; none for a change that moves nothing. */
const areasFor = (owner: OrganizationRecord, bounds: Bounds | undefined, changed?: PlaceId) => {
  if (bounds === undefined) return NO_AREAS
  const others = [...owner.places].filter(([id]) => id !== changed)
  return {
    near: areaRecords(owner).filter((other) => other.id !== changed && boundsMeet(other.bounds!, bounds)),
    others: { places: others.length, points: others.reduce((sum, [, { area }]) => sum + area.points, 0) }
  }
}

const factsFor = (
  owner: OrganizationRecord,
  administratorId: AdministratorId,
  bounds: Bounds | undefined,
  changed?: PlaceId
): PlaceFacts => ({
  organizationArea: owner.organization.trackingArea,
  level: levelIn(owner, administratorId),
  ...areasFor(owner, bounds, changed)
})

const find = (state: State, placeId: PlaceId) => {
  const owner = state.organizationByPlace.get(placeId)
  const record = owner?.places.get(placeId)
  return owner === undefined || record === undefined ? undefined : { owner, record }
}

export const makePlaceStore = (state: State): PlaceStore["Service"] => ({
  create: ({ organizationId, administratorId, bounds, decide }) =>
    atomically(function* () {
      const owner = yield* findOrganization(state, organizationId)
      const decided = yield* decide(factsFor(owner, administratorId, bounds))
      const place: Place = { ...decided, id: ++state.lastId.place as PlaceId }
      owner.places.set(place.id, { place, area: measured(state, place.trackingArea), stays: emptyStays() })
      state.organizationByPlace.set(place.id, owner)
      return place
    }),

  update: ({ placeId, administratorId, bounds, decide }) =>
    atomically(function* () {
      const found = find(state, placeId)
      if (found === undefined) return yield* Result.fail(new PlaceNotFound({ placeId }))
      const { owner, record } = found
      const before = record.place
      const place = yield* decide(before, factsFor(owner, administratorId, bounds, placeId))
      if (place.trackingArea.text !== before.trackingArea.text) record.area = measured(state, place.trackingArea)
      record.place = place
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

  areas: (organizationId, placeIds) =>
    Effect.sync(() => {
      const places = state.organizations.get(organizationId)?.places
      return [...placeIds].sort(Order.BigInt).flatMap((id) => {
        const record = places?.get(id)
        return record === undefined
          ? []
          : [{ id, version: record.area.version, trackingArea: record.place.trackingArea }]
      })
    }),

  list: (organizationId, after) =>
    Effect.sync(() => {
      const places = state.organizations.get(organizationId)?.places ?? []
      return pageOf(
        Iterable.map(places, ([id, { place }]) => [id, place, place.trackingArea] as const),
        after
      )
    })
})
