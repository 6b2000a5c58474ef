/** Rows of places, and the batched statement that reads pages of them. */
import {
  administratorOf,
  keptTrackingArea,
  nameOfReader,
  type OrganizationId,
  OrganizationPremises,
  type Page,
  type PermissionLevel,
  type PermissionTooLow,
  type Place,
  type PlaceId,
  PremisesNotFound,
  type Reader,
  requireLevel
} from "@sojourn/core"
import { Effect, Exit, Option, Result } from "effect"
import { type BulkStatement, unrepeated } from "../database/BulkStatement.ts"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { levelOfDisplay } from "../database/levels.ts"
import { pageOf, selectPage } from "./pages.ts"

export interface PlaceRow {
  readonly organization_id: OrganizationId
  readonly id: PlaceId
  readonly name: string | null
  readonly tracking_area: string
  readonly level: number | null
  readonly ancestors: ReadonlyArray<PlaceId>
}

export const placeOf = (row: PlaceRow): Place => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name ?? undefined,
  trackingArea: keptTrackingArea(row.tracking_area),
  level: row.level ?? undefined,
  parentId: row.ancestors.at(-1)
})

/** A request for a page of an organization's places. */
export interface PageReading {
  readonly organizationId: OrganizationId
  /** The place after which the page begins. */
  readonly after: PlaceId | undefined
  /** Who needs a level in the organization; undefined for a user, who may list any organization's places. */
  readonly reader: Reader | undefined
  /** Only places with this level in effect; undefined for all places. */
  readonly floor: number | undefined
}

interface ReaderRow {
  /** The number of the reading in the statement, from 1. */
  readonly n: number
  readonly exists: boolean
  readonly permission: PermissionLevel | null
}

/** A reading without a place is one row whose other columns are null. */
type PageRow = ReaderRow & ((PlaceRow & { readonly has_more: boolean }) | { readonly id: null })

/** Pages of places: $1 their organizations, $2 the places that they begin after, $3 the administrators who read, $4 their floors, $5 the levels of other readers. */
const PAGES = `
select a.n::int as n, o.id is not null as "exists", coalesce(a.reader_level, p.level) as permission,
  page.organization_id, page.id, page.name, page.tracking_area, page.level, page.ancestors, page.has_more
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) with ordinality
  as a (organization_id, after, reader, floor, reader_level, n)
left join lateral (select id from organization where id = a.organization_id limit 1) o on true
left join lateral (
  select level from permission where organization_id = a.organization_id and administrator_id = a.reader limit 1
) p on true
left join lateral (${selectPage(
  "place",
  "organization_id = case when coalesce(a.reader_level, p.level) is not null then a.organization_id end and id > a.after and (a.floor is null or place.floor = a.floor)"
)}) page on true
order by a.n, page.id`

const refusalOf = ({ organizationId, reader }: PageReading, { exists, permission }: ReaderRow) => {
  if (reader === undefined) return undefined
  if (!exists) return new PremisesNotFound({ premises: OrganizationPremises(organizationId) })
  const required = requireLevel(Option.fromNullishOr(permission), "viewer")
  return Result.isFailure(required) ? required.failure : undefined
}

/** The statement of pages of places. It reads no place for a reader who may not list them. */
export const placePages = (
  db: Database
): BulkStatement<PageReading, Page<Place>, PremisesNotFound | PermissionTooLow> =>
  unrepeated(
    {
      operation: "list places",
      run: (readings) =>
        Effect.map(
          db.run<PageRow>(PAGES, [
            arrays.bigints(readings, ({ organizationId }) => organizationId),
            arrays.bigints(readings, ({ after }) => after ?? 0n),
            arrays.texts(readings, ({ reader }) => reader && administratorOf(reader)),
            arrays.bigints(readings, ({ floor }) => (floor === undefined ? undefined : BigInt(floor))),
            arrays.texts(readings, ({ reader, organizationId }) =>
              reader === undefined ? "viewer" : levelOfDisplay(reader, organizationId)
            )
          ]),
          (rows) => {
            const found = Map.groupBy(rows, ({ n }) => n)
            return readings.map((reading, i) => {
              const own = found.get(i + 1)!
              const refusal = refusalOf(reading, own[0]!)
              if (refusal !== undefined) return Exit.fail(refusal)
              return Exit.succeed(
                pageOf(
                  own.filter((row) => row.id !== null),
                  placeOf
                )
              )
            })
          }
        )
    },
    ({ organizationId, after, reader, floor }) =>
      `${organizationId} ${after} ${floor} ${reader === undefined ? "" : nameOfReader(reader)}`
  )
