/** Writes the progress of deliveries in batches: each webhook records it after every attempt. */
import type { StoreError, Timestamp, WebhookId, WebhookStore } from "@sojourn/core"
import { Effect, Exit } from "effect"
import { makeBatchQueue } from "../batching/BatchQueue.ts"
import type { BulkStatement } from "../database/BulkStatement.ts"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { RECORD } from "./webhook.sql.ts"

/** The progress of a webhook whose lease a server holds, and an attempt. */
export type Recording = Parameters<WebhookStore["Service"]["record"]>[0]

/** Writes the progress of webhooks. Each is answered whether it was written. A webhook is there once. */
const recordings = (db: Database): BulkStatement<Recording, boolean, never> => ({
  operation: "record a delivery",
  run: (items) => {
    const number = (of: (item: Recording) => number | undefined) =>
      arrays.bigints(items, (item) => {
        const value = of(item)
        return value === undefined ? undefined : BigInt(value)
      })
    const time = (of: (item: Recording) => Timestamp | undefined) => arrays.instants(items, of)
    return Effect.map(
      db.run<{ readonly id: WebhookId }>(RECORD, [
        arrays.bigints(items, ({ webhookId }) => webhookId),
        arrays.texts(items, ({ holder }) => holder),
        number(({ progress }) => progress.processed),
        number(({ progress }) => progress.batchEnd),
        number(({ progress }) => progress.delivered),
        time(({ progress }) => progress.presenceAt),
        number(({ progress }) => progress.attempts),
        time(({ progress }) => progress.retryAt),
        arrays.texts(items, ({ progress }) => progress.state),
        time(({ progress }) => progress.lastFailure?.at),
        arrays.texts(items, ({ progress }) => progress.lastFailure?.reason),
        number(({ revision }) => revision),
        time(({ attempt }) => attempt?.at),
        number(({ attempt }) => attempt?.version),
        number(({ attempt }) => attempt?.status),
        number(({ attempt }) => attempt?.ms),
        arrays.texts(items, ({ attempt }) => attempt?.failure)
      ]),
      (rows) => {
        const written = new Set(rows.map(({ id }) => id))
        return items.map(({ webhookId }) => Exit.succeed(written.has(webhookId)))
      }
    )
  }
})

/** How many progresses may wait to be written. A webhook has one. */
const MAX_PENDING_RECORDS = 100_000

/** Batches the progress of webhooks as long as the scope is open: those that wait at the same moment share a statement and a commit. */
export const batchRecordings = (db: Database, storing: Storing, ready: Effect.Effect<void, StoreError>) => {
  const statement = recordings(db)
  const run = (item: Recording) =>
    storing.byServer(
      statement.operation,
      Effect.flatMap(statement.run([item]), ([outcome]) => outcome!)
    )
  return Effect.map(
    makeBatchQueue(statement, {
      name: "deliveries",
      ready,
      apart: { isApart: storing.isJoining, run },
      largestBatch: 256,
      concurrency: 1,
      mostPending: MAX_PENDING_RECORDS
    }),
    ({ submit }) =>
      (recording: Recording) =>
        submit(recording, { fairnessKey: recording.webhookId, orderingKey: String(recording.webhookId) })
  )
}
