/** Reads the levels of administrators in an organization. */
import {
  type AdministratorId,
  levelOfReader,
  type OrganizationId,
  type PermissionLevel,
  type PermissionTooLow,
  type Reader,
  requireLevel
} from "@sojourn/core"
import { Array, Effect, Option } from "effect"
import { arrays } from "./columns.ts"
import type { Database } from "./Database.ts"

const LEVELS = `
select administrator_id, level from permission
where organization_id = $1::bigint and administrator_id in (select unnest($2::text[]))`

export const levelsIn = (db: Database, organizationId: bigint, administratorIds: ReadonlyArray<AdministratorId>) =>
  Effect.map(
    db.run<{ readonly administrator_id: AdministratorId; readonly level: PermissionLevel }>(LEVELS, [
      organizationId,
      arrays.texts([...new Set(administratorIds)], (administratorId) => administratorId)
    ]),
    (rows) => {
      const levels = new Map(rows.map((row) => [row.administrator_id, row.level]))
      return (administratorId: AdministratorId): Option.Option<PermissionLevel> =>
        Option.fromUndefinedOr(levels.get(administratorId))
    }
  )

const LEVEL = "select level from permission where organization_id = $1::bigint and administrator_id = $2::text"

export const levelIn = (db: Database, organizationId: bigint, administratorId: AdministratorId) =>
  Effect.map(
    db.run<{ readonly level: PermissionLevel }>(LEVEL, [organizationId, administratorId]),
    ([row]): Option.Option<PermissionLevel> => Option.fromNullishOr(row?.level)
  )

/** {@link levelIn}, which fails with `PermissionTooLow` below the level that is required. */
export const requireLevelIn = (
  db: Database,
  organizationId: bigint,
  administratorId: AdministratorId,
  required: PermissionLevel
) =>
  Effect.flatMap(levelIn(db, organizationId, administratorId), (held) =>
    Effect.fromResult(requireLevel(held, required))
  )

/** What a statement reads of an administrator beside the rows that they ask for: their level, null without a permission. */
export interface ReaderColumns {
  readonly permission: PermissionLevel | null
}

/** The level that a reader has whatever is stored; undefined of an administrator. */
export const levelOfDisplay = (reader: Reader, organizationId: OrganizationId): PermissionLevel | undefined =>
  Option.getOrUndefined(levelOfReader(reader, organizationId, Option.none()))

/**
 * The rows of a reading, if the administrator has the level that is required; fails with `missing` where there is no row. A display, whose
 * statement names no administrator, has the level `ofDisplay`.
 */
export const readAs = <Row extends ReaderColumns, E, Missing>(
  rows: Effect.Effect<ReadonlyArray<Row>, E>,
  required: PermissionLevel,
  missing: () => Missing,
  ofDisplay?: PermissionLevel
) =>
  rows.pipe(
    Effect.filterOrFail(Array.isReadonlyArrayNonEmpty, missing),
    Effect.tap(([{ permission }]) =>
      Effect.fromResult(requireLevel(Option.fromNullishOr(ofDisplay ?? permission), required))
    )
  )

/** A row of {@link forReader}: one of nulls where nothing is found. */
export type ForReader<Row> = ReaderColumns & { readonly is_found: true | null } & Row

/**
 * The `rows` of an organization, or of its webhook, $1, for the administrator $2, whose level is of the same moment; without one, for a
 * display. Their order is that of `order`, a list of columns of `r`.
 */
export const forReader = (rows: string, order = "r.is_found", table: "organization" | "webhook" = "organization") => `
select p.level as permission, r.*
from ${table} o
left join permission p on p.organization_id = o.${table === "webhook" ? "organization_id" : "id"} and p.administrator_id = $2::text
left join lateral (select true as is_found, rows.* from (${rows}) rows) r on p.level is not null or $2::text is null
where o.id = $1::bigint
order by ${order}`

/** The rows of {@link forReader}, as {@link readAs} allows it. */
export const readRows = <Row, E, Missing>(
  rows: Effect.Effect<ReadonlyArray<ForReader<Row>>, E>,
  required: PermissionLevel,
  missing: () => Missing,
  ofDisplay?: PermissionLevel
): Effect.Effect<ReadonlyArray<Row>, E | Missing | PermissionTooLow> =>
  Effect.map(readAs(rows, required, missing, ofDisplay), (found) =>
    found.flatMap(({ permission: _, is_found: isFound, ...row }) => (isFound === true ? [row as Row] : []))
  )
