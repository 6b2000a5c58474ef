import type { AdministratorId, Mail, OrganizationId, OrgAuthServerId, Permission, PermissionLevel } from "@sojourn/core"

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
