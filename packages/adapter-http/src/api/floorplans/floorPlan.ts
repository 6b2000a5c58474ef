import { FLOOR_PLAN_TYPES } from "@sojourn/core"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { WireFloor, WireFloorPlan, WireFloorPlanPlacement } from "../../wire/floorplans/floorPlan.ts"
import { PathOrganizationId } from "../../wire/shared/fields.ts"
import { Administrators, AdministratorsAndDisplays, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const params = { organizationId: PathOrganizationId }
const error = [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const
const images = FLOOR_PLAN_TYPES.map((contentType) => HttpApiSchema.asUint8Array({ contentType })(Schema.Uint8Array))

/** Floor plans (spec: floorplans#floor-plans): an extension of the interface. */
export class FloorPlanGroup extends HttpApiGroup.make("floorplan")
  .annotate(OpenApi.Description, "Images of floors, which lie under the areas of a map.")
  .add(
    HttpApiEndpoint.put("put", "/floorplan/organization/:organizationId", {
      params,
      query: WireFloorPlanPlacement,
      payload: images,
      success: WireFloorPlan,
      error: [Refusals.badRequest, Refusals.conflict, Refusals.payloadTooLarge, Refusals.unsupportedMediaType, ...error]
    })
      .annotate(OpenApi.Summary, "Keep the plan of a floor")
      .annotate(
        OpenApi.Description,
        "For managers: an image of at most 1 MiB and 4,096 pixels a side, which fills the box from `west` to `east` and `south` to `north`, in degrees, and is turned clockwise around its middle by `rotation` degrees. It takes the place of the floor's plan. At most 50 for an organization, 409 above."
      )
      .middleware(Administrators),
    HttpApiEndpoint.get("get", "/floorplan/organization/:organizationId", {
      params,
      query: WireFloor,
      success: images,
      error: [Refusals.badRequest, ...error]
    })
      .annotate(OpenApi.Summary, "Read the plan of a floor")
      .annotate(
        OpenApi.Description,
        "For administrators of any level, and for displays: the image. 304 for the `ETag` that is known."
      )
      .middleware(AdministratorsAndDisplays),
    HttpApiEndpoint.delete("remove", "/floorplan/organization/:organizationId", {
      params,
      query: WireFloor,
      success: HttpApiSchema.NoContent,
      error: [Refusals.badRequest, ...error]
    })
      .annotate(OpenApi.Summary, "Remove the plan of a floor")
      .annotate(OpenApi.Description, "For managers.")
      .middleware(Administrators),
    HttpApiEndpoint.get("list", "/floorplans/organization/:organizationId", {
      params,
      success: [Schema.Array(WireFloorPlan), EmptyList],
      error
    })
      .annotate(OpenApi.Summary, "List the floor plans of an organization")
      .annotate(
        OpenApi.Description,
        "For administrators of any level, and for displays: the plans without their images, the lowest floor first. 204 when there is none."
      )
      .middleware(AdministratorsAndDisplays)
  )
  .middleware(WellFormed)
  .annotate(OpenApi.Title, "floorplan (extension)") {}
