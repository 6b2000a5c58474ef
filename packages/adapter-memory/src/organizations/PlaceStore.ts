/** Places kept in memory, with the facts that each change is decided on. */
import {
  type AdministratorId,
  type Bounds,
  boundsMeet,
  hasPlaceChanged,
  OrganizationPremises,
  type Place,
  type PlaceFacts,
  type PlaceId,
  PlaceNotFound,
  type PlaceStore,
  requireLevel
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { atomically, atomicallyNow } from "../state/atomically.ts"
import { appendChange, publishDueOf, publishEvents, publishPending } from "../feed/feed.ts"
import { keepPeopleOf } from "../musters/musters.ts"
import {
  areaRecords,
  emptyStays,
  findOrganization,
  levelIn,
  measured,
  type OrganizationRecord,
  pageOf,
  requirePremises,
  type State
} from "../state/State.ts"

const NO_AREAS = { near: [], others: { places: 0, points: 0 } }

/** The areas that a change within some bounds must respect; none for a change that moves nothing. */
const areasFor = (organization: OrganizationRecord, bounds: Bounds | undefined, changed?: PlaceId) => {
  if (bounds === undefined) return NO_AREAS
  const others = [...organization.places].filter(([id]) => id !== changed)
  return {
    near: areaRecords(organization).filter((other) => other.id !== changed && boundsMeet(other.bounds, bounds)),
    others: { places: others.length, points: others.reduce((sum, [, { area }]) => sum + area.points, 0) }
  }
}

const factsFor = (
  organization: OrganizationRecord,
  administratorId: AdministratorId,
  bounds: Bounds | undefined,
  changed?: PlaceId
): PlaceFacts => ({
  organizationArea: organization.data.trackingArea,
  level: levelIn(organization, administratorId),
  ...areasFor(organization, bounds, changed)
})

const requirePlace = (state: State, placeId: PlaceId) => {
  const organization = state.organizationByPlace.get(placeId)
  const record = organization?.places.get(placeId)
  return organization === undefined || record === undefined
    ? Result.fail(new PlaceNotFound({ placeId }))
    : Result.succeed({ organization, record })
}

export const makePlaceStore = (state: State): PlaceStore["Service"] => ({
  factsOfCreation: ({ organizationId, administratorId, bounds }) =>
    atomically(function* () {
      return factsFor(yield* findOrganization(state, organizationId), administratorId, bounds)
    }),

  create: ({ organizationId, administratorId, bounds, decide }) =>
    atomicallyNow(function* (now) {
      const organization = yield* findOrganization(state, organizationId)
      const decided = yield* decide(factsFor(organization, administratorId, bounds))
      const place: Place = { ...decided, id: ++state.lastId.place as PlaceId }
      const stays = emptyStays(organizationId, now, place.id)
      organization.places.set(place.id, { place, area: measured(state, place.trackingArea), stays })
      state.organizationByPlace.set(place.id, organization)
      publishEvents(state, organization, now, [{ _tag: "PlaceChanged", placeId: place.id, changed: "created" }])
      return place
    }),

  factsOfUpdate: ({ placeId, administratorId, bounds }) =>
    atomically(function* () {
      const { organization, record } = yield* requirePlace(state, placeId)
      return [record.place, factsFor(organization, administratorId, bounds, placeId)] as const
    }),

  update: ({ placeId, administratorId, bounds, decide }) =>
    atomicallyNow(function* (now) {
      const { organization, record: stored } = yield* requirePlace(state, placeId)
      const before = stored.place
      const place = yield* decide(before, factsFor(organization, administratorId, bounds, placeId))
      if (place.trackingArea.text !== before.trackingArea.text) stored.area = measured(state, place.trackingArea)
      stored.place = place
      if (hasPlaceChanged(before, place)) {
        publishEvents(state, organization, now, [{ _tag: "PlaceChanged", placeId, changed: "updated" }])
      }
      return place
    }),

  remove: ({ placeId, administratorId, decide }) =>
    atomicallyNow(function* (now) {
      const { organization, record: place } = yield* requirePlace(state, placeId)
      const { stays } = place
      yield* decide(levelIn(organization, administratorId))
      keepPeopleOf(organization, stays, now)
      if (stays.open.size > 0) appendChange(state, stays, { left: stays.open.size, at: now })
      publishDueOf(state, organization, now)
      publishPending(state, organization, stays, now)
      publishEvents(state, organization, now, [{ _tag: "PlaceChanged", placeId, changed: "deleted" }])
      organization.places.delete(placeId)
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

  list: (organizationId, after, reader) =>
    atomically(function* () {
      if (reader !== undefined) {
        const { organization } = yield* requirePremises(state, OrganizationPremises(organizationId))
        yield* requireLevel(levelIn(organization, reader), "viewer")
      }
      const places = state.organizations.get(organizationId)?.places ?? []
      return pageOf(
        Iterable.map(places, ([id, { place }]) => [id, place, place.trackingArea] as const),
        after
      )
    })
})
