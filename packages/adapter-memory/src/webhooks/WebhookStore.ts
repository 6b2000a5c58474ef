import {
  afterOwnerLost,
  type AdministratorId,
  KEPT_ATTEMPTS,
  newProgress,
  recorded,
  requireTestable,
  type Timestamp,
  type Webhook,
  type WebhookAttempt,
  webhookChanged,
  webhookCreated,
  type WebhookId,
  WebhookNotFound,
  webhookRemoved,
  type WebhookStore
} from "@sojourn/core"
import { Effect, Result } from "effect"
import { atomically, recording } from "../state/atomically.ts"
import {
  byCreation,
  findOrganization,
  type OrganizationRecord,
  requireLevelIn,
  type State,
  type WebhookRecord
} from "../state/State.ts"

const findWebhook = (
  state: State,
  webhookId: WebhookId
): Result.Result<{ readonly organization: OrganizationRecord; readonly record: WebhookRecord }, WebhookNotFound> => {
  for (const organization of state.organizations.values()) {
    const record = organization.webhooks.get(webhookId)
    if (record !== undefined) return Result.succeed({ organization, record })
  }
  return Result.fail(new WebhookNotFound({ webhookId }))
}

/** Writes the next revision of a webhook, and ends its lease. */
const revise = (record: WebhookRecord, webhook: Webhook): void => {
  record.webhook = { ...webhook, revision: record.webhook.revision + 1 }
  record.lease = undefined
}

/** Disables the webhooks of an administrator who stops being an owner of their organization. */
export const disableWebhooksOf = (
  organization: OrganizationRecord,
  administratorId: AdministratorId,
  now: Timestamp
): void => {
  for (const record of organization.webhooks.values()) {
    const { webhook } = record
    if (webhook.createdBy !== administratorId) continue
    revise(record, { ...webhook, progress: afterOwnerLost(webhook.progress, now) })
  }
}

const keep = (record: WebhookRecord, attempt: WebhookAttempt | undefined): void => {
  if (attempt !== undefined) record.attempts = [attempt, ...record.attempts].slice(0, KEPT_ATTEMPTS)
}

const records = (state: State) => [...state.organizations.values()].flatMap(({ webhooks }) => [...webhooks.values()])

/** The operations of the servers that deliver. */
const deliveryOperations = (state: State) =>
  ({
    lease: ({ holder, now, until, most }) =>
      Effect.sync(() => {
        const kept: Array<WebhookId> = []
        const taken: Array<Webhook> = []
        const tests: Array<Webhook> = []
        for (const record of records(state)) {
          const { webhook, lease } = record
          if (record.isTestDue && tests.length < most) {
            record.isTestDue = false
            tests.push(webhook)
          }
          if (webhook.progress.state === "disabled") continue
          if (lease?.holder === holder) kept.push(webhook.webhookId)
          else if ((lease === undefined || lease.until <= now) && taken.length < most) taken.push(webhook)
          else continue
          record.lease = { holder, until }
        }
        return { kept, taken, tests }
      }),

    release: (holder) =>
      Effect.sync(() => {
        for (const record of records(state)) if (record.lease?.holder === holder) record.lease = undefined
      }),

    record: ({ webhookId, revision, holder, progress, attempt }) =>
      Effect.sync(() => {
        const found = Result.getOrUndefined(findWebhook(state, webhookId))
        if (found?.record.lease?.holder !== holder || found.record.webhook.revision !== revision) return false
        found.record.webhook = { ...found.record.webhook, progress }
        keep(found.record, attempt)
        return true
      }),

    recordTest: ({ webhookId, attempt }) =>
      Effect.sync(() => {
        const found = Result.getOrUndefined(findWebhook(state, webhookId))
        if (found !== undefined) keep(found.record, attempt)
      })
  }) satisfies Partial<WebhookStore["Service"]>

/** Webhooks kept in memory. */
export const makeWebhookStore = (state: State): WebhookStore["Service"] => ({
  ...deliveryOperations(state),

  create: ({ organizationId, administratorId, webhook: { url, types, keyId }, now, decide }) =>
    recording(state, function* () {
      const organization = yield* findOrganization(state, organizationId)
      yield* requireLevelIn(organization, administratorId, "owner")
      yield* decide(organization.webhooks.size)
      const webhook: Webhook = {
        webhookId: ++state.lastId.webhook as WebhookId,
        organizationId,
        url,
        types,
        creationDate: now,
        createdBy: administratorId,
        secret: { keyId, number: 0 },
        revision: 0,
        progress: newProgress(organization.feed.version)
      }
      organization.webhooks.set(webhook.webhookId, { webhook, attempts: [], isTestDue: false, lease: undefined })
      return recorded(webhook, webhookCreated(webhook))
    }),

  list: ({ organizationId, administratorId }) =>
    atomically(function* () {
      const organization = yield* findOrganization(state, organizationId)
      yield* requireLevelIn(organization, administratorId, "owner")
      return Array.from(organization.webhooks.values(), ({ webhook }) => webhook).sort(byCreation)
    }),

  attempts: ({ webhookId, administratorId }) =>
    atomically(function* () {
      const { organization, record } = yield* findWebhook(state, webhookId)
      yield* requireLevelIn(organization, administratorId, "owner")
      return record.attempts
    }),

  remove: ({ webhookId, administratorId }) =>
    recording(state, function* () {
      const { organization, record } = yield* findWebhook(state, webhookId)
      yield* requireLevelIn(organization, administratorId, "owner")
      organization.webhooks.delete(webhookId)
      return recorded(undefined, webhookRemoved(record.webhook))
    }),

  change: ({ webhookId, administratorId, action, decide }) =>
    recording(state, function* () {
      const { organization, record } = yield* findWebhook(state, webhookId)
      yield* requireLevelIn(organization, administratorId, "owner")
      const { version: newest, events } = organization.feed
      const range = { oldest: newest - events.length + 1, newest }
      const changed = yield* decide(record.webhook, range)
      if (changed === record.webhook) return recorded(changed, undefined)
      revise(record, changed)
      return recorded(record.webhook, webhookChanged(action, record.webhook))
    }),

  test: ({ webhookId, administratorId }) =>
    recording(state, function* () {
      const { organization, record } = yield* findWebhook(state, webhookId)
      yield* requireLevelIn(organization, administratorId, "owner")
      yield* requireTestable(record.isTestDue)
      record.isTestDue = true
      return recorded(undefined, webhookChanged("webhook.test", record.webhook))
    })
})
