import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId, PathPlaceId } from "../../wire/shared/fields.ts"
import {
  WireOrganizationAccess,
  WireOrganizationAuthenticatedAccess,
  WirePlaceAccess,
  WirePlaceAuthenticatedAccess
} from "../../wire/stays/access.ts"
import { Users, UsersAndAdministrators, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const anonymousError = [Refusals.badRequest, Refusals.serviceUnavailable] as const
const authenticatedError = [Refusals.badRequest, Refusals.forbidden, Refusals.serviceUnavailable] as const

const BY_TOKENS =
  "For users: reads the stays whose exit tokens the caller sends. Tokens that name no completed stay here are left out. By entrance, then by id."
const BY_PEOPLE =
  "For users, of the person whom they are linked to; for administrators who are bound, of any person. By entrance, then by id."

/** Completed stays (spec: stays#accesses-and-reports). The lists in the paths are comma-separated: see `wire/stays/pathList.ts`. */
export class AccessGroup extends HttpApiGroup.make("access")
  .annotate(OpenApi.Description, "Completed stays: entrance and exit are known.")
  .add(
    HttpApiEndpoint.get("organizationAnonymous", "/access/organization/:organizationId/anonymous/:exitTokens", {
      params: { organizationId: PathOrganizationId, exitTokens: Schema.String },
      success: [Schema.Array(WireOrganizationAccess), EmptyList],
      error: anonymousError
    })
      .annotate(OpenApi.Summary, "List an organization's accesses by exit tokens")
      .annotate(OpenApi.Description, BY_TOKENS)
      .middleware(Users),
    HttpApiEndpoint.get("placeAnonymous", "/access/place/:placeId/anonymous/:exitTokens", {
      params: { placeId: PathPlaceId, exitTokens: Schema.String },
      success: [Schema.Array(WirePlaceAccess), EmptyList],
      error: anonymousError
    })
      .annotate(OpenApi.Summary, "List a place's accesses by exit tokens")
      .annotate(OpenApi.Description, BY_TOKENS)
      .middleware(Users),
    HttpApiEndpoint.get(
      "organizationAuthenticated",
      "/access/organization/:organizationId/authenticated/:orgAuthServerIds",
      {
        params: { organizationId: PathOrganizationId, orgAuthServerIds: Schema.String },
        success: [Schema.Array(WireOrganizationAuthenticatedAccess), EmptyList],
        error: authenticatedError
      }
    )
      .annotate(OpenApi.Summary, "List an organization's accesses by people")
      .annotate(OpenApi.Description, BY_PEOPLE)
      .middleware(UsersAndAdministrators),
    HttpApiEndpoint.get("placeAuthenticated", "/access/place/:placeId/authenticated/:orgAuthServerIds", {
      params: { placeId: PathPlaceId, orgAuthServerIds: Schema.String },
      success: [Schema.Array(WirePlaceAuthenticatedAccess), EmptyList],
      error: authenticatedError
    })
      .annotate(OpenApi.Summary, "List a place's accesses by people")
      .annotate(OpenApi.Description, BY_PEOPLE)
      .middleware(UsersAndAdministrators)
  )
  .middleware(WellFormed) {}
