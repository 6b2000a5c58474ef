import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId } from "../../wire/shared/fields.ts"
import {
  WireDeletionRequest,
  WireDeletionRequestDraft,
  WireOrganization,
  WireOrganizationEdit,
  WireTrackingAreaForm
} from "../../wire/organizations/organization.ts"
import { Administrators, Users, UsersAdministratorsAndDisplays, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

/** Organizations (spec: organizations#organizations). */
export class OrganizationGroup extends HttpApiGroup.make("organization")
  .annotate(OpenApi.Description, "What tracks: organizations, their profiles and areas.")
  .add(
    HttpApiEndpoint.get("get", "/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: WireOrganization,
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Read an organization")
      .annotate(OpenApi.Description, "For users, for administrators who are bound to it, and for displays of it.")
      .middleware(WellFormed)
      .middleware(UsersAdministratorsAndDisplays),
    HttpApiEndpoint.get("list", "/organization", {
      success: [Schema.Array(WireOrganization), EmptyList],
      error: Refusals.serviceUnavailable
    })
      .annotate(OpenApi.Summary, "List all organizations")
      .annotate(OpenApi.Description, "For users. 204 when there is none.")
      .middleware(Users),
    HttpApiEndpoint.post("requestDeletion", "/organization/requestdeletion", {
      payload: WireDeletionRequestDraft,
      success: HttpApiSchema.NoContent,
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Ask for the deletion of an organization")
      .annotate(
        OpenApi.Description,
        "For its owners. An operator decides. While a request is pending, another one changes nothing."
      )
      .middleware(WellFormed)
      .middleware(Administrators),
    HttpApiEndpoint.get("getDeletionRequest", "/organization/:organizationId/deletionrequest", {
      params: { organizationId: PathOrganizationId },
      success: [WireDeletionRequest, EmptyList],
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Read the pending deletion request of an organization (extension)")
      .annotate(OpenApi.Description, "For its owners. 204 when there is none, or when it is decided.")
      .middleware(WellFormed)
      .middleware(Administrators),
    HttpApiEndpoint.put("edit", "/organization", {
      payload: WireOrganizationEdit,
      success: WireOrganization,
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Change an organization")
      .annotate(
        OpenApi.Description,
        "For its owners. Fields that are present change, `null` clears an optional one. The area must hold all places and be no larger than the operator allows; the name must be free; `authenticated` needs an `authenticationServerURL`."
      )
      .middleware(WellFormed)
      .middleware(Administrators),
    HttpApiEndpoint.patch("editTrackingArea", "/organization/:organizationId/trackingArea", {
      params: { organizationId: PathOrganizationId },
      payload: WireTrackingAreaForm.pipe(HttpApiSchema.asFormUrlEncoded()),
      success: WireOrganization,
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Change an organization's tracking area")
      .annotate(
        OpenApi.Description,
        "For managers and owners. The area must hold all places and be no larger than the operator allows."
      )
      .middleware(WellFormed)
      .middleware(Administrators)
  ) {}
