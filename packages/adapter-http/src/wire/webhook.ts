import { WebhookEventType } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, ofOrganization, WireTimestamp, WireWebhookId } from "./fields.ts"

/** A webhook that is asked for. Whether deliveries may be sent to the URL is decided after authority. */
export const WireWebhookDraft = Schema.Struct({
  url: Schema.String,
  types: leftOut(Schema.Array(WebhookEventType).check(Schema.isMinLength(1), Schema.isMaxLength(100)))
}).annotate({ identifier: "WebhookDraft" })

const webhook = {
  webhookId: WireWebhookId,
  ...ofOrganization,
  url: Schema.String,
  types: Schema.Array(WebhookEventType),
  state: Schema.Literals(["active", "failing", "disabled"])
}

/** A webhook that was created, with the secret that verifies its deliveries. */
export const WireCreatedWebhook = Schema.Struct({ ...webhook, secret: Schema.String }).annotate({
  identifier: "CreatedWebhook"
})

/** A webhook, and how far its deliveries are. */
export const WireWebhook = Schema.Struct({
  ...webhook,
  lastDeliveredVersion: known(Schema.Int),
  lastFailure: known(Schema.Struct({ at: WireTimestamp, reason: Schema.String }))
}).annotate({ identifier: "Webhook" })
