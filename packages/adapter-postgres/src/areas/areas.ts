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
select id, xmin::text as version, west, east, south, north
from place where organization_id = $1::bigint`

const ALL_RECORDS = `${RECORDS} order by id`

/** $2 a place that is left out, $3 to $6 the bounds. */
const NEAR_RECORDS = `${RECORDS} and id <> $2::bigint
  and west <= $4::float8 and east >= $3::float8 and south <= $6::float8 and north >= $5::float8
order by id`

const TOTALS = `
select count(*)::integer as places, coalesce(sum(area_points), 0)::float8 as points
from place where organization_id = $1::bigint and id <> $2::bigint`

interface RecordRow extends Bounds {
  readonly id: PlaceId
  readonly version: string
}

const recordOf = ({ id, version, west, east, south, north }: RecordRow): AreaRecord => ({
  id,
  version,
  bounds: { west, east, south, north }
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
select id, tracking_area, xmin::text as version
from place where organization_id = $1::bigint and id = any($2::bigint[]) order by id`

interface AreaRow {
  readonly id: PlaceId
  readonly tracking_area: string
  readonly version: string
}

/** The areas of places. */
export const placeAreas = (db: Database, organizationId: OrganizationId, placeIds: ReadonlyArray<PlaceId>) =>
  Effect.map(db.run<AreaRow>(AREAS, [organizationId, placeIds]), (rows): ReadonlyArray<StoredArea> =>
    rows.map(({ id, tracking_area, version }) => ({ id, trackingArea: keptTrackingArea(tracking_area), version }))
  )
