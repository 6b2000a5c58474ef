/** The port `ImportStore` in PostgreSQL. */
import {
  type CapacityLevel,
  imported,
  type ImportStore,
  newTotals,
  OrganizationNotFound,
  type Place,
  placeChanged,
  type PlaceId,
  type PlacesCreation,
  type PlannedPlace,
  type PresenceEventData,
  recorded,
  setCapacity,
  setCapacityLater,
  warningFrom
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { currentFacts } from "../database/locks.ts"
import type { Storing } from "../database/Storing.ts"
import { APPEND_LEVEL } from "../feed/capacity.sql.ts"
import { lockToPublish, publishEvents } from "../feed/publishEvents.ts"
import { measuredValues, readAllPlaceFacts } from "../organizations/placeFacts.ts"
import { addAccesses, settleHistory } from "./addAccesses.ts"
import * as sql from "./imports.sql.ts"

/** How many places a statement adds, whose areas may be long. */
const BATCH_PLACES = 100

/** A place that is added, with the level of its capacity. */
interface AddedPlace {
  readonly place: Place
  readonly planned: PlannedPlace
  readonly ancestors: ReadonlyArray<PlaceId>
  readonly level: CapacityLevel
}

export const makeImportStore = (db: Database, storing: Storing): ImportStore["Service"] => {
  const readFacts = ({ organizationId, administratorId }: PlacesCreation) =>
    Effect.filterOrFail(
      readAllPlaceFacts(db, organizationId, administratorId),
      (facts) => facts !== undefined,
      () => new OrganizationNotFound({ organizationId })
    )

  const addPlaces = Effect.fnUntraced(function* (batch: ReadonlyArray<AddedPlace>) {
    const { organizationId } = batch[0]!.place
    const measured = new Map(batch.map((one) => [one, measuredValues(one.place.trackingArea)]))
    const measure = (column: number) => (one: AddedPlace) => measured.get(one)![column]!
    const ids = arrays.bigints(batch, ({ place }) => place.id)
    yield* db.run(sql.ADD_PLACES, [
      organizationId,
      ids,
      arrays.texts(batch, ({ place }) => place.name),
      arrays.texts(batch, ({ place }) => place.trackingArea.text),
      arrays.smallints(batch, ({ place }) => place.level),
      arrays.smallints(batch, ({ planned }) => planned.position.floor),
      arrays.texts(batch, ({ ancestors }) => `{${ancestors}}`),
      ...[0, 1, 2, 3].map((column) => arrays.doubles(batch, measure(column))),
      arrays.integers(batch, measure(4))
    ])
    const capacityOf = ({ planned }: AddedPlace) => planned.capacity
    yield* db.run(sql.ADD_TOTALS, [
      organizationId,
      ids,
      PgTypes.timestamptz(yield* Clock.currentTimeMillis),
      arrays.bigints(batch, (one) => (capacityOf(one) === undefined ? undefined : BigInt(capacityOf(one)!.capacity))),
      arrays.doubles(batch, (one) => capacityOf(one)?.warnAt),
      arrays.bigints(batch, (one) =>
        capacityOf(one) === undefined ? undefined : BigInt(warningFrom(capacityOf(one)!))
      ),
      arrays.texts(batch, ({ level }) => level)
    ])
  })

  return {
    previewPlaces: (creation) => storing("read what new places are decided on", readFacts(creation)),

    createPlaces: ({ preview, decide, ...creation }) =>
      storing.long.by(creation.organizationId).transaction("create places", function* () {
        const { organizationId } = creation
        const organization = yield* lockToPublish<{}>(db, organizationId)
        const facts = yield* currentFacts(preview, organization, readFacts(creation))
        const plan = yield* Effect.fromResult(decide(facts))
        const issued = yield* db.run<{ readonly id: PlaceId }>(sql.ISSUE_PLACES, [plan.places.length])
        const byPlanned = new Map(plan.places.map(({ id }, n) => [id, issued[n]!.id]))
        const idOf = (id: PlaceId): PlaceId => byPlanned.get(id) ?? id
        const hasInterval = organization!.has_publishing_interval
        const created: Array<PresenceEventData> = []
        const levels: Array<PresenceEventData> = []
        const waiting: Array<PlaceId> = []
        const added = plan.places.map((planned): AddedPlace => {
          const { place: draft, position, capacity } = planned
          const id = idOf(planned.id)
          const place = { ...draft, id, parentId: draft.parentId === undefined ? undefined : idOf(draft.parentId) }
          created.push(placeChanged("created", place))
          const { totals, events } = hasInterval
            ? { ...setCapacityLater(newTotals(id), capacity), events: [] }
            : setCapacity(newTotals(id), capacity, false)
          levels.push(...events)
          if (hasInterval && capacity !== undefined) waiting.push(id)
          return { place, planned, ancestors: position.ancestors.map(idOf), level: totals.level }
        })
        for (let from = 0; from < added.length; from += BATCH_PLACES) {
          yield* addPlaces(added.slice(from, from + BATCH_PLACES))
        }
        const now = PgTypes.timestamptz(yield* Clock.currentTimeMillis)
        for (const placeId of waiting) yield* db.run(APPEND_LEVEL, [organizationId, placeId, now])
        yield* publishEvents(db, organizationId, [...created, ...levels])
        const value = { plan, ids: added.map(({ place }) => place.id) }
        return recorded(value, imported(organizationId, "places", value.ids.length))
      }),

    addAccesses: (request) =>
      Effect.andThen(
        storing.long.unaudited(request.organizationId)("settle histories", settleHistory(db, request)),
        storing.long.by(request.organizationId).transaction("import accesses", function* () {
          const answer = yield* addAccesses(db, request)
          return recorded(answer, imported(request.organizationId, "accesses", answer.imported))
        })
      )
  }
}
