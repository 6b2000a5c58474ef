/** Reads the levels of administrators in an organization. */
import type { AdministratorId, PermissionLevel } from "@sojourn/core"
import { Effect, Option } from "effect"
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
