import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId, PathWebhookId } from "../wire/fields.ts"
import { WireCreatedWebhook, WireWebhook, WireWebhookDraft } from "../wire/webhook.ts"
import { Administrators, WellFormed } from "./callers.ts"
import { EmptyList } from "./emptyList.ts"
import { Refusals } from "./refusals.ts"

const refusals = [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

/** Webhooks of organizations: an extension of the interface. */
export const WebhookGroup = HttpApiGroup.make("webhook")
  .annotate(OpenApi.Description, "URLs to which an organization's events are delivered.")
  .add(
    HttpApiEndpoint.post("create", "/webhook/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      payload: WireWebhookDraft,
      success: WireCreatedWebhook.pipe(HttpApiSchema.status(201)),
      error: [Refusals.badRequest, Refusals.conflict, ...refusals]
    })
      .annotate(OpenApi.Summary, "Create a webhook")
      .annotate(
        OpenApi.Description,
        "For owners. Events that are recorded from now on are sent to the `https` URL, as Standard Webhooks 1.0.0 says; `types` left out: all but `presence.changed`. The secret that verifies them is answered this once. 409 when the organization has 10 webhooks."
      ),
    HttpApiEndpoint.get("list", "/webhook/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: [Schema.Array(WireWebhook), EmptyList],
      error: refusals
    })
      .annotate(OpenApi.Summary, "List the webhooks of an organization")
      .annotate(OpenApi.Description, "For owners, in the order of creation, without secrets. 204 when there is none."),
    HttpApiEndpoint.delete("remove", "/webhook/:webhookId", {
      params: { webhookId: PathWebhookId },
      success: HttpApiSchema.NoContent,
      error: refusals
    })
      .annotate(OpenApi.Summary, "Delete a webhook")
      .annotate(OpenApi.Description, "For owners."),
    HttpApiEndpoint.post("enable", "/webhook/:webhookId/enable", {
      params: { webhookId: PathWebhookId },
      success: WireWebhook,
      error: refusals
    })
      .annotate(OpenApi.Summary, "Enable a webhook")
      .annotate(
        OpenApi.Description,
        "For owners. A webhook that is disabled or failing goes on at once, after the event that was delivered last."
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators)
  .annotate(OpenApi.Title, "webhook (extension)")
