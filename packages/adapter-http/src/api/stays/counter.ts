/** The endpoints for presence counters. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { PathOrganizationId, PathPlaceId } from "../../wire/shared/fields.ts"
import { WireOrganizationCounter, WirePlaceCounter } from "../../wire/stays/counter.ts"
import { AdministratorsAndDisplays, WellFormed } from "../shared/callers.ts"
import { Refusals } from "../shared/refusals.ts"

const error = [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

const COUNT =
  "For administrators of any level, and for displays: the number of open stays now; in an anonymous organization with a publishing interval as of the last event."

/** Presence counters (spec: stays#counters). */
export class PresenceGroup extends HttpApiGroup.make("presence")
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
  .middleware(AdministratorsAndDisplays) {}
