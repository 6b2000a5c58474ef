/** What changes of places are decided on, which one statement reads: of the areas only those near. */
import {
  type AdministratorId,
  type AreaTotals,
  areaWeight,
  type Bounds,
  boundsOf,
  keptTrackingArea,
  type OrganizationId,
  type PermissionLevel,
  type PlaceFacts,
  type PlaceId,
  type PlaceRecord,
  type PlaceUpdateFacts,
  type Preview,
  type TrackingArea
} from "@sojourn/core"
import { Effect, Option } from "effect"
import type { Database } from "../database/Database.ts"
import { placeOf, type PlaceRow } from "./places.ts"

/** The columns of the bounds and the weight of a place's area. */
export const MEASURED_COLUMNS = "west, east, south, north, area_points"

/** The values of {@link MEASURED_COLUMNS}. */
export const measuredValues = (area: TrackingArea): ReadonlyArray<number> => {
  const { west, east, south, north } = boundsOf(area)
  return [west, east, south, north, areaWeight(area)]
}

/** No place has this id. */
export const NO_PLACE = 0n as PlaceId

/** A row of the organization $1 with the administrator $3 and the places but $2, and then one of each of the `places`. */
const factsWith = (places: string) => `
select *
from (
  select o.tracking_area as organization_area, o.revision, a.level as permission, others.*, (null::place).*
  from organization o
  left join permission a on a.organization_id = $1::bigint and a.administrator_id = $3::text
  cross join (
    select count(*)::integer as places, coalesce(sum(area_points), 0)::float8 as points
    from place where organization_id = $1::bigint and id <> $2::bigint
  ) others
  where o.id = $1::bigint
  union all
  select null, null, null, null, null, p.*
  from ${places}
  offset 0
) facts
order by id nulls first`

/** The facts of new places, which depend on all places of the organization $1. */
const ALL_FACTS = factsWith("place p where p.organization_id = $1::bigint and p.id <> $2::bigint")

/**
 * A row of the organization $1, and then one of the place $2 and of each of the others that a change of it depends on: with $4 to $7 its new
 * bounds, with $9 its level if $8, with $11 its parent if $10. $3 is the administrator. The floor of the place is its level, or else that of
 * its parent. `offset 0`: else the planner may read the index of all organizations' places in the order of their ids.
 */
const FACTS = `
with changed as (
  select coalesce($4::float8, west) as west, coalesce($5::float8, east) as east,
    coalesce($6::float8, south) as south, coalesce($7::float8, north) as north,
    case when $8::boolean then $9::smallint else level end as level,
    case when $10::boolean then $11::bigint else ancestors[cardinality(ancestors)] end as parent_id,
    case when $8::boolean or $10::boolean then ancestors end as former_ancestors
  from (select) change
  left join place on organization_id = $1::bigint and id = $2::bigint
)
${factsWith(`changed c
  join place p on p.organization_id = $1::bigint
  where p.id = $2::bigint or ($4::float8 is not null or $8::boolean or $10::boolean) and (
    p.id = c.parent_id or p.id = any(c.former_ancestors)
    or case when $8::boolean or $10::boolean then $2::bigint = any(p.ancestors)
      else p.ancestors[cardinality(p.ancestors)] = $2::bigint end
    or (
      p.west <= c.east and p.east >= c.west and p.south <= c.north and p.north >= c.south
      and p.floor = coalesce(
        c.level, (select floor from place where organization_id = $1::bigint and id = c.parent_id), 0
      )
    )
  )`)}`

interface OrganizationFactsRow extends AreaTotals {
  readonly organization_area: string
  readonly revision: bigint
  readonly permission: PermissionLevel | null
}

type PlaceFactsRow = PlaceRow & Bounds & { readonly floor: number }

const recordOf = ({
  id,
  tracking_area,
  west,
  east,
  south,
  north,
  level,
  floor,
  ancestors
}: PlaceFactsRow): PlaceRecord => ({
  id,
  trackingArea: keptTrackingArea(tracking_area),
  bounds: { west, east, south, north },
  level: level ?? undefined,
  floor,
  ancestors
})

/** A change of a place, or a new one without an id. */
interface Change {
  readonly placeId?: PlaceId
  readonly administratorId: AdministratorId
  readonly bounds: Bounds | undefined
  readonly level?: number | null | undefined
  readonly parentId?: PlaceId | null | undefined
}

const factsOf = (organization: OrganizationFactsRow, near: ReadonlyArray<PlaceFactsRow>): PlaceFacts => ({
  organizationArea: keptTrackingArea(organization.organization_area),
  level: Option.fromNullishOr(organization.permission),
  others: { places: organization.places, points: organization.points },
  near: near.map(recordOf)
})

/** Reads what a change is decided on; undefined where there is no organization. A place that does not exist has no `place`. */
export const readPlaceFacts = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  { placeId = NO_PLACE, administratorId, bounds, level, parentId }: Change
) {
  const [organization, ...places] = yield* db.run<OrganizationFactsRow & PlaceFactsRow>(FACTS, [
    organizationId,
    placeId,
    administratorId,
    bounds?.west ?? null,
    bounds?.east ?? null,
    bounds?.south ?? null,
    bounds?.north ?? null,
    level !== undefined,
    level ?? null,
    parentId !== undefined,
    parentId ?? null
  ])
  if (organization === undefined) return undefined
  const self = places.find(({ id }) => id === placeId)
  return {
    revision: organization.revision,
    facts: {
      ...factsOf(
        organization,
        places.filter((row) => row !== self)
      ),
      ...(self && { place: placeOf(self), self: recordOf(self) })
    }
  } satisfies Preview<PlaceFacts & Partial<PlaceUpdateFacts>>
})

/** Reads what new places of an organization are decided on; undefined where there is none. */
export const readAllPlaceFacts = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  administratorId: AdministratorId
) {
  const parameters = [organizationId, NO_PLACE, administratorId]
  const [organization, ...places] = yield* db.run<OrganizationFactsRow & PlaceFactsRow>(ALL_FACTS, parameters)
  if (organization === undefined) return undefined
  return { revision: organization.revision, facts: factsOf(organization, places) } satisfies Preview<PlaceFacts>
})
