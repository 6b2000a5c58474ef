/** The endpoint for reports. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathPlaceId } from "../../wire/shared/fields.ts"
import { QueryWindow } from "../../wire/stays/window.ts"
import { WireTimePerUser } from "../../wire/stays/report.ts"
import { Administrators, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const error = [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

/** Reports (spec: stays#report). */
export class ReportGroup extends HttpApiGroup.make("report")
  .annotate(OpenApi.Description, "How long people stayed.")
  .add(
    HttpApiEndpoint.get("timePerUser", "/report/place/:placeId", {
      params: { placeId: PathPlaceId },
      query: { from: Schema.optional(QueryWindow.from), to: Schema.optional(QueryWindow.to) },
      success: [Schema.Array(WireTimePerUser), EmptyList],
      error
    })
      .annotate(OpenApi.Summary, "Report the total time per person inside a place")
      .annotate(
        OpenApi.Description,
        "For administrators of any level: whole seconds over closed stays of people. With `from` and `to` of those inside this window, 366 days at most, at whose ends stays are cut; people without any are left out. 204 when there is none."
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators) {}
