import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { PathOrganizationId, PathPlaceId } from "../../wire/shared/fields.ts"
import {
  WireCleared,
  WireEnded,
  WireOrganizationClear,
  WireOrganizationEnd,
  WirePlaceEnd
} from "../../wire/stays/ending.ts"
import { Administrators, WellFormed } from "../shared/callers.ts"
import { Refusals } from "../shared/refusals.ts"

const error = [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const
const organization = { params: { organizationId: PathOrganizationId }, error } as const
const place = { params: { placeId: PathPlaceId }, error } as const

const END =
  "For managers, in authenticated organizations; 400 in others. The open stays of these people end as accesses at `exitTimestamp`, now when left out; a stay that began later stays open. Their exit tokens are unknown from then on."
const CLEAR =
  "For managers. All stays that are open when it begins are abandoned: they are no accesses, and their exit tokens are unknown from then on. The people whom devices count become 0. It answers when all is done, `ended` and `counted` as published where the organization has a publishing interval. One that fails may be sent again."

/** Ends of stays that no exit ended: an extension of the interface. */
export const StayEndingGroup = HttpApiGroup.make("ending")
  .annotate(OpenApi.Description, "Ends of stays that no exit ended.")
  .add(
    HttpApiEndpoint.post("endOrganization", "/record/organization/:organizationId/end", {
      ...organization,
      payload: WireOrganizationEnd,
      success: WireEnded
    })
      .annotate(OpenApi.Summary, "End stays of people in an organization")
      .annotate(OpenApi.Description, `${END} With \`places\` those in its places end as well.`),
    HttpApiEndpoint.post("endPlace", "/record/place/:placeId/end", {
      ...place,
      payload: WirePlaceEnd,
      success: WireEnded
    })
      .annotate(OpenApi.Summary, "End stays of people in a place")
      .annotate(OpenApi.Description, END),
    HttpApiEndpoint.post("clearOrganization", "/record/organization/:organizationId/clear", {
      ...organization,
      payload: WireOrganizationClear,
      success: WireCleared
    })
      .annotate(OpenApi.Summary, "Clear an organization")
      .annotate(OpenApi.Description, `${CLEAR} With \`places\` its places are cleared as well.`),
    HttpApiEndpoint.post("clearPlace", "/record/place/:placeId/clear", {
      ...place,
      success: WireCleared
    })
      .annotate(OpenApi.Summary, "Clear a place")
      .annotate(OpenApi.Description, `${CLEAR} A body, such as \`{}\`, means nothing.`)
  )
  .middleware(WellFormed)
  .middleware(Administrators)
  .annotate(OpenApi.Title, "ending (extension)")
