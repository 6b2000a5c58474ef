/** The groups of endpoints that read and have one endpoint or two: counters, reports, and information on users. */
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

const COUNT =
  "For administrators of any level: the number of open stays now; in an anonymous organization with a publishing interval as of the last event."

/** Presence counters (interface, section 4.7). */
export const PresenceGroup = HttpApiGroup.make("presence")
  .annotate(OpenApi.Description, "How many are inside now.")
  .add(
    HttpApiEndpoint.get("organizationCounter", "/presence/organization/:organizationId/counter", {
      params: { organizationId: PathOrganizationId },
      success: WireOrganizationCounter,
      error
    })
      .annotate(OpenApi.Summary, "Count the people inside an organization")
      .annotate(OpenApi.Description, COUNT),
    HttpApiEndpoint.get("placeCounter", "/presence/place/:placeId/counter", {
      params: { placeId: PathPlaceId },
      success: WirePlaceCounter,
      error
    })
      .annotate(OpenApi.Summary, "Count the people inside a place")
      .annotate(OpenApi.Description, COUNT)
  )
  .middleware(WellFormed)
  .middleware(Administrators)

/** Reports (interface, section 4.8). */
export const ReportGroup = HttpApiGroup.make("report")
  .annotate(OpenApi.Description, "How long people stayed.")
  .add(
    HttpApiEndpoint.get("timePerUser", "/report/place/:placeId", {
      params: { placeId: PathPlaceId },
      success: [Schema.Array(WireTimePerUser), EmptyList],
      error
    })
      .annotate(OpenApi.Summary, "Report the total time per person inside a place")
      .annotate(
        OpenApi.Description,
        "For administrators of any level: whole seconds over closed stays of people. 204 when there is none."
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators)

/** Information on users, from the organization's own authentication server (interface, section 4.8). */
export const AuthenticationServerGroup = HttpApiGroup.make("authenticationserver")
  .annotate(OpenApi.Description, "What an organization's own authentication server knows of people.")
  .add(
    HttpApiEndpoint.post("userInformation", "/authenticationserver/userinformation", {
      payload: WireInformationRequest,
      success: [Schema.Array(WireInformation), EmptyList],
      error: [
        Refusals.badRequest,
        Refusals.forbidden,
        Refusals.notFound,
        Refusals.tooManyRequests,
        Refusals.badGateway,
        Refusals.serviceUnavailable,
        Refusals.gatewayTimeout
      ]
    })
      .annotate(OpenApi.Summary, "Ask an organization's authentication server for names")
      .annotate(
        OpenApi.Description,
        'For administrators of any level, with credentials of their own on that server. `["*"]` asks for everyone whom these may see, 1,000 at most.'
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators)
