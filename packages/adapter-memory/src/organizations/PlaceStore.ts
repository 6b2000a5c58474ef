/** Places kept in memory, with the facts that each change is decided on. */
import {
  type AdministratorId,
  changedField,
  hasPlaceChanged,
  nearPlaces,
  placeChanged,
  placeCreated,
  placeRemoved,
  placeUpdated,
  recorded,
  OrganizationPremises,
  type Place,
  type PlaceCreation,
  type PlaceFacts,
  type PlaceId,
  PlaceNotFound,
  type PlacePosition,
  type PlaceRecord,
  type PlaceStore,
  type PlaceUpdate,
  type PlaceUpdateFacts,
  type Timestamp
} from "@sojourn/core"
import { Iterable, Result } from "effect"
import { atomically, recording } from "../state/atomically.ts"
import { appendChange, peopleInside, publishDueOf, publishEvents, publishPending } from "../feed/feed.ts"
import { leavePlace } from "../devices/DeviceStore.ts"
import { keepCountsOf, keepPeopleOf } from "../musters/musters.ts"
import {
  emptyStays,
  findOrganization,
  forgetImport,
  levelIn,
  measured,
  type OrganizationRecord,
  pageOf,
  placeRecordOf,
  type PlaceRecord as StoredPlace,
  type PremisesStays,
  previewOf,
  requirePremises,
  requireViewer,
  type State
} from "../state/State.ts"

/** What changes of places are decided on, of which `near` takes those near. */
export const factsFor = (
  organization: OrganizationRecord,
  administratorId: AdministratorId,
  self: PlaceId | undefined,
  near: (records: ReadonlyArray<PlaceRecord>) => ReadonlyArray<PlaceRecord>
): PlaceFacts => {
  const places = [...organization.places.values()].filter(({ place }) => place.id !== self)
  return {
    organizationArea: organization.data.trackingArea,
    level: levelIn(organization, administratorId),
    near: near(places.map(placeRecordOf)),
    others: { places: places.length, points: places.reduce((sum, { area }) => sum + area.points, 0) }
  }
}

const factsOfCreation = (organization: OrganizationRecord, { administratorId, ...change }: PlaceCreation) =>
  factsFor(organization, administratorId, undefined, (records) => nearPlaces(records, change))

const factsOfUpdate = (
  organization: OrganizationRecord,
  record: StoredPlace,
  { administratorId, bounds, level, parentId }: PlaceUpdate
): PlaceUpdateFacts => {
  const self = placeRecordOf(record)
  const { place } = record
  const isPositioned = level !== undefined || parentId !== undefined
  const change = {
    bounds: bounds ?? self.bounds,
    level: changedField(place.level, level),
    parentId: changedField(place.parentId, parentId)
  }
  const facts = factsFor(organization, administratorId, place.id, (records) =>
    isPositioned || bounds !== undefined ? nearPlaces(records, change, self, isPositioned) : []
  )
  return { ...facts, place, self }
}

const requirePlace = (state: State, placeId: PlaceId) => {
  const organization = state.organizationByPlace.get(placeId)
  const record = organization?.places.get(placeId)
  return organization === undefined || record === undefined
    ? Result.fail(new PlaceNotFound({ placeId }))
    : Result.succeed({ organization, record })
}

/** Keeps a new place, and returns its stays. */
export const keepPlace = (
  state: State,
  organization: OrganizationRecord,
  place: Place,
  position: PlacePosition,
  now: Timestamp
): PremisesStays => {
  const stays = emptyStays(place.organizationId, now, place.id)
  organization.places.set(place.id, { place, area: measured(place.trackingArea), position, stays })
  state.organizationByPlace.set(place.id, organization)
  return stays
}

export const makePlaceStore = (state: State): PlaceStore["Service"] => ({
  previewCreation: (creation) =>
    atomically(function* () {
      return previewOf(factsOfCreation(yield* findOrganization(state, creation.organizationId), creation))
    }),

  create: ({ decide, ...creation }) =>
    recording(state, function* (now) {
      const { organizationId } = creation
      const organization = yield* findOrganization(state, organizationId)
      const { place: decided, position } = yield* decide(factsOfCreation(organization, creation))
      const place: Place = { ...decided, id: ++state.lastId.place as PlaceId }
      keepPlace(state, organization, place, position, now)
      publishEvents(state, organization, now, [placeChanged("created", place)])
      return recorded(place, placeCreated(place))
    }),

  previewUpdate: (update) =>
    atomically(function* () {
      const { organization, record } = yield* requirePlace(state, update.placeId)
      return previewOf(factsOfUpdate(organization, record, update))
    }),

  update: (update) =>
    recording(state, function* (now) {
      const { organization, record: stored } = yield* requirePlace(state, update.placeId)
      const before = stored.place
      const { place, positions } = yield* update.decide(factsOfUpdate(organization, stored, update))
      if (place.trackingArea.text !== before.trackingArea.text) stored.area = measured(place.trackingArea)
      stored.place = place
      for (const { id, level, floor, ancestors } of positions) {
        organization.places.get(id)!.position = { level, floor, ancestors }
      }
      if (hasPlaceChanged(before, place)) publishEvents(state, organization, now, [placeChanged("updated", place)])
      return recorded(place, placeUpdated(before, place))
    }),

  remove: ({ placeId, administratorId, decide }) =>
    recording(state, function* (now) {
      const { organization, record: place } = yield* requirePlace(state, placeId)
      const { stays } = place
      yield* decide({
        level: levelIn(organization, administratorId),
        hasParts: [...organization.places.values()].some(({ position }) => position.ancestors.at(-1) === placeId)
      })
      keepPeopleOf(organization, stays, now)
      if (peopleInside(stays) > 0) appendChange(state, stays, { left: peopleInside(stays), at: now })
      publishDueOf(state, organization, now)
      publishPending(state, organization, stays, now)
      keepCountsOf(organization, placeId)
      publishEvents(state, organization, now, [{ _tag: "PlaceChanged", placeId, changed: "deleted" }])
      for (const id of stays.imported.keys()) forgetImport(organization.importKeys, stays, id)
      organization.places.delete(placeId)
      leavePlace(organization, placeId)
      state.organizationByPlace.delete(placeId)
      return recorded(undefined, placeRemoved({ organizationId: organization.data.id, id: placeId }))
    }),

  list: (organizationId, after, reader, floor) =>
    atomically(function* () {
      if (reader !== undefined) {
        const { organization } = yield* requirePremises(state, OrganizationPremises(organizationId))
        yield* requireViewer(organization, reader)
      }
      const places = state.organizations.get(organizationId)?.places.values() ?? []
      return pageOf(
        Iterable.filterMap(places, ({ place, position }) =>
          floor === undefined || position.floor === floor
            ? Result.succeed([place.id, place, place.trackingArea] as const)
            : Result.failVoid
        ),
        after
      )
    })
})
