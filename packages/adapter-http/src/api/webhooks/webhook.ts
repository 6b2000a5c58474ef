import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId, PathWebhookId } from "../../wire/shared/fields.ts"
import {
  WireCreatedWebhook,
  WireWebhook,
  WireWebhookAttempt,
  WireWebhookDraft,
  WireWebhookReplay
} from "../../wire/webhooks/webhook.ts"
import { Administrators, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const refusals = [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

/** Webhooks of organizations: an extension of the interface. */
export class WebhookGroup extends HttpApiGroup.make("webhook")
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
        "For owners. A webhook that is disabled or failing goes on at once, after the event that was delivered last. One that was disabled is the caller's from then on (`createdBy`)."
      ),
    HttpApiEndpoint.post("renewSecret", "/webhook/:webhookId/secret", {
      params: { webhookId: PathWebhookId },
      success: WireCreatedWebhook,
      error: refusals
    })
      .annotate(OpenApi.Summary, "Give a webhook a new secret")
      .annotate(
        OpenApi.Description,
        "For owners. The new secret is answered this once. For 24 hours deliveries carry two signatures, of the new secret and of the one before it; a third secret ends the oldest at once."
      ),
    HttpApiEndpoint.post("replay", "/webhook/:webhookId/replay", {
      params: { webhookId: PathWebhookId },
      payload: WireWebhookReplay,
      success: WireWebhook,
      error: [Refusals.badRequest, ...refusals]
    })
      .annotate(OpenApi.Summary, "Deliver events again")
      .annotate(
        OpenApi.Description,
        "For owners. Delivers the events from `fromVersion` on, again where they were delivered before. A failing webhook does so at its next attempt, a disabled one once it is enabled. 400 for a version before the oldest event that is kept, or after the newest one."
      ),
    HttpApiEndpoint.post("test", "/webhook/:webhookId/test", {
      params: { webhookId: PathWebhookId },
      success: HttpApiSchema.NoContent,
      error: [...refusals, Refusals.tooManyRequests]
    })
      .annotate(OpenApi.Summary, "Test a webhook")
      .annotate(
        OpenApi.Description,
        "For owners. Within about two seconds a delivery of the type `webhook.test` is sent, once and whatever the webhook's state, which it does not change: it is no event. Its outcome is among the attempts. 429 while the test before was not sent yet."
      ),
    HttpApiEndpoint.get("attempts", "/webhook/:webhookId/attempts", {
      params: { webhookId: PathWebhookId },
      success: [Schema.Array(WireWebhookAttempt), EmptyList],
      error: refusals
    })
      .annotate(OpenApi.Summary, "List the last attempts of a webhook")
      .annotate(
        OpenApi.Description,
        "For owners. The last 50 attempts to send a delivery, newest first; one without `version` was a test. 204 when there is none."
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators)
  .annotate(OpenApi.Title, "webhook (extension)") {}
