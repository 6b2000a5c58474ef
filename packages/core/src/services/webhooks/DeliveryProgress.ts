/** The progress of a webhook's deliveries on the server that holds its lease, and how far of it is stored. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { FeedVersion } from "../../domain/feed/PresenceEvent.ts"
import type { Webhook, WebhookAttempt, WebhookProgress } from "../../domain/webhooks/Webhook.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { WebhookStore } from "../../ports/webhooks/WebhookStore.ts"
import { now } from "../shared/now.ts"

/** How many events of other types a webhook passes before its position is written, and for how long. */
const WRITE_EVERY = 10_000
export const WRITE_AFTER = Duration.minutes(5)

/** Retries while the storage is away: what was delivered is not forgotten meanwhile. */
export const untilStored = <A, E, R>(effect: Effect.Effect<A, E | StoreError, R>) =>
  Effect.retry(effect, {
    while: (error: unknown) => (error as StoreError)._tag === "StoreError",
    schedule: Schedule.spaced("1 second")
  }) as Effect.Effect<A, Exclude<E, StoreError>, R>

export const makeDeliveryProgress = Effect.fnUntraced(function* (webhook: Webhook, holder: string) {
  const { webhookId, revision } = webhook
  const store = yield* WebhookStore
  let current = webhook.progress
  let written = current.processed
  let writtenAt = yield* now

  /** Writes the progress; false when the webhook was removed, disabled or changed, or another server holds the lease. */
  const record = Effect.fnUntraced(function* (progress: WebhookProgress, attempt?: WebhookAttempt) {
    current = progress
    written = progress.processed
    writtenAt = yield* now
    return yield* untilStored(store.record({ webhookId, revision, holder, progress, attempt }))
  })

  /** Writes the position behind events of other types, if that is due; false when another server holds the lease. */
  const recordPassed = Effect.gen(function* () {
    const passed = current.processed - written
    const isDue = passed >= WRITE_EVERY || (passed > 0 && (yield* now) >= writtenAt + Duration.toMillis(WRITE_AFTER))
    return isDue ? yield* record(current) : true
  })

  return {
    current: () => current,
    /** Whether events of other types were passed since the last write. */
    hasPassed: () => current.processed > written,
    /** Passes the events up to a version, without a write. */
    pass: (version: FeedVersion) => {
      current = { ...current, processed: version, until: undefined }
    },
    record,
    recordPassed
  }
})

export type DeliveryProgress = Effect.Success<ReturnType<typeof makeDeliveryProgress>>
