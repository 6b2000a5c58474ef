import {
  type AdministratorId,
  enabled,
  type OrganizationId,
  type PermissionLevel,
  type Timestamp,
  type Webhook,
  type WebhookEventType,
  type WebhookId,
  WebhookNotFound,
  type WebhookProgress,
  type WebhookState,
  type WebhookStore
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import { levelIn } from "../accounts/accounts.ts"
import { arrays } from "../database/columns.ts"
import type { Database, Storing } from "../database/Database.ts"
import { lockOrganization, requireOrganization } from "../database/locks.ts"

/** A row of the table `webhook`. */
interface WebhookRow {
  readonly id: WebhookId
  readonly organization_id: OrganizationId
  readonly url: string
  readonly types: ReadonlyArray<WebhookEventType>
  readonly key_id: number
  readonly creation_date: Date
  readonly handled: bigint
  readonly until: bigint | null
  readonly delivered: bigint | null
  readonly presence_at: Date | null
  readonly attempts: number
  readonly retry_at: Date | null
  readonly state: WebhookState
  readonly failed_at: Date | null
  readonly failure: string | null
}

const versionOf = (version: bigint | null) => (version === null ? undefined : Number(version))
const timeOf = (time: Date | null) => (time === null ? undefined : (time.getTime() as Timestamp))

const webhookOf = (row: WebhookRow): Webhook => {
  const failedAt = timeOf(row.failed_at)
  return {
    webhookId: row.id,
    organizationId: row.organization_id,
    url: row.url,
    types: row.types,
    keyId: row.key_id,
    creationDate: row.creation_date.getTime() as Timestamp,
    progress: {
      handled: Number(row.handled),
      until: versionOf(row.until),
      delivered: versionOf(row.delivered),
      presenceAt: timeOf(row.presence_at),
      attempts: row.attempts,
      retryAt: timeOf(row.retry_at),
      state: row.state,
      lastFailure: failedAt === undefined ? undefined : { at: failedAt, reason: row.failure ?? "" }
    }
  }
}

const LIST = "select * from webhook where organization_id = $1::bigint order by id"

const CREATE = `
insert into webhook (organization_id, url, types, key_id, creation_date, handled)
select $1::bigint, $2::text, $3::text[], $4::smallint, $5::timestamptz, version
from presence_feed where organization_id = $1::bigint
returning *`

const ORGANIZATION = "select organization_id from webhook where id = $1::bigint"
const LOCK = "select * from webhook where id = $1::bigint for update"
const REMOVE = "delete from webhook where id = $1::bigint"

const KEEP = `
update webhook set leased_until = $2::timestamptz where holder = $1::text and state <> 'disabled' returning id`

const TAKE = `
with free as (
  select id from webhook
  where state <> 'disabled' and (holder is null or (holder <> $1::text and leased_until <= $3::timestamptz))
  order by id
  limit $4::integer
  for update skip locked
)
update webhook w set holder = $1::text, leased_until = $2::timestamptz from free where w.id = free.id
returning w.*`

const RELEASE = "update webhook set holder = null, leased_until = null where holder = $1::text"

const RECORD = `
update webhook set
  handled = $2::bigint, until = $3::bigint, delivered = $4::bigint, presence_at = $5::timestamptz,
  attempts = $6::integer, retry_at = $7::timestamptz, state = $8::text,
  failed_at = $9::timestamptz, failure = $10::text
where id = $1::bigint`

const progressParameters = (webhookId: WebhookId, progress: WebhookProgress): ReadonlyArray<unknown> => {
  const { handled, until, delivered, presenceAt, attempts, retryAt, state, lastFailure } = progress
  const long = (version: number | undefined) => PgTypes.int8(version === undefined ? null : BigInt(version))
  const time = (at: Timestamp | undefined) => PgTypes.timestamptz(at ?? null)
  return [
    webhookId,
    long(handled),
    long(until),
    long(delivered),
    time(presenceAt),
    attempts,
    time(retryAt),
    state,
    time(lastFailure?.at),
    lastFailure?.reason ?? null
  ]
}

export const makeWebhookStore = (db: Database, storing: Storing): WebhookStore["Service"] => {
  /** The locked row of a webhook that the administrator may change. Its organization is locked first, as in a creation. */
  const locked = Effect.fnUntraced(function* <E>(
    webhookId: WebhookId,
    administratorId: AdministratorId,
    decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
  ) {
    const [found] = yield* db.run<Pick<WebhookRow, "organization_id">>(ORGANIZATION, [webhookId])
    if (found === undefined) return yield* new WebhookNotFound({ webhookId })
    yield* lockOrganization(db, found.organization_id)
    const [row] = yield* db.run<WebhookRow>(LOCK, [webhookId])
    if (row === undefined) return yield* new WebhookNotFound({ webhookId })
    yield* Effect.fromResult(decide(yield* levelIn(db, row.organization_id, administratorId)))
    return webhookOf(row)
  })

  return {
    create: ({ organizationId, administratorId, webhook: { url, types, keyId }, now, decide }) =>
      storing(
        "create a webhook",
        db.transaction(
          Effect.gen(function* () {
            yield* requireOrganization(db, organizationId)
            const level = yield* levelIn(db, organizationId, administratorId)
            const webhooks = (yield* db.run(LIST, [organizationId])).length
            yield* Effect.fromResult(decide({ level, webhooks }))
            const texts = arrays.texts(types, (type) => type)
            const values = [organizationId, url, texts, keyId, PgTypes.timestamptz(now)]
            const [row] = yield* db.run<WebhookRow>(CREATE, values)
            return webhookOf(row!)
          })
        )
      ),

    list: ({ organizationId, administratorId, decide }) =>
      storing(
        "list webhooks",
        db.transaction(
          Effect.gen(function* () {
            yield* requireOrganization(db, organizationId)
            yield* Effect.fromResult(decide(yield* levelIn(db, organizationId, administratorId)))
            return (yield* db.run<WebhookRow>(LIST, [organizationId])).map(webhookOf)
          })
        )
      ),

    remove: ({ webhookId, administratorId, decide }) =>
      storing(
        "remove a webhook",
        db.transaction(
          Effect.andThen(locked(webhookId, administratorId, decide), Effect.asVoid(db.run(REMOVE, [webhookId])))
        )
      ),

    enable: ({ webhookId, administratorId, decide }) =>
      storing(
        "enable a webhook",
        db.transaction(
          Effect.gen(function* () {
            const webhook = yield* locked(webhookId, administratorId, decide)
            const progress = enabled(webhook.progress)
            if (progress === webhook.progress) return webhook
            yield* db.run(RECORD, progressParameters(webhookId, progress))
            yield* db.run("update webhook set holder = null, leased_until = null where id = $1::bigint", [webhookId])
            return { ...webhook, progress }
          })
        )
      ),

    lease: ({ holder, now, until, most }) =>
      storing(
        "lease webhooks",
        db.transaction(
          Effect.gen(function* () {
            const end = PgTypes.timestamptz(until)
            const kept = yield* db.run<Pick<WebhookRow, "id">>(KEEP, [holder, end])
            const taken = yield* db.run<WebhookRow>(TAKE, [holder, end, PgTypes.timestamptz(now), most])
            return { kept: kept.map(({ id }) => id), taken: taken.map(webhookOf) }
          })
        )
      ),

    release: (holder) => storing("release webhooks", Effect.asVoid(db.run(RELEASE, [holder]))),

    record: ({ webhookId, holder, progress }) =>
      storing(
        "record a delivery",
        Effect.map(
          db.run(`${RECORD} and holder = $11::text returning id`, [...progressParameters(webhookId, progress), holder]),
          (rows) => rows.length > 0
        )
      )
  }
}
