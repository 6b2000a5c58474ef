import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
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
import { EmptyList } from "./emptyList.ts"
import { Refusals } from "./refusals.ts"

const created = WirePermission.pipe(HttpApiSchema.status(201))
const error = [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

/** Administrators and their permissions (interface, section 4.2). */
export const AdministratorGroup = HttpApiGroup.make("administrator")
  .add(
    HttpApiEndpoint.post("bind", "/administrator/bindadministrator", {
      payload: WireBinding,
      success: created,
      error
    }).annotate(OpenApi.Summary, "Bind an administrator to an organization"),
    HttpApiEndpoint.post("create", "/administrator/createadministrator", {
      payload: WireCreation,
      success: created,
      error
    }).annotate(OpenApi.Summary, "Create an administrator and bind it"),
    HttpApiEndpoint.get("list", "/administrator/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: Schema.Array(WirePermission),
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    }).annotate(OpenApi.Summary, "List an organization's administrators"),
    HttpApiEndpoint.get("permissions", "/administrator/permission/:administratorId", {
      params: { administratorId: Schema.String },
      success: [Schema.Array(WirePermission), EmptyList],
      error: [Refusals.forbidden, Refusals.serviceUnavailable]
    }).annotate(OpenApi.Summary, "List the caller's own permissions"),
    HttpApiEndpoint.post("unbind", "/administrator/unbindadministrator", {
      payload: WireUnbinding,
      success: HttpApiSchema.NoContent,
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    }).annotate(OpenApi.Summary, "Unbind an administrator"),
    HttpApiEndpoint.patch("changeLevel", "/administrator/updatepermission", {
      payload: WirePermissionUpdate,
      success: created,
      error
    }).annotate(OpenApi.Summary, "Change the level of a permission")
  )
  .middleware(WellFormed)
  .middleware(Administrators)
