import * as Context from "effect/Context"
import { defaultWebhookReceiverPolicy, type WebhookReceiverPolicy } from "../../domain/webhooks/WebhookUrl.ts"

/** Which receivers of webhooks the operator allows; without one's own choice, the default policy. */
export const WebhookReceivers = Context.Reference<WebhookReceiverPolicy>("@sojourn/core/WebhookReceivers", {
  defaultValue: () => defaultWebhookReceiverPolicy
})
