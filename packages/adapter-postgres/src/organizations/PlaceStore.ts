/** The port `PlaceStore` in PostgreSQL. A change of areas locks the organization until its transaction ends. */
import {
  type AdministratorId,
  changedField,
  hasPlaceChanged,
  keptTrackingArea,
  type OrganizationId,
  type Place,
  placeChanged,
  type PlaceChanges,
  type PlaceCreation,
  type PlaceFacts,
  type PlaceId,
  PlaceNotFound,
  PlacePremises,
  type PlaceStore,
  type PlaceUpdate,
  Timestamp
} from "@sojourn/core"
import { Clock, Effect, Option } from "effect"
import { arrays } from "../database/columns.ts"
import { levelIn } from "../database/levels.ts"
import type { Operation } from "../database/BulkStatement.ts"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { LEAVE_PLACE } from "../devices/devices.sql.ts"
import { createTotals, endPlace, publishEvents } from "../feed/publishEvents.ts"
import { endStays } from "../stays/endings.ts"
import {
  areaTotals,
  MEASURED_COLUMNS,
  measuredParameters,
  measuredValues,
  nearRecords,
  placeAreas,
  recordOf,
  type RecordRow
} from "../areas/areas.ts"
import { lockOrganization, readOrganization, requireOrganization } from "../database/locks.ts"
import type { OrganizationRow } from "./organizations.ts"
import { placeOf, type placePages, type PlaceRow } from "./places.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"

const CREATE = `
insert into place (organization_id, name, tracking_area, level, floor, ancestors, ${MEASURED_COLUMNS})
values ($1::bigint, $2::text, $3::text, $4::smallint, $5::smallint, $6::bigint[], ${measuredParameters(7)}) returning id`

const GET = `
select organization_id, id, name, tracking_area, level, floor, ancestors, xmin::text as version, west, east, south, north
from place where organization_id = $1::bigint and id = $2::bigint`

const CHANGE = `
update place set (name, level) = row ($3::text, $4::smallint) where organization_id = $1::bigint and id = $2::bigint`

const MOVE = `
update place set (tracking_area, ${MEASURED_COLUMNS}) = row ($3::text, ${measuredParameters(4)})
where organization_id = $1::bigint and id = $2::bigint`

/**
 * Sets the positions of the places $2 of the organizations $1: $3 their floors, $4 their ancestors. With one organization for all, or without
 * the array of one element, the plan may be to compare every place of the organization with each of them.
 */
export const SET_POSITIONS = `
update place p set floor = m.floor, ancestors = m.ancestors::bigint[]
from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[]) as m (organization_id, id, floor, ancestors)
where p.organization_id = any(array[m.organization_id]) and p.id = m.id`

const HAS_PARTS = `
select exists (
  select from place where organization_id = $1::bigint and ancestors[cardinality(ancestors)] = $2::bigint
) as has_parts`

const REMOVE = "delete from place where organization_id = $1::bigint and id = $2::bigint"

/** The facts for a change that keeps the area. */
const NO_TOTALS = { places: 0, points: 0 }

export const makePlaceStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  readPage: Operation<ReturnType<typeof placePages>>
): PlaceStore["Service"] => {
  const organizationOf = (placeId: PlaceId) =>
    Effect.mapError(storing("find a place", directory.require(PlacePremises(placeId))), (error) =>
      error._tag === "PremisesNotFound" ? new PlaceNotFound({ placeId }) : error
    ).pipe(Effect.map(({ organizationId }) => organizationId))

  /** Reads a place, and locks its organization until the transaction ends, or only reads it. */
  const findPlace = Effect.fnUntraced(function* (placeId: PlaceId, read: typeof lockOrganization = lockOrganization) {
    const located = yield* directory.locate(PlacePremises(placeId))
    if (Option.isNone(located)) return yield* new PlaceNotFound({ placeId })
    const organization = yield* read<OrganizationRow>(db, located.value.organizationId)
    const [row] = yield* db.run<PlaceRow & RecordRow>(GET, [located.value.organizationId, placeId])
    if (organization === undefined || row === undefined) return yield* new PlaceNotFound({ placeId })
    return { place: placeOf(row), self: recordOf(row), organization }
  })

  const factsOf = Effect.fnUntraced(function* (
    organization: { readonly id: OrganizationId; readonly tracking_area: string },
    administratorId: AdministratorId,
    { self, near, hasNewArea }: Pick<PlaceFacts, "self" | "near"> & { readonly hasNewArea: boolean }
  ) {
    return {
      organizationArea: keptTrackingArea(organization.tracking_area),
      level: yield* levelIn(db, organization.id, administratorId),
      self,
      near,
      others: hasNewArea ? yield* areaTotals(db, organization.id, self?.id) : NO_TOTALS
    } satisfies PlaceFacts
  })

  const factsOfCreation = Effect.fnUntraced(function* (
    organization: OrganizationRow,
    { administratorId, ...change }: PlaceCreation
  ) {
    const near = yield* nearRecords(db, organization.id, change)
    return yield* factsOf(organization, administratorId, { self: undefined, near, hasNewArea: true })
  })

  /** A place, and the facts that a change of it is decided on. */
  const findFacts = Effect.fnUntraced(function* (
    { placeId, administratorId, bounds, level, parentId }: PlaceUpdate,
    read?: typeof lockOrganization
  ) {
    const { place, self, organization } = yield* findPlace(placeId, read)
    const isPositioned = level !== undefined || parentId !== undefined
    const change = {
      bounds: bounds ?? self.bounds,
      level: changedField(place.level, level),
      parentId: changedField(place.parentId, parentId)
    }
    const near =
      bounds === undefined && !isPositioned
        ? []
        : yield* nearRecords(db, organization.id, change, {
            id: placeId,
            ancestors: isPositioned ? self.ancestors : undefined
          })
    const hasNewArea = bounds !== undefined
    return [place, yield* factsOf(organization, administratorId, { self, near, hasNewArea })] as const
  })

  const setPositions = (organizationId: OrganizationId, positions: PlaceChanges["positions"]) =>
    positions.length === 0
      ? Effect.void
      : db.run(SET_POSITIONS, [
          arrays.bigints(positions, () => organizationId),
          arrays.bigints(positions, ({ id }) => id),
          arrays.smallints(positions, ({ floor }) => floor),
          arrays.texts(positions, ({ ancestors }) => `{${ancestors}}`)
        ])

  return {
    factsOfCreation: (creation) =>
      storing(
        "read what a new place is decided on",
        Effect.flatMap(
          requireOrganization<OrganizationRow>(db, creation.organizationId, readOrganization),
          (organization) => factsOfCreation(organization, creation)
        )
      ),

    create: ({ decide, ...creation }) =>
      storing.by(creation.organizationId).transaction("create a place", function* () {
        const { organizationId } = creation
        const organization = yield* requireOrganization<OrganizationRow>(db, organizationId)
        const { place: decided, position } = yield* Effect.fromResult(
          decide(yield* factsOfCreation(organization, creation))
        )
        const [row] = yield* db.run<{ readonly id: PlaceId }>(CREATE, [
          organizationId,
          decided.name ?? null,
          decided.trackingArea.text,
          decided.level ?? null,
          position.floor,
          position.ancestors,
          ...measuredValues(decided.trackingArea)
        ])
        const place: Place = { ...decided, id: row!.id }
        yield* createTotals(db, organizationId, place.id, Timestamp(yield* Clock.currentTimeMillis))
        yield* publishEvents(db, organizationId, [placeChanged("created", place)])
        return place
      }),

    factsOfUpdate: (update) =>
      storing("read what a change of a place is decided on", findFacts(update, readOrganization)),

    update: ({ decide, ...update }) =>
      Effect.flatMap(organizationOf(update.placeId), (organizationOfPlace) =>
        storing.by(organizationOfPlace).transaction("change a place", function* () {
          const [place, facts] = yield* findFacts(update)
          const { place: changed, positions } = yield* Effect.fromResult(decide(place, facts))
          const { organizationId, id, trackingArea } = changed
          if (!hasPlaceChanged(place, changed)) return changed
          // Another version of a row stands for another area: a row changes only with what is stored in it.
          if (changed.name !== place.name || changed.level !== place.level) {
            yield* db.run(CHANGE, [organizationId, id, changed.name ?? null, changed.level ?? null])
          }
          if (trackingArea.text !== place.trackingArea.text) {
            yield* db.run(MOVE, [organizationId, id, trackingArea.text, ...measuredValues(trackingArea)])
          }
          yield* setPositions(organizationId, positions)
          yield* publishEvents(db, organizationId, [placeChanged("updated", changed)])
          return changed
        })
      ),

    remove: ({ placeId, administratorId, decide }) =>
      Effect.flatMap(organizationOf(placeId), (organizationId) =>
        storing.long.by(organizationId).transaction("remove a place", function* () {
          const { place } = yield* findPlace(placeId)
          const [parts] = yield* db.run<{ readonly has_parts: boolean }>(HAS_PARTS, [place.organizationId, placeId])
          const level = yield* levelIn(db, place.organizationId, administratorId)
          yield* Effect.fromResult(decide({ level, hasParts: parts!.has_parts }))
          yield* endStays(db, place.organizationId, [placeId])
          yield* db.run(REMOVE, [place.organizationId, placeId])
          yield* endPlace(db, place.organizationId, placeId)
          for (const statement of LEAVE_PLACE) yield* db.run(statement, [place.organizationId, placeId])
        })
      ),

    areas: (organizationId, placeIds) => storing("read areas of places", placeAreas(db, organizationId, placeIds)),

    list: (organizationId, after, reader, floor) => readPage({ organizationId, after, reader, floor })
  }
}
