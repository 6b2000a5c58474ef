/** Rows of webhooks and of their attempts, and what other stores do with them. */
import {
  type AdministratorId,
  type OrganizationId,
  type Timestamp,
  type Webhook,
  type WebhookAttempt,
  type WebhookEventType,
  type WebhookId,
  WebhookNotFound,
  type WebhookState
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { requireLevelIn } from "../database/levels.ts"
import { lockOrganization } from "../database/locks.ts"
import { instantOf, numberOf, requireRow, timestampOf } from "../database/rows.ts"
import { DISABLE, LOCK, ORGANIZATION } from "./webhook.sql.ts"

/** A row of the table `webhook`. */
export interface WebhookRow {
  readonly id: WebhookId
  readonly organization_id: OrganizationId
  readonly url: string
  readonly types: ReadonlyArray<WebhookEventType>
  readonly key_id: number
  readonly secret_number: number
  readonly earlier_key_id: number | null
  readonly earlier_secret_number: number | null
  readonly earlier_until: Date | null
  readonly creation_date: Date
  readonly created_by: AdministratorId
  readonly is_test_due: boolean
  readonly revision: number
  readonly processed: bigint
  readonly batch_end: bigint | null
  readonly delivered: bigint | null
  readonly presence_at: Date | null
  readonly attempts: number
  readonly retry_at: Date | null
  readonly state: WebhookState
  readonly failed_at: Date | null
  readonly failure: string | null
}

/** A row of the table `webhook_attempt`. */
export interface AttemptRow {
  readonly version: bigint | null
  readonly at: Date
  readonly status: number | null
  readonly ms: bigint
  readonly failure: string | null
}

export const attemptOf = (row: AttemptRow): WebhookAttempt => ({
  version: numberOf(row.version),
  at: timestampOf(row.at),
  status: row.status ?? undefined,
  ms: Number(row.ms),
  failure: row.failure ?? undefined
})

export const webhookOf = (row: WebhookRow): Webhook => {
  const failedAt = instantOf(row.failed_at)
  const until = instantOf(row.earlier_until)
  return {
    webhookId: row.id,
    organizationId: row.organization_id,
    url: row.url,
    types: row.types,
    creationDate: timestampOf(row.creation_date),
    createdBy: row.created_by,
    secret: { keyId: row.key_id, number: row.secret_number },
    earlierSecret:
      until === undefined ? undefined : { keyId: row.earlier_key_id!, number: row.earlier_secret_number!, until },
    revision: row.revision,
    progress: {
      processed: Number(row.processed),
      batchEnd: numberOf(row.batch_end),
      delivered: numberOf(row.delivered),
      presenceAt: instantOf(row.presence_at),
      attempts: row.attempts,
      retryAt: instantOf(row.retry_at),
      state: row.state,
      lastFailure: failedAt === undefined ? undefined : { at: failedAt, reason: row.failure ?? "" }
    }
  }
}

/** The organization of a webhook; fails where there is no such webhook. */
export const organizationOf = (db: Database, webhookId: WebhookId) =>
  Effect.map(
    requireRow(
      db.run<Pick<WebhookRow, "organization_id">>(ORGANIZATION, [webhookId]),
      () => new WebhookNotFound({ webhookId })
    ),
    (row) => row.organization_id
  )

/** Locks a webhook until the transaction ends, for an owner. The organization is locked first, as in a creation. */
export const lockWebhook = Effect.fnUntraced(function* (
  db: Database,
  webhookId: WebhookId,
  administratorId: AdministratorId
) {
  const organizationId = yield* organizationOf(db, webhookId)
  yield* lockOrganization(db, organizationId)
  const row = yield* requireRow(db.run<WebhookRow>(LOCK, [webhookId]), () => new WebhookNotFound({ webhookId }))
  yield* requireLevelIn(db, organizationId, administratorId, "owner")
  return { webhook: webhookOf(row), isTestDue: row.is_test_due }
})

/** Disables the webhooks of an administrator who stops being an owner of organizations, as part of the transaction that ends it. */
export const disableWebhooksOf = (
  db: Database,
  administratorId: AdministratorId,
  organizationIds: ReadonlyArray<OrganizationId>,
  now: Timestamp
) => db.run(DISABLE, [administratorId, arrays.bigints(organizationIds, (id) => id), PgTypes.timestamptz(now)])
