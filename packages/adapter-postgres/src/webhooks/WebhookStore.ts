/** The port `WebhookStore` in PostgreSQL: webhooks, and the leases by which one server at a time makes their deliveries. */
import {
  type AdministratorId,
  type FeedRange,
  type OrganizationId,
  type PermissionLevel,
  type Timestamp,
  type Webhook,
  type WebhookAttempt,
  type WebhookEventType,
  type WebhookId,
  WebhookNotFound,
  type WebhookState,
  type WebhookStore
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as SqlError from "effect/sql/SqlError"
import { levelIn } from "../database/levels.ts"
import { arrays } from "../database/columns.ts"
import type { Database, WriteConflict } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { lockOrganization, requireOrganization } from "../database/locks.ts"
import { instantOf, numberOf, timestampOf } from "../database/rows.ts"
import {
  ATTEMPTS,
  CHANGE,
  CREATE,
  DISABLE,
  KEEP,
  LIST,
  LOCK,
  ORGANIZATION,
  RANGE,
  RECORD_TEST,
  RELEASE,
  REMOVE,
  TAKE,
  TAKE_TESTS,
  TEST
} from "./webhook.sql.ts"

/** A row of the table `webhook`. */
interface WebhookRow {
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
interface AttemptRow {
  readonly version: bigint | null
  readonly at: Date
  readonly status: number | null
  readonly ms: bigint
  readonly failure: string | null
}

const attemptOf = (row: AttemptRow): WebhookAttempt => ({
  version: numberOf(row.version),
  at: timestampOf(row.at),
  status: row.status ?? undefined,
  ms: Number(row.ms),
  failure: row.failure ?? undefined
})

const webhookOf = (row: WebhookRow): Webhook => {
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

/** Disables the webhooks of an administrator who stops being an owner of organizations, as part of the transaction that ends it. */
export const disableWebhooksOf = (
  db: Database,
  administratorId: AdministratorId,
  organizationIds: ReadonlyArray<OrganizationId>,
  now: Timestamp
) => db.run(DISABLE, [administratorId, arrays.bigints(organizationIds, (id) => id), PgTypes.timestamptz(now)])

/** Makes the store. `record` writes the progress of a webhook. */
export const makeWebhookStore = (
  db: Database,
  storing: Storing,
  record: WebhookStore["Service"]["record"]
): WebhookStore["Service"] => {
  const organizationOf = (webhookId: WebhookId) =>
    Effect.filterOrFail(
      Effect.map(db.run<Pick<WebhookRow, "organization_id">>(ORGANIZATION, [webhookId]), ([found]) => found),
      (found) => found !== undefined,
      () => new WebhookNotFound({ webhookId })
    )

  /** Runs an operation on the locked row of a webhook. Its organization is locked first, as in a creation. */
  const withWebhook = <A, E>(
    name: string,
    webhookId: WebhookId,
    administratorId: AdministratorId,
    operation: (
      webhook: Webhook,
      level: Option.Option<PermissionLevel>,
      row: WebhookRow
    ) => Effect.Effect<A, E | SqlError.SqlError | WriteConflict>
  ) =>
    storing(
      name,
      db.transaction(
        Effect.gen(function* () {
          const { organization_id } = yield* organizationOf(webhookId)
          yield* lockOrganization(db, organization_id)
          const [row] = yield* db.run<WebhookRow>(LOCK, [webhookId])
          if (row === undefined) return yield* new WebhookNotFound({ webhookId })
          return yield* operation(webhookOf(row), yield* levelIn(db, row.organization_id, administratorId), row)
        })
      )
    )

  return {
    create: ({ organizationId, administratorId, webhook: { url, types, keyId }, now, decide }) =>
      storing.transaction("create a webhook", function* () {
        yield* requireOrganization(db, organizationId)
        const level = yield* levelIn(db, organizationId, administratorId)
        const webhooks = (yield* db.run(LIST, [organizationId])).length
        yield* Effect.fromResult(decide({ level, webhooks }))
        const texts = arrays.texts(types, (type) => type)
        const values = [organizationId, url, texts, keyId, PgTypes.timestamptz(now), administratorId]
        const [row] = yield* db.run<WebhookRow>(CREATE, values)
        return webhookOf(row!)
      }),

    list: ({ organizationId, administratorId, decide }) =>
      storing.transaction("list webhooks", function* () {
        yield* requireOrganization(db, organizationId)
        yield* Effect.fromResult(decide(yield* levelIn(db, organizationId, administratorId)))
        return (yield* db.run<WebhookRow>(LIST, [organizationId])).map(webhookOf)
      }),

    // Without a lock: a page that reads them again and again holds up no delivery.
    attempts: ({ webhookId, administratorId, decide }) =>
      storing.transaction("list attempts of a webhook", function* () {
        const { organization_id } = yield* organizationOf(webhookId)
        yield* Effect.fromResult(decide({ level: yield* levelIn(db, organization_id, administratorId) }))
        return (yield* db.run<AttemptRow>(ATTEMPTS, [webhookId])).map(attemptOf)
      }),

    remove: ({ webhookId, administratorId, decide }) =>
      withWebhook("remove a webhook", webhookId, administratorId, (_, level) =>
        Effect.andThen(Effect.fromResult(decide({ level })), Effect.asVoid(db.run(REMOVE, [webhookId])))
      ),

    change: ({ webhookId, administratorId, decide }) =>
      withWebhook("change a webhook", webhookId, administratorId, (webhook, level) =>
        Effect.gen(function* () {
          const [held] = yield* db.run<{ readonly oldest: bigint; readonly newest: bigint }>(RANGE, [
            webhook.organizationId
          ])
          const range: FeedRange = { oldest: Number(held!.oldest), newest: Number(held!.newest) }
          const changed = yield* Effect.fromResult(decide({ level, webhook, range }))
          if (changed === webhook) return webhook
          const { createdBy, secret, earlierSecret, progress } = changed
          const [row] = yield* db.run<WebhookRow>(CHANGE, [
            webhookId,
            createdBy,
            secret.keyId,
            secret.number,
            earlierSecret?.keyId ?? null,
            earlierSecret?.number ?? null,
            PgTypes.timestamptz(earlierSecret?.until ?? null),
            progress.processed,
            progress.batchEnd ?? null,
            progress.delivered ?? null,
            progress.attempts,
            PgTypes.timestamptz(progress.retryAt ?? null),
            progress.state
          ])
          return webhookOf(row!)
        })
      ),

    test: ({ webhookId, administratorId, decide }) =>
      withWebhook("test a webhook", webhookId, administratorId, (_, level, { is_test_due: isTestDue }) =>
        Effect.andThen(Effect.fromResult(decide({ level, isTestDue })), Effect.asVoid(db.run(TEST, [webhookId])))
      ),

    lease: ({ holder, now, until, most }) =>
      storing.transaction("lease webhooks", function* () {
        const lease = [holder, PgTypes.timestamptz(until), PgTypes.timestamptz(now)]
        const kept = yield* db.run<Pick<WebhookRow, "id">>(KEEP, lease)
        const taken = yield* db.run<WebhookRow>(TAKE, [...lease, most])
        const tests = yield* db.run<WebhookRow>(TAKE_TESTS, [most])
        return { kept: kept.map(({ id }) => id), taken: taken.map(webhookOf), tests: tests.map(webhookOf) }
      }),

    release: (holder) => storing("release webhooks", Effect.asVoid(db.run(RELEASE, [holder]))),

    record,

    recordTest: ({ webhookId, attempt: { at, status, ms, failure } }) =>
      storing(
        "record a test of a webhook",
        Effect.asVoid(db.run(RECORD_TEST, [webhookId, PgTypes.timestamptz(at), status ?? null, ms, failure ?? null]))
      )
  }
}
