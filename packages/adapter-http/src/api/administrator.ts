import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import {
  WireBinding,
  WireCreation,
  WirePermission,
  WirePermissionUpdate,
  WireUnbinding
} from "../wire/administrator.ts"
import { PathOrganizationId } from "../wire/fields.ts"
import { Administrators, WellFormed } from "./callers.ts"
import { Refusals } from "./refusals.ts"

const created = WirePermission.pipe(HttpApiSchema.status(201))
const error = [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

/** Administrators and their permissions (interface, section 4.2). */
export const AdministratorGroup = HttpApiGroup.make("administrator")
  .add(
    HttpApiEndpoint.post("bind", "/administrator/bindadministrator", { payload: WireBinding, success: created, error }),
    HttpApiEndpoint.post("create", "/administrator/createadministrator", {
      payload: WireCreation,
      success: created,
      error
    }),
    HttpApiEndpoint.get("list", "/administrator/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: Schema.Array(WirePermission),
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    }),
    HttpApiEndpoint.get("permissions", "/administrator/permission/:administratorId", {
      params: { administratorId: Schema.String },
      success: [Schema.Array(WirePermission), HttpApiSchema.NoContent],
      error: [Refusals.forbidden, Refusals.serviceUnavailable]
    }),
    HttpApiEndpoint.post("unbind", "/administrator/unbindadministrator", {
      payload: WireUnbinding,
      success: HttpApiSchema.NoContent,
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    }),
    HttpApiEndpoint.patch("changeLevel", "/administrator/updatepermission", {
      payload: WirePermissionUpdate,
      success: created,
      error
    })
  )
  .middleware(WellFormed)
  .middleware(Administrators)
