import { secretText, type Webhook, Webhooks, type WebhookWithSecret } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { WebhookGroup } from "../../api/webhooks/webhook.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { listed } from "../shared/listed.ts"
import { refuse } from "../shared/refuse.ts"

const fieldsOf = ({ webhookId, organizationId, url, types, createdBy, progress: { state } }: Webhook) => ({
  webhookId,
  organizationId,
  url,
  types,
  state,
  createdBy
})

const withSecret = ({ webhook, secret }: WebhookWithSecret) => ({ ...fieldsOf(webhook), secret: secretText(secret) })

const toWire = (webhook: Webhook) => ({
  ...fieldsOf(webhook),
  lastDeliveredVersion: webhook.progress.delivered,
  lastFailure: webhook.progress.lastFailure
})

/** Answers the endpoints for webhooks. */
export const webhookHandlers = Effect.map(Webhooks, (webhooks): GroupHandlers<typeof WebhookGroup> => ({
  create: ({ caller, params: { organizationId }, payload: { url, types } }) =>
    webhooks.create(caller, { organizationId, url, types: types ?? undefined }).pipe(Effect.map(withSecret), refuse()),
  list: ({ caller, params: { organizationId } }) =>
    webhooks.list(caller, organizationId).pipe(listed(toWire), refuse()),
  remove: ({ caller, params: { webhookId } }) => refuse()(webhooks.remove(caller, webhookId)),
  enable: ({ caller, params: { webhookId } }) => webhooks.enable(caller, webhookId).pipe(Effect.map(toWire), refuse()),
  renewSecret: ({ caller, params: { webhookId } }) =>
    webhooks.renewSecret(caller, webhookId).pipe(Effect.map(withSecret), refuse()),
  replay: ({ caller, params: { webhookId }, payload: { fromVersion } }) =>
    webhooks.replay(caller, webhookId, fromVersion).pipe(Effect.map(toWire), refuse()),
  test: ({ caller, params: { webhookId } }) => refuse()(webhooks.test(caller, webhookId)),
  attempts: ({ caller, params: { webhookId } }) =>
    webhooks.attempts(caller, webhookId).pipe(
      listed((attempt) => attempt),
      refuse()
    )
}))
