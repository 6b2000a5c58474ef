import { type AdministratorId, Administrators, type Permission, type PermissionUpdate } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { AdministratorGroup } from "../../api/accounts/administrator.ts"
import { problemOf } from "../../api/shared/problems.ts"
import { Forbidden } from "../../api/shared/refusals.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { listed } from "../shared/listed.ts"
import { withoutNulls } from "../shared/withoutNulls.ts"
import { refuse } from "../shared/refuse.ts"

/** A permission as it is answered. */
export const toWirePermission = ({ level, ...rest }: Permission) => ({ ...rest, permission: level })

/** Answers the endpoints for administrators and their permissions (spec: accounts#permissions). */
export const administratorHandlers = Effect.map(
  Administrators,
  (administrators): GroupHandlers<typeof AdministratorGroup> => ({
    bind: ({ caller, payload: { organizationId, administratorId, mail, permission, orgAuthServerId } }) =>
      administrators
        .bind(caller, {
          organizationId,
          administrator: { administratorId: administratorId ?? undefined, mail: mail ?? undefined },
          level: permission,
          orgAuthServerId: orgAuthServerId ?? undefined
        })
        .pipe(Effect.map(toWirePermission), refuse()),
    create: ({ caller, payload: { organizationId, administratorId, mail, password, permission, orgAuthServerId } }) =>
      administrators
        .create(caller, {
          organizationId,
          administrator: { administratorId: administratorId ?? undefined, mail },
          password: typeof password === "string" ? Redacted.make(password) : undefined,
          level: permission,
          orgAuthServerId: orgAuthServerId ?? undefined
        })
        .pipe(Effect.map(toWirePermission), refuse()),
    list: ({ caller, params }) =>
      administrators.listByOrganization(caller, params.organizationId).pipe(
        Effect.map((permissions) => permissions.map(toWirePermission)),
        refuse()
      ),
    permissions: ({ caller, params }) =>
      params.administratorId === caller.administratorId
        ? administrators.listOwn(caller).pipe(listed(toWirePermission), refuse())
        : Effect.fail(new Forbidden(problemOf("PermissionsOfAnother"))),
    unbind: ({ caller, payload }) =>
      refuse()(
        administrators.unbind(caller, {
          organizationId: payload.organizationId,
          administratorId: payload.administratorId as AdministratorId
        })
      ),
    changeLevel: ({ caller, payload: { organizationId, permission: level, ...known } }) =>
      administrators
        .changeLevel(caller, organizationId, { ...withoutNulls(known), level } as PermissionUpdate)
        .pipe(Effect.map(toWirePermission), refuse())
  })
)
