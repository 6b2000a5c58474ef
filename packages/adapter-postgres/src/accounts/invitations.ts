import { type AdministratorId, type OrganizationId, takeOver } from "@sojourn/core"
import { Effect, Option } from "effect"
import type { Database } from "../database/Database.ts"
import { lockOrganization } from "../database/locks.ts"
import { PERMISSIONS, permissionOf, type PermissionRow } from "./permissions.ts"

const INVITED = "select organization_id from permission where administrator_id = $1::text order by organization_id"

const BOTH = `${PERMISSIONS} where p.organization_id = $1::bigint and p.administrator_id in ($2::text, $3::text)`

/** Who was invited by an operator nominated themselves, as in the rule `takeOver`. */
const MOVE = `
update permission set administrator_id = $3::text, nominated_by = case when nominated_by = $2::text then $3::text else nominated_by end
where organization_id = $1::bigint and administrator_id = $2::text`

const REMOVE = "delete from permission where organization_id = $1::bigint and administrator_id = $2::text"

const REPLACE = `
update permission set level = $3::text, org_auth_server_id = $4::text, nominated_by = $5::text
where organization_id = $1::bigint and administrator_id = $2::text`

/**
 * Moves the permissions of an invitation to the account that takes it over, each with its organization locked as in every
 * change of permissions. The caller has locked the invitation, so that no permission is granted to it meanwhile.
 */
export const movePermissions = Effect.fnUntraced(function* (
  db: Database,
  invitation: AdministratorId,
  administratorId: AdministratorId
) {
  const organizations = yield* db.run<{ readonly organization_id: OrganizationId }>(INVITED, [invitation])
  for (const { organization_id } of organizations) {
    yield* lockOrganization(db, organization_id)
    const rows = yield* db.run<PermissionRow>(BOTH, [organization_id, invitation, administratorId])
    const [invited, own] = [invitation, administratorId].map((holder) =>
      rows.find((row) => row.administrator_id === holder)
    )
    // Withdrawn while this transaction waited for the lock.
    if (invited === undefined) continue
    if (own === undefined) {
      yield* db.run(MOVE, [organization_id, invitation, administratorId])
      continue
    }
    const { level, orgAuthServerId, nominatedBy } = takeOver(
      permissionOf(invited),
      Option.some(permissionOf(own)),
      administratorId
    )
    yield* db.run(REMOVE, [organization_id, invitation])
    yield* db.run(REPLACE, [organization_id, administratorId, level, orgAuthServerId ?? null, nominatedBy])
  }
})
