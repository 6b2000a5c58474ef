import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { QueryOrganizationIds, WireMessage } from "../../wire/feed/presence.ts"
import { AdministratorsAndDisplays, WellFormed } from "../shared/callers.ts"
import { Refusals } from "../shared/refusals.ts"

const STREAM =
  "For administrators of any level in each of the organizations, 20 at most, and for displays of the organization: server-sent events. A `snapshot` comes first, then each event of the organizations' feeds, without a gap. `Last-Event-ID` or `lastEventId` goes on after the message with this id."

/** The stream of presence events: an extension of the interface. */
export class StreamGroup extends HttpApiGroup.make("stream")
  .annotate(OpenApi.Description, "What changes in organizations, as it happens.")
  .add(
    HttpApiEndpoint.get("presence", "/presence/stream", {
      query: { organizations: QueryOrganizationIds, lastEventId: Schema.optional(Schema.String) },
      headers: { "last-event-id": Schema.optional(Schema.String) },
      success: HttpApiSchema.StreamSse({ events: WireMessage }),
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Follow how many people are inside")
      .annotate(OpenApi.Description, STREAM)
  )
  .middleware(WellFormed)
  .middleware(AdministratorsAndDisplays)
  .annotate(OpenApi.Title, "stream (extension)") {}
