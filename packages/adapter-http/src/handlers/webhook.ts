import { secretText, type Webhook, Webhooks } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { WebhookGroup } from "../api/webhook.ts"
import type { GroupHandlers } from "../pipeline/endpoint.ts"
import { listed } from "./listed.ts"
import { refuse } from "./refuse.ts"

const fieldsOf = ({ webhookId, organizationId, url, types, progress: { state } }: Webhook) => ({
  webhookId,
  organizationId,
  url,
  types,
  state
})

const toWire = (webhook: Webhook) => ({
  ...fieldsOf(webhook),
  lastDeliveredVersion: webhook.progress.delivered,
  lastFailure: webhook.progress.lastFailure
})

/** Answers the endpoints for webhooks. */
export const webhookHandlers = Effect.map(Webhooks, (webhooks): GroupHandlers<typeof WebhookGroup> => ({
  create: ({ caller, params: { organizationId }, payload: { url, types } }) =>
    webhooks.create(caller, { organizationId, url, types: types ?? undefined }).pipe(
      Effect.map(({ webhook, secret }) => ({ ...fieldsOf(webhook), secret: secretText(secret) })),
      refuse()
    ),
  list: ({ caller, params: { organizationId } }) =>
    webhooks.list(caller, organizationId).pipe(listed(toWire), refuse()),
  remove: ({ caller, params: { webhookId } }) => refuse()(webhooks.remove(caller, webhookId)),
  enable: ({ caller, params: { webhookId } }) => webhooks.enable(caller, webhookId).pipe(Effect.map(toWire), refuse())
}))
