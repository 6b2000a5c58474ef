import { WebhookEventType } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, ofOrganization, WireTimestamp, WireWebhookId } from "../shared/fields.ts"

/** A webhook to be created. Whether deliveries may be sent to the URL is decided after authority. */
export const WireWebhookDraft = Schema.Struct({
  url: Schema.String,
  types: leftOut(Schema.Array(WebhookEventType).check(Schema.isMinLength(1), Schema.isMaxLength(100)))
}).annotate({ identifier: "WebhookDraft" })

/** Where a replay begins. */
export const WireWebhookReplay = Schema.Struct({ fromVersion: Schema.Int }).annotate({ identifier: "WebhookReplay" })

const webhook = {
  webhookId: WireWebhookId,
  ...ofOrganization,
  url: Schema.String,
  types: Schema.Array(WebhookEventType),
  state: Schema.Literals(["active", "failing", "disabled"]),
  createdBy: Schema.String
}

/** A webhook that was created or got a new secret, with the secret that verifies its deliveries. */
export const WireCreatedWebhook = Schema.Struct({ ...webhook, secret: Schema.String }).annotate({
  identifier: "CreatedWebhook"
})

/** A webhook, and how far its deliveries are. */
export const WireWebhook = Schema.Struct({
  ...webhook,
  lastDeliveredVersion: known(Schema.Int),
  lastFailure: known(Schema.Struct({ at: WireTimestamp, reason: Schema.String }))
}).annotate({ identifier: "Webhook" })

/** An attempt to send a delivery: of an event, or without `version` of a test. */
export const WireWebhookAttempt = Schema.Struct({
  version: known(Schema.Int),
  at: WireTimestamp,
  status: known(Schema.Int),
  ms: Schema.Int,
  failure: known(Schema.String)
}).annotate({ identifier: "WebhookAttempt" })
