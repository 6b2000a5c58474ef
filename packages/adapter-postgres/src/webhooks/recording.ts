/** Writes the progress of deliveries in batches: each webhook records it after every attempt. */
import type { StoreError, Timestamp, WebhookId, WebhookProgress } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { makeBatchQueue } from "../batching/BatchQueue.ts"
import type { BulkStatement } from "../database/BulkStatement.ts"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"

/** The progress of a webhook whose lease a server holds. */
export interface Recording {
  readonly webhookId: WebhookId
  readonly holder: string
  readonly progress: WebhookProgress
}

/** Rows are locked in the order of their ids, as by all statements that lock several. */
const RECORD = `
with recorded as materialized (
  select * from unnest(
    $1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::bigint[], $8::timestamptz[],
    $9::text[], $10::timestamptz[], $11::text[]
  ) as r (id, holder, handled, until, delivered, presence_at, attempts, retry_at, state, failed_at, failure)
),
locked as materialized (
  select w.id
  from recorded r
  join webhook w on w.id = r.id and w.holder = r.holder
  order by w.id
  for no key update of w
)
update webhook w set
  handled = r.handled, until = r.until, delivered = r.delivered, presence_at = r.presence_at, attempts = r.attempts,
  retry_at = r.retry_at, state = r.state, failed_at = r.failed_at, failure = r.failure
from recorded r
join locked on locked.id = r.id
where w.id = r.id
returning w.id`

/** Writes the progress of webhooks. Each is answered whether its server holds the lease. A webhook is there once. */
const recordings = (db: Database): BulkStatement<Recording, boolean, never> => ({
  operation: "record a delivery",
  run: (items) => {
    const version = (of: (progress: WebhookProgress) => number | undefined) =>
      arrays.bigints(items, ({ progress }) => {
        const value = of(progress)
        return value === undefined ? undefined : BigInt(value)
      })
    const time = (of: (progress: WebhookProgress) => Timestamp | undefined) =>
      arrays.instants(items, ({ progress }) => of(progress))
    return Effect.map(
      db.run<{ readonly id: WebhookId }>(RECORD, [
        arrays.bigints(items, ({ webhookId }) => webhookId),
        arrays.texts(items, ({ holder }) => holder),
        version(({ handled }) => handled),
        version(({ until }) => until),
        version(({ delivered }) => delivered),
        time(({ presenceAt }) => presenceAt),
        version(({ attempts }) => attempts),
        time(({ retryAt }) => retryAt),
        arrays.texts(items, ({ progress }) => progress.state),
        time(({ lastFailure }) => lastFailure?.at),
        arrays.texts(items, ({ progress }) => progress.lastFailure?.reason)
      ]),
      (rows) => {
        const written = new Set(rows.map(({ id }) => id))
        return items.map(({ webhookId }) => Exit.succeed(written.has(webhookId)))
      }
    )
  }
})

/** How many progresses may wait to be written. A webhook has one. */
const MOST_PENDING = 100_000

/** Batches the progress of webhooks as long as the scope is open: those that wait at the same moment share a statement and a commit. */
export const batchRecordings = (db: Database, ready: Effect.Effect<void, StoreError>) =>
  Effect.map(
    makeBatchQueue(recordings(db), {
      name: "deliveries",
      ready,
      largestBatch: 256,
      concurrency: 1,
      mostPending: MOST_PENDING
    }),
    ({ submit }) =>
      (recording: Recording) =>
        submit(recording, { fairnessKey: recording.webhookId, orderingKey: String(recording.webhookId) })
  )
