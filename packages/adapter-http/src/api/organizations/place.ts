import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId, PathPlaceId, QueryLevel } from "../../wire/shared/fields.ts"
import { WirePlace, WirePlaceDraft, WirePlaceEdit } from "../../wire/organizations/place.ts"
import { Administrators, UsersAdministratorsAndDisplays, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

/** Places (spec: organizations#places). */
export class PlaceGroup extends HttpApiGroup.make("place")
  .annotate(OpenApi.Description, "Parts of an organization with an area of their own.")
  .add(
    HttpApiEndpoint.post("create", "/place", {
      payload: WirePlaceDraft,
      success: WirePlace.pipe(HttpApiSchema.status(201)),
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Create a place")
      .annotate(
        OpenApi.Description,
        "For managers and owners. The area lies inside the organization's and the parent's, and shares no more than a border with other places of its level that are neither parts of it nor it of them."
      )
      .middleware(Administrators),
    HttpApiEndpoint.delete("remove", "/place/:placeId", {
      params: { placeId: PathPlaceId },
      success: HttpApiSchema.Empty(205),
      error: [Refusals.forbidden, Refusals.notFound, Refusals.conflict, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Remove a place")
      .annotate(
        OpenApi.Description,
        "For managers and owners. The stays of those inside end with it. 409 while other places are parts of it."
      )
      .middleware(Administrators),
    HttpApiEndpoint.get("list", "/place/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      query: { level: Schema.optional(QueryLevel) },
      success: [Schema.Array(WirePlace), EmptyList],
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "List an organization's places")
      .annotate(
        OpenApi.Description,
        "For users, for administrators who are bound, and for displays of the organization. With `level`, the places on that floor alone. 204 when there is none."
      )
      .middleware(UsersAdministratorsAndDisplays),
    HttpApiEndpoint.put("edit", "/place", {
      payload: WirePlaceEdit,
      success: WirePlace,
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Change a place")
      .annotate(
        OpenApi.Description,
        "For managers and owners. Fields that are present change; a `null` name gives back the name by id, and a `null` level or parent clears it. A place never moves to another organization."
      )
      .middleware(Administrators)
  )
  .middleware(WellFormed) {}
