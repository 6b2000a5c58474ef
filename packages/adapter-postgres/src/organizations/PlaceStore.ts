/** The port `PlaceStore` in PostgreSQL. A change of areas locks the organization until its transaction ends. */
import {
  alreadyRecorded,
  type OrganizationId,
  OrganizationNotFound,
  type PermissionLevel,
  placeChanged,
  placeCreated,
  placeRemoved,
  placeUpdated,
  recorded,
  type PlaceChanges,
  type PlaceCreation,
  type PlaceId,
  PlaceNotFound,
  PlacePremises,
  type PlaceStore,
  type PlaceUpdate,
  type PlaceUpdateFacts,
  type Preview
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { appendingFrom } from "../database/audit.sql.ts"
import { entryOf } from "../database/auditEntries.ts"
import { arrays } from "../database/columns.ts"
import type { Operation } from "../database/BulkStatement.ts"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { LEAVE_PLACE } from "../devices/devices.sql.ts"
import { publishEventsWith } from "../feed/publish.sql.ts"
import { endPlace, lockToPublish, publishWith } from "../feed/publishEvents.ts"
import { endStays } from "../stays/endings.ts"
import { MEASURED_COLUMNS, measuredValues, NO_PLACE, readPlaceFacts } from "./placeFacts.ts"
import { currentFacts, lockOrganization } from "../database/locks.ts"
import { requireRow } from "../database/rows.ts"
import type { OrganizationRow } from "./organizations.ts"
import type { placePages } from "./places.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"

/** $4 to $13 the columns, then those of the entry. */
const CREATE = publishEventsWith(
  `created as (
  insert into place (organization_id, name, tracking_area, level, floor, ancestors, ${MEASURED_COLUMNS})
  values ($1::bigint, $4::text, $5::text, $6::smallint, $7::smallint, $8::bigint[], $9::float8, $10::float8, $11::float8, $12::float8, $13::integer)
  returning id
),
totals as (
  insert into presence_totals (organization_id, place_id, began_at) select $1::bigint, id, $2::timestamptz from created
),
${appendingFrom(14, "(select id from created)")}`,
  "(select id from created)"
)

/** $4 the place, $5 its name and $6 its level; $7 to $14 are null where they stay; then the columns of the entry. */
const UPDATE = publishEventsWith(`updated as (
  update place set name = $5::text, level = $6::smallint,
    floor = coalesce($7::smallint, floor), ancestors = coalesce($8::bigint[], ancestors),
    tracking_area = coalesce($9::text, tracking_area),
    west = coalesce($10::float8, west), east = coalesce($11::float8, east),
    south = coalesce($12::float8, south), north = coalesce($13::float8, north),
    area_points = coalesce($14::integer, area_points)
  where organization_id = $1::bigint and id = $4::bigint
),
${appendingFrom(15)}`)

/**
 * Sets the positions of the places $2 of the organizations $1: $3 their floors, $4 their ancestors. With one organization for all, or without
 * the array of one element, the plan may be to compare every place of the organization with each of them.
 */
export const SET_POSITIONS = `
update place p set floor = m.floor, ancestors = m.ancestors::bigint[]
from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[]) as m (organization_id, id, floor, ancestors)
where p.organization_id = any(array[m.organization_id]) and p.id = m.id`

/** What the removal of the place $2 of the organization $1 by the administrator $3 is decided on. It waits for imports of accesses of the place. */
const REMOVAL_FACTS = `
select a.level, exists (
  select from place where organization_id = $1::bigint and ancestors[cardinality(ancestors)] = $2::bigint
) as has_parts
from place p
left join permission a on a.organization_id = $1::bigint and a.administrator_id = $3::text
where p.organization_id = $1::bigint and p.id = $2::bigint
for update of p`

const REMOVE = "delete from place where organization_id = $1::bigint and id = $2::bigint"

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

  const readCreationFacts = Effect.fnUntraced(function* ({
    organizationId,
    level,
    parentId,
    ...creation
  }: PlaceCreation) {
    const change = { ...creation, level: level ?? null, parentId: parentId ?? null }
    return (yield* readPlaceFacts(db, organizationId, change)) ?? (yield* new OrganizationNotFound({ organizationId }))
  })

  const readUpdateFacts = Effect.fnUntraced(function* (organizationId: OrganizationId, update: PlaceUpdate) {
    const { facts, revision } = (yield* readPlaceFacts(db, organizationId, update)) ?? {}
    if (facts?.place === undefined) return yield* new PlaceNotFound({ placeId: update.placeId })
    return { facts, revision } as Preview<PlaceUpdateFacts>
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
    previewCreation: (creation) => storing("read what a new place is decided on", readCreationFacts(creation)),

    create: ({ preview, decide, ...creation }) =>
      storing.by(creation.organizationId).transaction("create a place", function* () {
        const organization = yield* lockToPublish<OrganizationRow>(db, creation.organizationId)
        const facts = yield* currentFacts(preview, organization, readCreationFacts(creation))
        const { place, position } = yield* Effect.fromResult(decide(facts))
        const unnumbered = { ...place, id: NO_PLACE }
        const id = yield* publishWith(db, organization!, CREATE, placeChanged("created", unnumbered), [
          place.name ?? null,
          place.trackingArea.text,
          place.level ?? null,
          position.floor,
          position.ancestors,
          ...measuredValues(place.trackingArea),
          ...(yield* entryOf(placeCreated(unnumbered)))
        ])
        return alreadyRecorded({ ...place, id: id as PlaceId })
      }),

    previewUpdate: (update) =>
      Effect.flatMap(organizationOf(update.placeId), (organizationId) =>
        storing("read what a change of a place is decided on", readUpdateFacts(organizationId, update))
      ),

    update: ({ preview, decide, ...update }) =>
      Effect.flatMap(organizationOf(update.placeId), (organizationId) =>
        storing.by(organizationId).transaction("change a place", function* () {
          const organization = yield* lockToPublish<OrganizationRow>(db, organizationId)
          const facts = yield* currentFacts(preview, organization, readUpdateFacts(organizationId, update))
          const { place: before } = facts
          const { place, positions } = yield* Effect.fromResult(decide(facts))
          const act = placeUpdated(before, place)
          if (act === undefined) return recorded(place, act)
          const position = positions.find(({ id }) => id === place.id)
          const area = place.trackingArea.text === before.trackingArea.text ? undefined : place.trackingArea
          yield* publishWith(db, organization!, UPDATE, placeChanged("updated", place), [
            place.id,
            place.name ?? null,
            place.level ?? null,
            position?.floor ?? null,
            position?.ancestors ?? null,
            area?.text ?? null,
            ...(area === undefined ? [null, null, null, null, null] : measuredValues(area)),
            ...(yield* entryOf(act))
          ])
          yield* setPositions(
            organizationId,
            positions.filter((one) => one !== position)
          )
          return alreadyRecorded(place)
        })
      ),

    remove: ({ placeId, administratorId, decide }) =>
      Effect.flatMap(organizationOf(placeId), (organizationId) =>
        storing.long.by(organizationId).transaction("remove a place", function* () {
          yield* lockOrganization(db, organizationId)
          const { level, has_parts: hasParts } = yield* requireRow(
            db.run<{ readonly level: PermissionLevel | null; readonly has_parts: boolean }>(REMOVAL_FACTS, [
              organizationId,
              placeId,
              administratorId
            ]),
            () => new PlaceNotFound({ placeId })
          )
          yield* Effect.fromResult(decide({ level: Option.fromNullishOr(level), hasParts }))
          yield* endStays(db, organizationId, [placeId])
          yield* db.run(REMOVE, [organizationId, placeId])
          yield* endPlace(db, organizationId, placeId)
          for (const statement of LEAVE_PLACE) yield* db.run(statement, [organizationId, placeId])
          return recorded(undefined, placeRemoved({ organizationId, id: placeId }))
        })
      ),

    list: (organizationId, after, reader, floor) => readPage({ organizationId, after, reader, floor })
  }
}
