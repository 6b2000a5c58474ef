import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId } from "../wire/fields.ts"
import {
  WireDeletionRequestDraft,
  WireOrganization,
  WireOrganizationEdit,
  WireTrackingAreaForm
} from "../wire/organization.ts"
import { Administrators, Users, UsersAndAdministrators, WellFormed } from "./callers.ts"
import { EmptyList } from "./emptyList.ts"
import { Refusals } from "./refusals.ts"

/** Organizations (interface, section 4.1). */
export const OrganizationGroup = HttpApiGroup.make("organization").add(
  HttpApiEndpoint.get("get", "/organization/:organizationId", {
    params: { organizationId: PathOrganizationId },
    success: WireOrganization,
    error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
  })
    .annotate(OpenApi.Summary, "Read an organization")
    .middleware(WellFormed)
    .middleware(UsersAndAdministrators),
  HttpApiEndpoint.get("list", "/organization", {
    success: [Schema.Array(WireOrganization), EmptyList],
    error: Refusals.serviceUnavailable
  })
    .annotate(OpenApi.Summary, "List all organizations")
    .middleware(Users),
  HttpApiEndpoint.post("requestDeletion", "/organization/requestdeletion", {
    payload: WireDeletionRequestDraft,
    success: HttpApiSchema.NoContent,
    error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
  })
    .annotate(OpenApi.Summary, "Ask for the deletion of an organization")
    .middleware(WellFormed)
    .middleware(Administrators),
  HttpApiEndpoint.put("edit", "/organization", {
    payload: WireOrganizationEdit,
    success: WireOrganization,
    error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
  })
    .annotate(OpenApi.Summary, "Change an organization")
    .middleware(WellFormed)
    .middleware(Administrators),
  HttpApiEndpoint.patch("editTrackingArea", "/organization/:organizationId/trackingArea", {
    params: { organizationId: PathOrganizationId },
    payload: WireTrackingAreaForm.pipe(HttpApiSchema.asFormUrlEncoded()),
    success: WireOrganization,
    error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
  })
    .annotate(OpenApi.Summary, "Change an organization's tracking area")
    .middleware(WellFormed)
    .middleware(Administrators)
)
