/** Permissions of administrators in PostgreSQL, and their levels. */
import {
  administratorOf,
  levelOfReader,
  type OrganizationId,
  permissionCreated,
  type PermissionLevel,
  permissionRemoved,
  type PermissionStore,
  permissionUpdated,
  recorded,
  Timestamp
} from "@sojourn/core"
import { Clock, Effect, Option } from "effect"
import { findAccounts, keepAccount } from "./accounts.ts"
import type { Operation } from "../database/BulkStatement.ts"
import { type Database, missesReference, WriteConflict } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { requireOrganization } from "../database/locks.ts"
import {
  type membershipsOf,
  type ownPermissions,
  PERMISSIONS,
  permissionOf,
  type PermissionRow
} from "./permissions.ts"
import { OF_PREMISES } from "../database/premises.sql.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"
import { disableWebhooksOf } from "../webhooks/webhooks.ts"

const BY_ORGANIZATION = `${PERMISSIONS} where p.organization_id = $1::bigint order by p.granted`

const GRANT = `
insert into permission (organization_id, administrator_id, level, org_auth_server_id, nominated_by)
values ($1::bigint, $2::text, $3::text, $4::text, $5::text)`

const CHANGE_LEVEL = `
update permission set level = $3::text where organization_id = $1::bigint and administrator_id = $2::text`

const WITHDRAW = "delete from permission where organization_id = $1::bigint and administrator_id = $2::text"

/** The level of an administrator at premises: $1 the organization, $2 the place (0: the organization as a whole), $3 who. */
const MEMBERSHIP = `
select p.level
from organization o
left join permission p on p.organization_id = o.id and p.administrator_id = $3::text
where ${OF_PREMISES}`

export const makePermissionStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  listByAdministrator: Operation<ReturnType<typeof ownPermissions>>,
  readMemberships: Operation<ReturnType<typeof membershipsOf>>
): PermissionStore["Service"] => {
  const listByOrganization = (organizationId: OrganizationId) =>
    Effect.map(db.run<PermissionRow>(BY_ORGANIZATION, [organizationId]), (rows) => rows.map(permissionOf))

  return {
    change: ({ organizationId, administrator, decide }) =>
      storing.by(organizationId).transaction("change a permission", function* () {
        yield* requireOrganization(db, organizationId)
        const permissions = yield* listByOrganization(organizationId)
        const accounts = yield* findAccounts(db, administrator)
        const change = yield* Effect.fromResult(decide({ permissions, accounts }))
        const { administratorId, level, orgAuthServerId, nominatedBy } = change.permission
        const key = [organizationId, administratorId]
        const isOwner = change._tag !== "Withdraw" && level === "owner"
        const before = permissions.find((one) => one.administratorId === administratorId)
        if (before?.level === "owner" && !isOwner) {
          const now = Timestamp(yield* Clock.currentTimeMillis)
          yield* disableWebhooksOf(db, administratorId, [organizationId], now)
        }
        if (change._tag === "Withdraw") {
          yield* db.run(WITHDRAW, key)
          return recorded(change.permission, permissionRemoved(change.permission))
        }
        if (change._tag === "ChangeLevel") yield* db.run(CHANGE_LEVEL, [...key, level])
        else {
          if (Option.isSome(change.account)) yield* keepAccount(db, change.account.value, accounts)
          yield* db
            .run(GRANT, [...key, level, orgAuthServerId ?? null, nominatedBy])
            // The account was an invitation, which a concurrent sign-in took over.
            .pipe(Effect.catchIf(missesReference, () => Effect.fail(new WriteConflict())))
        }
        const { byId } = yield* findAccounts(db, { administratorId })
        const after = { ...change.permission, mail: Option.getOrUndefined(byId)?.mail }
        return recorded(after, before === undefined ? permissionCreated(after) : permissionUpdated(before, after))
      }),

    membership: (premises, reader) =>
      storing.gen("read a membership", function* () {
        const located = yield* directory.locate(premises)
        if (Option.isNone(located)) return Option.none()
        const { organizationId, placeId } = located.value
        const [row] = yield* db.run<{ readonly level: PermissionLevel | null }>(MEMBERSHIP, [
          organizationId,
          placeId,
          administratorOf(reader) ?? null
        ])
        return row === undefined
          ? Option.none()
          : Option.some({
              organizationId,
              level: levelOfReader(reader, organizationId, Option.fromNullishOr(row.level))
            })
      }),

    memberships: readMemberships,

    listByOrganization: (organizationId) =>
      storing("list an organization's permissions", listByOrganization(organizationId)),

    listByAdministrator
  }
}
