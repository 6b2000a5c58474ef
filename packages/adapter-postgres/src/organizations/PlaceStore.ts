/** The port `PlaceStore` in PostgreSQL. A change of areas locks the organization until its transaction ends. */
import {
  type AdministratorId,
  type Bounds,
  hasPlaceChanged,
  keptTrackingArea,
  type OrganizationId,
  type Place,
  type PlaceFacts,
  type PlaceId,
  PlaceNotFound,
  PlacePremises,
  type PlaceStore,
  Timestamp
} from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { levelIn } from "../database/levels.ts"
import type { Operation } from "../database/BulkStatement.ts"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { createTotals, endPlace, publishEvents } from "../feed/publishEvents.ts"
import { endStays } from "../stays/endings.ts"
import { areasFor, MEASURED_COLUMNS, measuredParameters, measuredValues, placeAreas } from "../areas/areas.ts"
import { lockOrganization, readOrganization, requireOrganization } from "../database/locks.ts"
import type { OrganizationRow } from "./organizations.ts"
import { placeOf, type placePages, type PlaceRow } from "./places.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"

const CREATE = `
insert into place (organization_id, name, tracking_area, ${MEASURED_COLUMNS})
values ($1::bigint, $2::text, $3::text, ${measuredParameters(4)}) returning id`

const GET =
  "select organization_id, id, name, tracking_area from place where organization_id = $1::bigint and id = $2::bigint"

const MOVE = `
update place set (name, tracking_area, ${MEASURED_COLUMNS}) = row ($3::text, $4::text, ${measuredParameters(5)})
where organization_id = $1::bigint and id = $2::bigint`

const RENAME = "update place set name = $3::text where organization_id = $1::bigint and id = $2::bigint"

const REMOVE = "delete from place where organization_id = $1::bigint and id = $2::bigint"

/** The facts for a change that keeps the area. */
const NO_AREAS = { near: [], others: { places: 0, points: 0 } }

export const makePlaceStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  readPage: Operation<ReturnType<typeof placePages>>
): PlaceStore["Service"] => {
  /** Reads a place, and locks its organization until the transaction ends, or only reads it. */
  const findPlace = Effect.fnUntraced(function* (placeId: PlaceId, read: typeof lockOrganization = lockOrganization) {
    const located = yield* directory.locate(PlacePremises(placeId))
    if (Option.isNone(located)) return yield* new PlaceNotFound({ placeId })
    const organization = yield* read<OrganizationRow>(db, located.value.organizationId)
    const [row] = yield* db.run<PlaceRow>(GET, [located.value.organizationId, placeId])
    if (organization === undefined || row === undefined) return yield* new PlaceNotFound({ placeId })
    return { place: placeOf(row), organization }
  })

  const factsFor = Effect.fnUntraced(function* (
    organization: { readonly id: OrganizationId; readonly tracking_area: string },
    administratorId: AdministratorId,
    bounds: Bounds | undefined,
    changed?: PlaceId
  ) {
    return {
      organizationArea: keptTrackingArea(organization.tracking_area),
      level: yield* levelIn(db, organization.id, administratorId),
      ...(bounds === undefined ? NO_AREAS : yield* areasFor(db, organization.id, bounds, changed))
    } satisfies PlaceFacts
  })

  return {
    factsOfCreation: ({ organizationId, administratorId, bounds }) =>
      storing(
        "read what a new place is decided on",
        Effect.flatMap(requireOrganization<OrganizationRow>(db, organizationId, readOrganization), (organization) =>
          factsFor(organization, administratorId, bounds)
        )
      ),

    create: ({ organizationId, administratorId, bounds, decide }) =>
      storing.transaction("create a place", function* () {
        const organization = yield* requireOrganization<OrganizationRow>(db, organizationId)
        const decided = yield* Effect.fromResult(decide(yield* factsFor(organization, administratorId, bounds)))
        const [row] = yield* db.run<{ readonly id: PlaceId }>(CREATE, [
          organizationId,
          decided.name ?? null,
          decided.trackingArea.text,
          ...measuredValues(decided.trackingArea)
        ])
        const { id } = row!
        yield* createTotals(db, organizationId, id, Timestamp(yield* Clock.currentTimeMillis))
        yield* publishEvents(db, organizationId, [{ _tag: "PlaceChanged", placeId: id, changed: "created" }])
        return { ...decided, id } satisfies Place
      }),

    factsOfUpdate: ({ placeId, administratorId, bounds }) =>
      storing.gen("read what a change of a place is decided on", function* () {
        const { place, organization } = yield* findPlace(placeId, readOrganization)
        return [place, yield* factsFor(organization, administratorId, bounds, placeId)] as const
      }),

    update: ({ placeId, administratorId, bounds, decide }) =>
      storing.transaction("change a place", function* () {
        const { place, organization } = yield* findPlace(placeId)
        const facts = yield* factsFor(organization, administratorId, bounds, placeId)
        const changed = yield* Effect.fromResult(decide(place, facts))
        const { trackingArea } = changed
        const values = [place.organizationId, placeId, changed.name ?? null]
        yield* trackingArea.text === place.trackingArea.text
          ? db.run(RENAME, values)
          : db.run(MOVE, [...values, trackingArea.text, ...measuredValues(trackingArea)])
        if (hasPlaceChanged(place, changed)) {
          yield* publishEvents(db, place.organizationId, [{ _tag: "PlaceChanged", placeId, changed: "updated" }])
        }
        return changed
      }),

    remove: ({ placeId, administratorId, decide }) =>
      storing.long.transaction("remove a place", function* () {
        const { place } = yield* findPlace(placeId)
        yield* Effect.fromResult(decide(yield* levelIn(db, place.organizationId, administratorId)))
        yield* endStays(db, place.organizationId, [placeId])
        yield* db.run(REMOVE, [place.organizationId, placeId])
        yield* endPlace(db, place.organizationId, placeId)
      }),

    areas: (organizationId, placeIds) => storing("read areas of places", placeAreas(db, organizationId, placeIds)),

    list: (organizationId, after, reader) => readPage({ organizationId, after, reader })
  }
}
