/** The areas of places with their bounds and weights, so that a change of an area reads only the areas near it. */
import {
  type AreaTotals,
  areaWeight,
  type Bounds,
  boundsOf,
  keptTrackingArea,
  type OrganizationId,
  type PlaceId,
  type PlaceRecord,
  type StoredArea,
  type TrackingArea
} from "@sojourn/core"
import { Effect } from "effect"
import type { Database } from "../database/Database.ts"

/** The columns of the bounds and the weight of a place's area. */
export const MEASURED_COLUMNS = "west, east, south, north, area_points"

/** The parameters of {@link MEASURED_COLUMNS}, from `$first` on. */
export const measuredParameters = (first: number) =>
  `$${first}::float8, $${first + 1}::float8, $${first + 2}::float8, $${first + 3}::float8, $${first + 4}::integer`

/** The values of {@link measuredParameters}. */
export const measuredValues = (area: TrackingArea): ReadonlyArray<number> => {
  const { west, east, south, north } = boundsOf(area)
  return [west, east, south, north, areaWeight(area)]
}

/** The version of an area is the transaction that wrote its row. */
const RECORDS = `
select id, xmin::text as version, west, east, south, north, level, floor, ancestors
from place where organization_id = $1::bigint`

/** `offset 0`: else the planner may read the index of all organizations' places in the order of their ids. */
const orderedById = (records: string) => `select * from (${records} offset 0) records order by id`

const ALL_RECORDS = orderedById(RECORDS)

/**
 * $2 the place that changes, $3 to $6 the bounds, $7 the parent, $8 the level, $9 the ancestors before a change of the position, which also
 * reads all descendants. The floor of the place is its level, or else that of its parent.
 */
const NEAR_RECORDS = orderedById(`${RECORDS} and id <> $2::bigint and (
    id = $7::bigint or id = any($9::bigint[])
    or case when $9::bigint[] is null then ancestors[cardinality(ancestors)] = $2::bigint else $2::bigint = any(ancestors) end
    or (
      west <= $4::float8 and east >= $3::float8 and south <= $6::float8 and north >= $5::float8
      and floor = coalesce(
        $8::smallint, (select floor from place where organization_id = $1::bigint and id = $7::bigint), 0
      )
    )
  )`)

const TOTALS = `
select count(*)::integer as places, coalesce(sum(area_points), 0)::float8 as points
from place where organization_id = $1::bigint and id <> $2::bigint`

export interface RecordRow extends Bounds {
  readonly id: PlaceId
  readonly version: string
  readonly level: number | null
  readonly floor: number
  readonly ancestors: ReadonlyArray<PlaceId>
}

export const recordOf = ({
  id,
  version,
  west,
  east,
  south,
  north,
  level,
  floor,
  ancestors
}: RecordRow): PlaceRecord => ({
  id,
  version,
  bounds: { west, east, south, north },
  level: level ?? undefined,
  floor,
  ancestors
})

/** An organization's places, without their areas. */
export const placeRecords = (db: Database, organizationId: OrganizationId) =>
  Effect.map(db.run<RecordRow>(ALL_RECORDS, [organizationId]), (rows) => rows.map(recordOf))

/** A place as it will be stored. */
interface Change {
  readonly bounds: Bounds
  readonly parentId?: PlaceId | undefined
  readonly level?: number | undefined
}

/** The places that a new place or a change of one depends on. The ancestors of the changed one are given where its position changes. */
export const nearRecords = (
  db: Database,
  organizationId: OrganizationId,
  { bounds: { west, east, south, north }, parentId, level }: Change,
  changed?: { readonly id: PlaceId; readonly ancestors: ReadonlyArray<PlaceId> | undefined }
) =>
  Effect.map(
    db.run<RecordRow>(NEAR_RECORDS, [
      organizationId,
      changed?.id ?? NO_PLACE,
      west,
      east,
      south,
      north,
      parentId ?? NO_PLACE,
      level ?? null,
      changed?.ancestors ?? null
    ]),
    (rows) => rows.map(recordOf)
  )

/** No place has this id. */
const NO_PLACE = 0n

/** The totals of all places but the one that changes. */
export const areaTotals = (db: Database, organizationId: OrganizationId, changed: PlaceId | undefined) =>
  Effect.map(db.run<AreaTotals>(TOTALS, [organizationId, changed ?? NO_PLACE]), ([others]) => others!)

const AREAS = `
select id, tracking_area, xmin::text as version
from place where organization_id = $1::bigint and id = any($2::bigint[]) order by id`

interface AreaRow {
  readonly id: PlaceId
  readonly tracking_area: string
  readonly version: string
}

export const placeAreas = (db: Database, organizationId: OrganizationId, placeIds: ReadonlyArray<PlaceId>) =>
  Effect.map(db.run<AreaRow>(AREAS, [organizationId, placeIds]), (rows): ReadonlyArray<StoredArea> =>
    rows.map(({ id, tracking_area, version }) => ({ id, trackingArea: keptTrackingArea(tracking_area), version }))
  )
