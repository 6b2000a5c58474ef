/** Rows of permissions, and the batched statements that read those of administrators. */
import {
  type AdministratorId,
  administratorOf,
  levelOfReader,
  type Mail,
  type Membership,
  type MembershipKey,
  type OrganizationId,
  type OrgAuthServerId,
  type Permission,
  type PermissionLevel
} from "@sojourn/core"
import { Effect, Exit, Option } from "effect"
import { type BulkStatement, unrepeated } from "../database/BulkStatement.ts"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"

/** A row of the table `permission`, with the mail address of its administrator. */
export interface PermissionRow {
  readonly organization_id: OrganizationId
  readonly administrator_id: AdministratorId
  readonly level: PermissionLevel
  readonly mail: Mail | null
  readonly org_auth_server_id: OrgAuthServerId | null
  readonly nominated_by: AdministratorId
}

export const permissionOf = (row: PermissionRow): Permission => ({
  administratorId: row.administrator_id,
  organizationId: row.organization_id,
  level: row.level,
  mail: row.mail ?? undefined,
  orgAuthServerId: row.org_auth_server_id ?? undefined,
  nominatedBy: row.nominated_by
})

export const PERMISSIONS = `
select p.*, a.mail from permission p join administrator_account a on a.administrator_id = p.administrator_id`

/**
 * The permissions of administrators: $1 who. `offset` keeps the lookup by administrator, whatever the tables held when the plan was
 * made.
 */
const BY_ADMINISTRATORS = `
select administrator.n::int as n, own.*
from unnest($1::text[]) with ordinality as administrator (administrator_id, n)
cross join lateral (${PERMISSIONS} where p.administrator_id = administrator.administrator_id offset 0) own
order by own.organization_id`

/** The statement of administrators' own permissions. It lists those of each administrator once. */
export const ownPermissions = (db: Database): BulkStatement<AdministratorId, ReadonlyArray<Permission>, never> =>
  unrepeated(
    {
      operation: "list an administrator's permissions",
      run: (administrators) =>
        Effect.map(
          db.run<PermissionRow & { readonly n: number }>(BY_ADMINISTRATORS, [
            arrays.texts(administrators, (administratorId) => administratorId)
          ]),
          (rows) => {
            const lists = administrators.map((): Array<Permission> => [])
            for (const row of rows) lists[row.n - 1]!.push(permissionOf(row))
            return lists.map((list) => Exit.succeed(list))
          }
        )
    },
    (administratorId) => administratorId
  )

/** The levels of administrators ($2) in organizations ($1), in their order. */
const MEMBERSHIPS = `
select o.id is not null as "exists", p.level
from unnest($1::bigint[], $2::text[]) with ordinality as key (organization_id, administrator_id, nth)
left join organization o on o.id = key.organization_id
left join permission p on p.organization_id = key.organization_id and p.administrator_id = key.administrator_id
order by key.nth`

/** The statement of memberships. Each item asks for several. */
export const membershipsOf = (
  db: Database
): BulkStatement<ReadonlyArray<MembershipKey>, ReadonlyArray<Option.Option<Membership>>, never> => ({
  operation: "read memberships",
  run: (items) => {
    const keys = items.flat()
    return Effect.map(
      db.run<{ readonly exists: boolean; readonly level: PermissionLevel | null }>(MEMBERSHIPS, [
        arrays.bigints(keys, ({ organizationId }) => organizationId),
        arrays.texts(keys, ({ reader }) => administratorOf(reader))
      ]),
      (rows) => {
        const found = rows.map(({ exists, level }, nth) => {
          const { organizationId, reader } = keys[nth]!
          return exists
            ? Option.some({ organizationId, level: levelOfReader(reader, organizationId, Option.fromNullishOr(level)) })
            : Option.none()
        })
        let end = 0
        return items.map(({ length }) => Exit.succeed(found.slice(end, (end += length))))
      }
    )
  }
})
