/** Accesses and reports of a window of time: an extension of the interface. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId, PathPlaceId } from "../../wire/shared/fields.ts"
import {
  QueryAccesses,
  QueryOwn,
  QueryWindow,
  WireOrganizationAccesses,
  WirePlaceAccesses,
  WireTimePerUserOfOrganization
} from "../../wire/stays/window.ts"
import { Administrators, WellFormed } from "../shared/callers.ts"
import { withCsv } from "../shared/csv.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const error = [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

const LISTED =
  "For administrators of any level, in authenticated organizations; 400 in others. Those whose entrance is from `from` on and before `to`, " +
  "366 days at most, of the people `orgAuthServerId` where it is sent. By entrance, then by id. `next` is there while there are more, and the " +
  "next part is asked for with it as `after`. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a " +
  "byte order mark), with local times in the time zone of the policy; a text that a spreadsheet would take for a formula is preceded by `'`."

/** Accesses and reports of a window (spec: stays#window). */
export class WindowGroup extends HttpApiGroup.make("window")
  .annotate(OpenApi.Description, "What was in a window of time: accesses, and how long people stayed.")
  .add(
    HttpApiEndpoint.get("organizationAccesses", "/record/organization/:organizationId/access", {
      params: { organizationId: PathOrganizationId },
      query: { ...QueryAccesses, premises: Schema.optional(QueryOwn) },
      success: [WireOrganizationAccesses, EmptyList],
      error
    })
      .annotate(OpenApi.Transform, withCsv)
      .annotate(OpenApi.Summary, "List the accesses of an organization and its places in a window of time")
      .annotate(
        OpenApi.Description,
        `${LISTED} \`placeId\` names the place; with \`premises=own\` the organization's own alone.`
      ),
    HttpApiEndpoint.get("placeAccesses", "/record/place/:placeId/access", {
      params: { placeId: PathPlaceId },
      query: QueryAccesses,
      success: [WirePlaceAccesses, EmptyList],
      error
    })
      .annotate(OpenApi.Transform, withCsv)
      .annotate(OpenApi.Summary, "List the accesses of a place in a window of time")
      .annotate(OpenApi.Description, LISTED),
    HttpApiEndpoint.get("organizationReport", "/record/organization/:organizationId/report", {
      params: { organizationId: PathOrganizationId },
      query: QueryWindow,
      success: [Schema.Array(WireTimePerUserOfOrganization), EmptyList],
      error
    })
      .annotate(OpenApi.Summary, "Report the time per person inside an organization in a window of time")
      .annotate(
        OpenApi.Description,
        "For administrators of any level: whole seconds inside the window, over the organization's own closed stays of people, which are cut at " +
          "its ends. People without any are left out. 204 when there is none."
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators)
  .annotate(OpenApi.Title, "window (extension)") {}
