/** The port `WebhookStore` in PostgreSQL: webhooks, and the leases by which one server at a time makes their deliveries. */
import {
  type AdministratorId,
  enabled,
  type OrganizationId,
  type PermissionLevel,
  type Webhook,
  type WebhookEventType,
  type WebhookId,
  WebhookNotFound,
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
import { instantOf, numberOf, timestampOf } from "../database/rows.ts"

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

const webhookOf = (row: WebhookRow): Webhook => {
  const failedAt = instantOf(row.failed_at)
  return {
    webhookId: row.id,
    organizationId: row.organization_id,
    url: row.url,
    types: row.types,
    keyId: row.key_id,
    creationDate: timestampOf(row.creation_date),
    progress: {
      handled: Number(row.handled),
      until: numberOf(row.until),
      delivered: numberOf(row.delivered),
      presenceAt: instantOf(row.presence_at),
      attempts: row.attempts,
      retryAt: instantOf(row.retry_at),
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

/** Locks the webhooks of a server, $1, in the order of their ids, as all statements that lock several do. */
const HELD = `
with held as materialized (select id from webhook where holder = $1::text order by id for no key update)`

/** The end of a lease, $2, asked for at $3. By the database's clock it lasts no longer either: a server's may be ahead by a day. */
const LEASE_END = "least($2::timestamptz, clock_timestamp() + ($2::timestamptz - $3::timestamptz))"

const KEEP = `${HELD}
update webhook w set leased_until = ${LEASE_END} from held where w.id = held.id and w.state <> 'disabled'
returning w.id`

const TAKE = `
with free as (
  select id from webhook
  where state <> 'disabled' and (holder is null or (holder <> $1::text and leased_until <= $3::timestamptz))
  order by id
  limit $4::integer
  for update skip locked
)
update webhook w set holder = $1::text, leased_until = ${LEASE_END} from free where w.id = free.id
returning w.*`

const RELEASE = `${HELD}
update webhook w set holder = null, leased_until = null from held where w.id = held.id`

/** What `enabled` changes. It ends the lease, too. */
const ENABLE = `
update webhook set attempts = $2::integer, retry_at = $3::timestamptz, state = $4::text, holder = null, leased_until = null
where id = $1::bigint`

/** Makes the store. `record` writes the progress of a webhook. */
export const makeWebhookStore = (
  db: Database,
  storing: Storing,
  record: WebhookStore["Service"]["record"]
): WebhookStore["Service"] => {
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
            yield* db.run(ENABLE, [
              webhookId,
              progress.attempts,
              PgTypes.timestamptz(progress.retryAt ?? null),
              progress.state
            ])
            return { ...webhook, progress }
          })
        )
      ),

    lease: ({ holder, now, until, most }) =>
      storing(
        "lease webhooks",
        db.transaction(
          Effect.gen(function* () {
            const lease = [holder, PgTypes.timestamptz(until), PgTypes.timestamptz(now)]
            const kept = yield* db.run<Pick<WebhookRow, "id">>(KEEP, lease)
            const taken = yield* db.run<WebhookRow>(TAKE, [...lease, most])
            return { kept: kept.map(({ id }) => id), taken: taken.map(webhookOf) }
          })
        )
      ),

    release: (holder) => storing("release webhooks", Effect.asVoid(db.run(RELEASE, [holder]))),

    record
  }
}
