import { enabled, newProgress, type Webhook, type WebhookId, WebhookNotFound, type WebhookStore } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { atomically } from "./atomically.ts"
import { findOrganization, levelIn, type OrganizationRecord, type State, type WebhookRecord } from "./State.ts"

const findWebhook = (
  state: State,
  webhookId: WebhookId
): Result.Result<{ readonly owner: OrganizationRecord; readonly record: WebhookRecord }, WebhookNotFound> => {
  for (const owner of state.organizations.values()) {
    const record = owner.webhooks.get(webhookId)
    if (record !== undefined) return Result.succeed({ owner, record })
  }
  return Result.fail(new WebhookNotFound({ webhookId }))
}

/** Webhooks kept in memory. */
export const makeWebhookStore = (state: State): WebhookStore["Service"] => {
  const records = () => [...state.organizations.values()].flatMap(({ webhooks }) => [...webhooks.values()])

  return {
    create: ({ organizationId, administratorId, webhook, now, decide }) =>
      atomically(function* () {
        const owner = yield* findOrganization(state, organizationId)
        yield* decide({ level: levelIn(owner, administratorId), webhooks: owner.webhooks.size })
        const webhookId = ++state.lastId.webhook as WebhookId
        const progress = newProgress(owner.feed.version)
        const created: Webhook = { ...webhook, webhookId, organizationId, creationDate: now, progress }
        owner.webhooks.set(webhookId, { webhook: created, lease: undefined })
        return created
      }),

    list: ({ organizationId, administratorId, decide }) =>
      atomically(function* () {
        const owner = yield* findOrganization(state, organizationId)
        yield* decide(levelIn(owner, administratorId))
        return Array.from(owner.webhooks.values(), ({ webhook }) => webhook)
      }),

    remove: ({ webhookId, administratorId, decide }) =>
      atomically(function* () {
        const { owner } = yield* findWebhook(state, webhookId)
        yield* decide(levelIn(owner, administratorId))
        owner.webhooks.delete(webhookId)
      }),

    enable: ({ webhookId, administratorId, decide }) =>
      atomically(function* () {
        const { owner, record } = yield* findWebhook(state, webhookId)
        yield* decide(levelIn(owner, administratorId))
        const progress = enabled(record.webhook.progress)
        if (progress !== record.webhook.progress) {
          record.webhook = { ...record.webhook, progress }
          record.lease = undefined
        }
        return record.webhook
      }),

    lease: ({ holder, now, until, most }) =>
      Effect.sync(() => {
        const kept: Array<WebhookId> = []
        const taken: Array<Webhook> = []
        for (const record of records()) {
          const { webhook, lease } = record
          if (webhook.progress.state === "disabled") continue
          if (lease?.holder === holder) kept.push(webhook.webhookId)
          else if ((lease === undefined || lease.until <= now) && taken.length < most) taken.push(webhook)
          else continue
          record.lease = { holder, until }
        }
        return { kept, taken }
      }),

    release: (holder) =>
      Effect.sync(() => {
        for (const record of records()) if (record.lease?.holder === holder) record.lease = undefined
      }),

    record: ({ webhookId, holder, progress }) =>
      Effect.sync(() => {
        const found = Result.getOrUndefined(findWebhook(state, webhookId))
        if (found?.record.lease?.holder !== holder) return false
        found.record.webhook = { ...found.record.webhook, progress }
        return true
      })
  }
}
