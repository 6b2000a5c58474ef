/** The areas of places with their bounds and weights, so that a change of an area reads only the areas near it. */
import {
  type AreaRecord,
  type AreaTotals,
  areaWeight,
  type Bounds,
  boundsOf,
  keptTrackingArea,
  type OrganizationId,
  type PlaceId,
  type StoredArea,
  type TrackingArea
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"

/**
 * Are the measures in a place's row valid (the bounds and the weight of its area)? They are as long as the row's `xmin` is the
 * transaction that wrote them. Servers of older versions and restored backups write rows without them: such an area is measured
 * when it is read for a comparison.
 */
export const IS_MEASURED = "area_measured_in is not distinct from xmin::text::bigint"

/** The `xmin` of the rows that the transaction writes. */
export const THIS_TRANSACTION = "pg_current_xact_id()::xid::text::bigint"

/** The columns of the measures. */
export const MEASURED_COLUMNS = "west, east, south, north, area_points, area_measured_in"

/** The parameters of {@link MEASURED_COLUMNS}, from `$first` on. */
export const measuredParameters = (first: number) =>
  `$${first}::float8, $${first + 1}::float8, $${first + 2}::float8, $${first + 3}::float8, $${first + 4}::integer, ` +
  THIS_TRANSACTION

/** The values of {@link measuredParameters}. */
export const measuredValues = (area: TrackingArea): ReadonlyArray<number> => {
  const { west, east, south, north } = boundsOf(area)
  return [west, east, south, north, areaWeight(area)]
}

/** The version of an area is the transaction that wrote its row: every write changes it, by a server of any version. */
const RECORDS = `
select id, xmin::text as version, ${IS_MEASURED} as is_measured, west, east, south, north
from place where organization_id = $1::bigint`

const ALL_RECORDS = `${RECORDS} order by id`

/** $2 a place that is left out, $3 to $6 the bounds. */
const NEAR_RECORDS = `${RECORDS} and id <> $2::bigint and (
  (${IS_MEASURED}) is false
  or (west <= $4::float8 and east >= $3::float8 and south <= $6::float8 and north >= $5::float8)
) order by id`

const TOTALS = `
select count(*)::integer as places, coalesce(sum(area_points), 0)::float8 as points
from place where organization_id = $1::bigint and id <> $2::bigint`

interface RecordRow extends Bounds {
  readonly id: PlaceId
  readonly version: string
  readonly is_measured: boolean
}

const recordOf = ({ id, version, is_measured, west, east, south, north }: RecordRow): AreaRecord => ({
  id,
  version,
  bounds: is_measured ? { west, east, south, north } : undefined
})

/** The areas of an organization's places, without the areas themselves. */
export const areaRecords = (db: Database, organizationId: OrganizationId) =>
  Effect.map(db.run<RecordRow>(ALL_RECORDS, [organizationId]), (rows) => rows.map(recordOf))

/** No place has this id. */
const NO_PLACE = 0n

/** The areas near some bounds, and the totals of all, without the place that changes. */
export const areasFor = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  { west, east, south, north }: Bounds,
  changed: PlaceId | typeof NO_PLACE = NO_PLACE
) {
  const near = yield* db.run<RecordRow>(NEAR_RECORDS, [organizationId, changed, west, east, south, north])
  const [others] = yield* db.run<AreaTotals>(TOTALS, [organizationId, changed])
  return { near: near.map(recordOf), others: others! }
})

const AREAS = `
select id, tracking_area, xmin::text as version, ${IS_MEASURED} as is_measured
from place where organization_id = $1::bigint and id = any($2::bigint[]) order by id`

/** $3 the version that was measured. */
const MEASURE = `
update place set (${MEASURED_COLUMNS}) = row (${measuredParameters(4)})
where organization_id = $1::bigint and id = $2::bigint and xmin::text = $3::text
returning xmin::text as version`

/** The areas of places. Areas without measures are measured; one that changes meanwhile is left out. */
export const placeAreas = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  placeIds: ReadonlyArray<PlaceId>
) {
  const rows = yield* db.run<{
    readonly id: PlaceId
    readonly tracking_area: string
    readonly version: string
    readonly is_measured: boolean
  }>(AREAS, [organizationId, placeIds])
  const areas: Array<StoredArea> = []
  for (const row of rows) {
    const { id } = row
    const trackingArea = keptTrackingArea(row.tracking_area)
    let version: string | undefined = row.version
    if (!row.is_measured) {
      const values = [organizationId, id, version, ...measuredValues(trackingArea)]
      const [measured] = yield* db.run<{ readonly version: string }>(MEASURE, values)
      version = measured?.version
    }
    if (version !== undefined) areas.push({ id, trackingArea, version })
  }
  return areas
})
