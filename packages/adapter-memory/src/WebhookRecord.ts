import type { Timestamp, Webhook } from "@sojourn/core"

/** A webhook, and the server that delivers for it. */
export interface WebhookRecord {
  webhook: Webhook
  lease: { readonly holder: string; readonly until: Timestamp } | undefined
}
