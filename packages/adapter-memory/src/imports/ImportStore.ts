/** Imports of places and accesses into memory. */
import {
  type AccessDraft,
  accessAdmission,
  bucketsOfStays,
  type ClosedStay,
  BUCKET_STEPS,
  imported,
  type ImportedStay,
  type ImportStore,
  insideOf,
  OrganizationPremises,
  overlay,
  type Place,
  placeChanged,
  type PlaceId,
  placeName,
  PlacePremises,
  type PresenceEventData,
  recorded,
  type RefusedRow,
  type StayId,
  Timestamp
} from "@sojourn/core"
import { Result } from "effect"
import { capacityEvents } from "../feed/CapacityStore.ts"
import { intervalOf, publishDueOf, publishEvents, publishPending } from "../feed/feed.ts"
import { rollUp } from "../history/HistoryStore.ts"
import { factsFor, keepPlace } from "../organizations/PlaceStore.ts"
import { atomically, recording } from "../state/atomically.ts"
import {
  everyStays,
  findOrganization,
  type OrganizationRecord,
  type PremisesStays,
  previewOf,
  type State
} from "../state/State.ts"

/** Runs a computation without its pauses. */
const whole = <A>(steps: Generator<void, A>): A => {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** Adds a stay to the closed ones of its premises. */
const keepStay = (
  state: State,
  organization: OrganizationRecord,
  stays: PremisesStays,
  { orgAuthServerId, placeId, entrance, exit, key }: ImportedStay
): void => {
  const { id: organizationId } = organization.data
  const id = ++state.lastId.stay as StayId
  const premises = placeId === undefined ? OrganizationPremises(organizationId) : PlacePremises(placeId)
  const stay: ClosedStay = { _tag: "ClosedStay", id, organizationId, premises, orgAuthServerId, entrance, exit }
  stays.closed.set(id, stay)
  stays.imported.set(id, key)
  if (key !== undefined) organization.importKeys.add(key)
  if (orgAuthServerId === undefined) return
  const history = stays.closedByPerson.get(orgAuthServerId)
  if (history === undefined) stays.closedByPerson.set(orgAuthServerId, [stay])
  else history.push(stay)
}

/** Adds stays of some premises to their history, which has all events until now. */
const addToHistory = (stays: PremisesStays, added: ReadonlyArray<ImportedStay>, now: Timestamp): void => {
  const first = added.reduce((earliest, { entrance }) => Math.min(earliest, entrance), Infinity)
  if (first < stays.beganAt) stays.beganAt = Timestamp(first)
  const changed = overlay({
    stored: stays.buckets,
    storedInside: stays.buckets.day[0]?.before ?? insideOf(stays.totals),
    added: whole(bucketsOfStays(added, now)),
    addedInside: 0
  })
  for (const step of BUCKET_STEPS) {
    const byStart = new Map([...stays.buckets[step], ...changed[step]].map((bucket) => [bucket.from, bucket]))
    const all = [...byStart.values()].sort((one, other) => one.from - other.from)
    stays.buckets[step].splice(0, Infinity, ...all)
  }
}

/** Admits the rows of an import. */
const admitRows = (organization: OrganizationRecord, rows: ReadonlyArray<AccessDraft>, now: Timestamp) => {
  const admit = accessAdmission(
    {
      organizationId: organization.data.id,
      mode: organization.data.trackingMode,
      places: Array.from(organization.places.values(), ({ place }) => ({ id: place.id, name: placeName(place) }))
    },
    now
  )
  const refused: Array<RefusedRow> = []
  const fresh: Array<ImportedStay> = []
  const keys = new Set(organization.importKeys)
  for (const row of rows) {
    const admitted = admit(row)
    if (Result.isFailure(admitted)) {
      refused.push({ line: row.line, reason: admitted.failure })
      continue
    }
    const { key } = admitted.success
    if (key !== undefined && keys.has(key)) continue
    if (key !== undefined) keys.add(key)
    fresh.push(admitted.success)
  }
  return { fresh, refused }
}

export const makeImportStore = (state: State): ImportStore["Service"] => ({
  previewPlaces: ({ organizationId, administratorId }) =>
    atomically(function* () {
      const organization = yield* findOrganization(state, organizationId)
      return previewOf(factsFor(organization, administratorId, undefined, (records) => records))
    }),

  createPlaces: ({ organizationId, administratorId, decide }) =>
    recording(state, function* (now) {
      const organization = yield* findOrganization(state, organizationId)
      const plan = yield* decide(factsFor(organization, administratorId, undefined, (records) => records))
      const issued = new Map<PlaceId, PlaceId>()
      const idOf = (id: PlaceId): PlaceId => issued.get(id) ?? id
      const places = plan.places.map(({ id: planned, place, position, capacity }) => {
        const id = ++state.lastId.place as PlaceId
        issued.set(planned, id)
        const { parentId } = place
        const created: Place = { ...place, id, parentId: parentId === undefined ? undefined : idOf(parentId) }
        const stays = keepPlace(
          state,
          organization,
          created,
          { ...position, ancestors: position.ancestors.map(idOf) },
          now
        )
        return { created, stays, capacity }
      })
      const events: Array<PresenceEventData> = places.map(({ created }) => placeChanged("created", created))
      for (const { stays, capacity } of places) {
        if (capacity !== undefined) events.push(...capacityEvents(state, organization, stays, capacity, now))
      }
      publishEvents(state, organization, now, events)
      const value = { plan, ids: places.map(({ created }) => created.id) }
      return recorded(value, imported(organizationId, "places", places.length))
    }),

  addAccesses: ({ organizationId, rows, now }) =>
    recording(state, function* () {
      const organization = yield* findOrganization(state, organizationId)
      const { fresh, refused } = admitRows(organization, rows, now)
      const answer = { imported: fresh.length, skipped: rows.length - fresh.length - refused.length, refused }
      if (fresh.length === 0) return recorded(answer, undefined)
      // What is recorded is in the buckets before they change: an event of a time before would be of a number without those who are added.
      publishDueOf(state, organization, now)
      if (intervalOf(organization) === undefined) {
        for (const stays of everyStays(organization)) publishPending(state, organization, stays, now)
      }
      rollUp(organization, Infinity)
      for (const [placeId, added] of Map.groupBy(fresh, (stay) => stay.placeId)) {
        const stays = placeId === undefined ? organization.stays : organization.places.get(placeId)!.stays
        for (const stay of added) keepStay(state, organization, stays, stay)
        addToHistory(stays, added, now)
      }
      organization.history.importedAt = now
      publishEvents(state, organization, now, [{ _tag: "OrganizationChanged", changed: "updated" }])
      return recorded(answer, imported(organizationId, "accesses", fresh.length))
    })
})
