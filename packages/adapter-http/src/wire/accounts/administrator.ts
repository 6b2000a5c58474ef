/** The JSON shapes of permissions and of requests about administrators. */
import { AdministratorId, Mail, OrgAuthServerId, Text, textOf } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, WireOrganizationId, WirePermissionLevel } from "../shared/fields.ts"

/** Permission, as it is answered (spec: http#shapes). */
export const WirePermission = Schema.Struct({
  administratorId: Schema.String,
  organizationId: WireOrganizationId,
  permission: WirePermissionLevel,
  mail: known(Schema.String),
  orgAuthServerId: known(Schema.String),
  nominatedBy: Schema.String
}).annotate({ identifier: "Permission" })

const administratorName = { administratorId: leftOut(AdministratorId), mail: leftOut(Mail) }

const namesAdministrator = Schema.makeFilter(
  ({ administratorId, mail }: { readonly administratorId?: string | null; readonly mail?: string | null }) =>
    (administratorId ?? mail ?? undefined) !== undefined,
  { expected: "an administratorId or a mail address" }
)

/** AdministratorBindingRequest for an administrator who has an account: named by id, by mail address, or by both. */
export const WireBinding = Schema.Struct({
  organizationId: WireOrganizationId,
  ...administratorName,
  permission: WirePermissionLevel,
  orgAuthServerId: leftOut(OrgAuthServerId)
})
  .check(namesAdministrator)
  .annotate({ identifier: "AdministratorBindingRequest" })

/** The same by an operator, who names the organization in the path. */
export const WireOperatorBinding = Schema.Struct({ ...administratorName, permission: WirePermissionLevel })
  .check(namesAdministrator)
  .annotate({ identifier: "OperatorBindingRequest" })

/** AdministratorBindingRequest for an administrator who gets an account. */
export const WireCreation = Schema.Struct({
  organizationId: WireOrganizationId,
  administratorId: leftOut(AdministratorId),
  mail: Mail,
  password: leftOut(textOf(8, 256)),
  permission: WirePermissionLevel,
  orgAuthServerId: leftOut(OrgAuthServerId)
}).annotate({ identifier: "AdministratorCreationRequest" })

/** Permission, as it is sent to unbind: by administratorId and organizationId alone. */
export const WireUnbinding = Schema.Struct({
  administratorId: Text,
  organizationId: WireOrganizationId
}).annotate({ identifier: "Unbinding" })

/** Permission, as it is sent to change its level: what else is sent must be as it is recorded. */
export const WirePermissionUpdate = Schema.Struct({
  administratorId: Text,
  organizationId: WireOrganizationId,
  permission: WirePermissionLevel,
  mail: leftOut(Text),
  orgAuthServerId: leftOut(Text),
  nominatedBy: leftOut(Text)
}).annotate({ identifier: "PermissionUpdate" })

/** An administrator's account. */
export const WireAccount = Schema.Struct({ administratorId: AdministratorId, mail: Mail }).annotate({
  identifier: "AdministratorAccount"
})
