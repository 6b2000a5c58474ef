import { Text } from "@sojourn/core"
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
} from "../../wire/accounts/administrator.ts"
import { PathOrganizationId } from "../../wire/shared/fields.ts"
import { Administrators, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const created = WirePermission.pipe(HttpApiSchema.status(201))
const error = [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

/** Administrators and their permissions (spec: accounts#permissions). */
export class AdministratorGroup extends HttpApiGroup.make("administrator")
  .annotate(OpenApi.Description, "Who manages which organization, and how far.")
  .add(
    HttpApiEndpoint.post("bind", "/administrator/bindadministrator", {
      payload: WireBinding,
      success: created,
      error
    })
      .annotate(OpenApi.Summary, "Bind an administrator to an organization")
      .annotate(
        OpenApi.Description,
        "For its owners. The administrator has an account, and is named by id, by mail address, or by both; one with a password by id, as the address was not proved. The level is at most your own."
      ),
    HttpApiEndpoint.post("create", "/administrator/createadministrator", {
      payload: WireCreation,
      success: created,
      error
    })
      .annotate(OpenApi.Summary, "Create an administrator and bind it")
      .annotate(
        OpenApi.Description,
        "For its owners. A new account with a password signs in with the own issuer, under an id that the service makes: beside an administratorId the password is discarded. One with a mail address alone is an invitation."
      ),
    HttpApiEndpoint.get("list", "/administrator/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: Schema.Array(WirePermission),
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "List an organization's administrators")
      .annotate(OpenApi.Description, "For its owners."),
    HttpApiEndpoint.get("permissions", "/administrator/permission/:administratorId", {
      params: { administratorId: Text },
      success: [Schema.Array(WirePermission), EmptyList],
      error: [Refusals.forbidden, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "List the caller's own permissions")
      .annotate(OpenApi.Description, "For that administrator alone. 204 when there are none."),
    HttpApiEndpoint.post("unbind", "/administrator/unbindadministrator", {
      payload: WireUnbinding,
      success: HttpApiSchema.NoContent,
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Unbind an administrator")
      .annotate(OpenApi.Description, "For owners of the organization. The last owner stays."),
    HttpApiEndpoint.patch("changeLevel", "/administrator/updatepermission", {
      payload: WirePermissionUpdate,
      success: created,
      error
    })
      .annotate(OpenApi.Summary, "Change the level of a permission")
      .annotate(
        OpenApi.Description,
        "For owners of the organization. What else is sent must be as it is recorded. The last owner stays an owner."
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators) {}
