/** Who is inside, and musters: an extension of the interface. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathMusterId, PathOrganizationId, PathPlaceId } from "../../wire/shared/fields.ts"
import {
  WireMarking,
  WireMuster,
  WireMusterDraft,
  WireMusterSummary,
  WirePersonInside,
  WireSweep,
  WireUnmarking
} from "../../wire/musters/muster.ts"
import { Administrators, WellFormed } from "../shared/callers.ts"
import { withCsv } from "../shared/csv.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const error = [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const
const errorWithConflict = [...error, Refusals.conflict] as const
const inside = [Schema.Array(WirePersonInside), EmptyList] as const
const params = { musterId: PathMusterId }

const INSIDE =
  "For administrators of any level, in authenticated organizations; 400 in others. By person, since the entrance of their stay. " +
  "204 when there is none."

export class MusterGroup extends HttpApiGroup.make("muster")
  .annotate(OpenApi.Description, "Who is inside, and musters: lists of who was, with who of them is safe.")
  .add(
    HttpApiEndpoint.get("insideOrganization", "/presence/organization/:organizationId/inside", {
      params: { organizationId: PathOrganizationId },
      success: inside,
      error
    })
      .annotate(OpenApi.Summary, "List who is inside an organization or a place of it")
      .annotate(OpenApi.Description, INSIDE),
    HttpApiEndpoint.get("insidePlace", "/presence/place/:placeId/inside", {
      params: { placeId: PathPlaceId },
      success: inside,
      error
    })
      .annotate(OpenApi.Summary, "List who is inside a place")
      .annotate(OpenApi.Description, INSIDE),
    HttpApiEndpoint.post("startMuster", "/muster/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      payload: WireMusterDraft,
      success: WireMuster.pipe(HttpApiSchema.status(201)),
      error: errorWithConflict
    })
      .annotate(OpenApi.Summary, "Start a muster")
      .annotate(
        OpenApi.Description,
        "For managers: of the people who are inside at one moment. 409 while a muster of the organization is open."
      ),
    HttpApiEndpoint.get("listMusters", "/muster/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: [Schema.Array(WireMusterSummary), EmptyList],
      error
    })
      .annotate(OpenApi.Summary, "List the musters of an organization")
      .annotate(
        OpenApi.Description,
        "For administrators of any level: without their people, the newest first. 204 when there is none."
      ),
    HttpApiEndpoint.get("readMuster", "/muster/:musterId", { params, success: WireMuster, error })
      .annotate(OpenApi.Transform, withCsv)
      .annotate(OpenApi.Summary, "Read a muster")
      .annotate(
        OpenApi.Description,
        "For administrators of any level. With `Accept: text/csv` the people as CSV (RFC 4180); a text that a spreadsheet would " +
          "take for a formula is preceded by `'`. An anonymous muster has numbers alone."
      ),
    HttpApiEndpoint.post("markSafe", "/muster/:musterId/safe", {
      params,
      payload: WireMarking,
      success: WireMuster,
      error: errorWithConflict
    })
      .annotate(OpenApi.Summary, "Mark people as safe")
      .annotate(
        OpenApi.Description,
        "For administrators of any level: `orgAuthServerIds`, 1,000 at most; in an anonymous muster `count`, how many people are at " +
          "the muster point in all. Adds people who were not known to be inside: at most as many as were inside, or 1,000. 409 above, which " +
          "marks no person, and after the end."
      ),
    HttpApiEndpoint.post("markMissing", "/muster/:musterId/missing", {
      params,
      payload: WireUnmarking,
      success: WireMuster,
      error: errorWithConflict
    })
      .annotate(OpenApi.Summary, "Take back marks")
      .annotate(
        OpenApi.Description,
        "For administrators of any level, in authenticated organizations; 400 in others, whose numbers another `count` corrects. People " +
          "who were added by a mark alone are taken out again, and people without a mark stay as they are. 409 after the end."
      ),
    HttpApiEndpoint.post("markSwept", "/muster/:musterId/swept", {
      params,
      payload: WireSweep,
      success: WireMuster,
      error: errorWithConflict
    })
      .annotate(OpenApi.Summary, "Mark a place as searched, or take that back")
      .annotate(
        OpenApi.Description,
        "For administrators of any level. `swept` of the muster says which places were searched, when and by whom first. 400 for a place that " +
          "the organization does not have, 409 after the end."
      ),
    HttpApiEndpoint.post("endMuster", "/muster/:musterId/end", { params, success: WireMuster, error })
      .annotate(OpenApi.Summary, "End a muster")
      .annotate(
        OpenApi.Description,
        "For managers. It stays as it is in that moment; a muster that has ended is answered unchanged."
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators)
  .annotate(OpenApi.Title, "muster (extension)") {}
