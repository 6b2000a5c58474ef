import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { WireInformation, WireInformationRequest } from "../wire/authenticationServer.ts"
import { PathOrganizationId, PathPlaceId } from "../wire/fields.ts"
import { WireOrganizationCounter, WirePlaceCounter, WireTimePerUser } from "../wire/reading.ts"
import { Administrators, WellFormed } from "./callers.ts"
import { EmptyList } from "./emptyList.ts"
import { Refusals } from "./refusals.ts"

const error = [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

/** Presence counters (interface, section 4.7). */
export const PresenceGroup = HttpApiGroup.make("presence")
  .add(
    HttpApiEndpoint.get("organizationCounter", "/presence/organization/:organizationId/counter", {
      params: { organizationId: PathOrganizationId },
      success: WireOrganizationCounter,
      error
    }).annotate(OpenApi.Summary, "Count the people inside an organization"),
    HttpApiEndpoint.get("placeCounter", "/presence/place/:placeId/counter", {
      params: { placeId: PathPlaceId },
      success: WirePlaceCounter,
      error
    }).annotate(OpenApi.Summary, "Count the people inside a place")
  )
  .middleware(WellFormed)
  .middleware(Administrators)

/** Reports (interface, section 4.8). */
export const ReportGroup = HttpApiGroup.make("report")
  .add(
    HttpApiEndpoint.get("timePerUser", "/report/place/:placeId", {
      params: { placeId: PathPlaceId },
      success: [Schema.Array(WireTimePerUser), EmptyList],
      error
    }).annotate(OpenApi.Summary, "Report the total time per person inside a place")
  )
  .middleware(WellFormed)
  .middleware(Administrators)

/** Information on users, from the organization's own authentication server (interface, section 4.8). */
export const AuthenticationServerGroup = HttpApiGroup.make("authenticationserver")
  .add(
    HttpApiEndpoint.post("userInformation", "/authenticationserver/userinformation", {
      payload: WireInformationRequest,
      success: [Schema.Array(WireInformation), EmptyList],
      error: [
        Refusals.badRequest,
        Refusals.forbidden,
        Refusals.notFound,
        Refusals.badGateway,
        Refusals.serviceUnavailable,
        Refusals.gatewayTimeout
      ]
    }).annotate(OpenApi.Summary, "Ask an organization's authentication server for names")
  )
  .middleware(WellFormed)
  .middleware(Administrators)
