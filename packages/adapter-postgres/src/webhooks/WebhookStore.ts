/** The port `WebhookStore` in PostgreSQL: webhooks, and the leases by which one server at a time makes their deliveries. */
import {
  type FeedRange,
  recorded,
  webhookChanged,
  webhookCreated,
  webhookRemoved,
  type OrganizationId,
  OrganizationNotFound,
  requireTestable,
  type Webhook,
  type WebhookId,
  WebhookNotFound,
  type WebhookStore
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { type ForReader, readRows, requireLevelIn } from "../database/levels.ts"
import { requireOrganization } from "../database/locks.ts"
import { countOf } from "../database/rows.ts"
import type { Changes, Storing } from "../database/Storing.ts"
import * as sql from "./webhook.sql.ts"
import { attemptOf, type AttemptRow, lockWebhook, organizationOf, webhookOf, type WebhookRow } from "./webhooks.ts"

/** The events that the feed of an organization holds. */
const feedRange = (db: Database, organizationId: OrganizationId) =>
  Effect.map(
    db.run<{ readonly oldest: bigint; readonly newest: bigint }>(sql.RANGE, [organizationId]),
    ([held]): FeedRange => ({ oldest: Number(held!.oldest), newest: Number(held!.newest) })
  )

const writeRevision = (db: Database, { webhookId, createdBy, secret, earlierSecret, progress }: Webhook) =>
  Effect.map(
    db.run<WebhookRow>(sql.CHANGE, [
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
    ]),
    ([row]) => webhookOf(row!)
  )

/** The operations of the servers that deliver. `record` writes the progress of a webhook. */
const deliveryOperations = (db: Database, storing: Storing, record: WebhookStore["Service"]["record"]) =>
  ({
    lease: ({ holder, now, until, most }) =>
      storing.byServer.transaction("lease webhooks", function* () {
        const lease = [holder, PgTypes.timestamptz(until), PgTypes.timestamptz(now)]
        const kept = yield* db.run<Pick<WebhookRow, "id">>(sql.EXTEND_LEASES, lease)
        const taken = yield* db.run<WebhookRow>(sql.TAKE_LEASES, [...lease, most])
        const tests = yield* db.run<WebhookRow>(sql.TAKE_TESTS, [most])
        return { kept: kept.map(({ id }) => id), taken: taken.map(webhookOf), tests: tests.map(webhookOf) }
      }),

    release: (holder) => storing.byServer("release webhooks", Effect.asVoid(db.run(sql.RELEASE, [holder]))),

    record,

    recordTest: ({ webhookId, attempt: { at, status, ms, failure } }) =>
      storing.byServer(
        "record a test of a webhook",
        Effect.asVoid(
          db.run(sql.RECORD_TEST, [webhookId, PgTypes.timestamptz(at), status ?? null, ms, failure ?? null])
        )
      )
  }) satisfies Partial<WebhookStore["Service"]>

/** Makes the store. `record` writes the progress of a webhook. */
export const makeWebhookStore = (
  db: Database,
  storing: Storing,
  record: WebhookStore["Service"]["record"]
): WebhookStore["Service"] => {
  const inOrganizationOf = <A, E>(webhookId: WebhookId, write: (changes: Changes) => Effect.Effect<A, E>) =>
    Effect.flatMap(storing("find a webhook", organizationOf(db, webhookId)), (organizationId) =>
      write(storing.by(organizationId))
    )
  return {
    ...deliveryOperations(db, storing, record),

    create: ({ organizationId, administratorId, webhook: { url, types, keyId }, now, decide }) =>
      storing.by(organizationId).transaction("create a webhook", function* () {
        yield* requireOrganization(db, organizationId)
        yield* requireLevelIn(db, organizationId, administratorId, "owner")
        yield* Effect.fromResult(decide(yield* countOf(db.run(sql.COUNT, [organizationId]))))
        const texts = arrays.texts(types, (type) => type)
        const values = [organizationId, url, texts, keyId, PgTypes.timestamptz(now), administratorId]
        const [row] = yield* db.run<WebhookRow>(sql.CREATE, values)
        const created = webhookOf(row!)
        return recorded(created, webhookCreated(created))
      }),

    list: ({ organizationId, administratorId }) =>
      storing.gen("list webhooks", function* () {
        const rows = db.run<ForReader<WebhookRow>>(sql.LIST, [organizationId, administratorId])
        return (yield* readRows(rows, "owner", () => new OrganizationNotFound({ organizationId }))).map(webhookOf)
      }),

    attempts: ({ webhookId, administratorId }) =>
      storing.gen("list attempts of a webhook", function* () {
        const rows = db.run<ForReader<AttemptRow>>(sql.ATTEMPTS, [webhookId, administratorId])
        return (yield* readRows(rows, "owner", () => new WebhookNotFound({ webhookId }))).map(attemptOf)
      }),

    remove: ({ webhookId, administratorId }) =>
      inOrganizationOf(webhookId, ({ transaction }) =>
        transaction("remove a webhook", function* () {
          const { webhook } = yield* lockWebhook(db, webhookId, administratorId)
          yield* db.run(sql.REMOVE, [webhookId])
          return recorded(undefined, webhookRemoved(webhook))
        })
      ),

    change: ({ webhookId, administratorId, action, decide }) =>
      inOrganizationOf(webhookId, ({ transaction }) =>
        transaction("change a webhook", function* () {
          const { webhook } = yield* lockWebhook(db, webhookId, administratorId)
          const range = yield* feedRange(db, webhook.organizationId)
          const changed = yield* Effect.fromResult(decide(webhook, range))
          if (changed === webhook) return recorded(webhook, undefined)
          return recorded(yield* writeRevision(db, changed), webhookChanged(action, webhook))
        })
      ),

    test: ({ webhookId, administratorId }) =>
      inOrganizationOf(webhookId, ({ transaction }) =>
        transaction("test a webhook", function* () {
          const { webhook, isTestDue } = yield* lockWebhook(db, webhookId, administratorId)
          yield* Effect.fromResult(requireTestable(isTestDue))
          yield* db.run(sql.TEST, [webhookId])
          return recorded(undefined, webhookChanged("webhook.test", webhook))
        })
      )
  }
}
