import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId, PathPlaceId } from "../../wire/shared/fields.ts"
import { WireHistoryRange, WireHistoryRow } from "../../wire/history/history.ts"
import { AdministratorsAndDisplays, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const ROWS =
  "For administrators of any level, and for displays: a row for each minute, hour or day since the feed began, for at most 1,500 steps. Days, and hours where it is not whole hours from UTC, are those of `timeZone`: the name of a time zone, or `organization` for that of the policy; left out, UTC. `from` is rounded down and `to` up. `entered`, `left`, `least`, `most` and the time-weighted `average` of people inside go by when the service recorded a movement. `averageStay`, in seconds, is of the stays whose exit was recorded in the step, by the stays' own times; of anonymous organizations it is rounded to whole minutes, and left out of steps that are not over or have fewer exits than `smallestCount` of the policy, 5 by default. 204 when there is none."

const options = {
  query: WireHistoryRange,
  success: [Schema.Array(WireHistoryRow), EmptyList] as const,
  error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const
}

/** The history of presence: an extension of the interface. */
export class HistoryGroup extends HttpApiGroup.make("history")
  .annotate(OpenApi.Description, "How many came, left and were inside over time.")
  .add(
    HttpApiEndpoint.get("organizationHistory", "/presence/organization/:organizationId/history", {
      params: { organizationId: PathOrganizationId },
      ...options
    })
      .annotate(OpenApi.Summary, "Read the history of an organization's presence")
      .annotate(OpenApi.Description, ROWS),
    HttpApiEndpoint.get("placeHistory", "/presence/place/:placeId/history", {
      params: { placeId: PathPlaceId },
      ...options
    })
      .annotate(OpenApi.Summary, "Read the history of a place's presence")
      .annotate(OpenApi.Description, ROWS)
  )
  .middleware(WellFormed)
  .middleware(AdministratorsAndDisplays)
  .annotate(OpenApi.Title, "history (extension)") {}
