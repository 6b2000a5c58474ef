/** How far the deliveries of one webhook are, and when that is written. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { PlaceId } from "../../domain/shared/Ids.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { Webhook, WebhookAttempt, WebhookProgress } from "../../domain/webhooks/Webhook.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { WebhookStore } from "../../ports/webhooks/WebhookStore.ts"
import { now } from "../shared/now.ts"

/** How many events of other types a webhook passes before its position is written, and for how long. */
const WRITE_AFTER_EVENTS = 10_000
export const WRITE_AFTER = Duration.minutes(5)

const RETRY_SCHEDULE = Schedule.spaced("1 second")

/** Retries until the storage is available: what was delivered is not forgotten meanwhile. */
export const untilStored = <A, E, R>(effect: Effect.Effect<A, E | StoreError, R>) =>
  Effect.retry(effect, {
    while: (error: unknown) => (error as StoreError)._tag === "StoreError",
    schedule: RETRY_SCHEDULE
  }) as Effect.Effect<A, Exclude<E, StoreError>, R>

/** The progress of a webhook that this server delivers for. */
export interface DeliveryProgress {
  /** The progress, which may be ahead of what is written. */
  readonly current: () => WebhookProgress
  /** Changes the progress without writing it. */
  readonly pass: (next: WebhookProgress) => void
  /** Writes the progress; false when the webhook was removed, disabled or changed, or another server holds the lease. */
  readonly record: (next: WebhookProgress, attempt?: WebhookAttempt) => Effect.Effect<boolean>
  /** Are events passed whose position is not written? */
  readonly isAhead: () => boolean
  /** Writes the position behind events of other types, if that is due; false when another server holds the lease. */
  readonly recordPassed: Effect.Effect<boolean>
  /** When the last `PresenceChanged` of premises was delivered, as far as this server knows. */
  readonly lastPresenceAt: (placeId: PlaceId | undefined) => Timestamp | undefined
  readonly presenceDelivered: (placeId: PlaceId | undefined, at: Timestamp) => void
}

/** Makes the progress of a webhook from what is stored. */
export const makeDeliveryProgress = Effect.fnUntraced(function* (
  { webhookId, revision, progress: stored }: Webhook,
  holder: string
) {
  const store = yield* WebhookStore
  let progress = stored
  let written = stored.processed
  let writtenAt = yield* now
  /** Of this server. Another one delivered before `stored.presenceAt`. */
  const presenceAt = new Map<PlaceId | undefined, Timestamp>()

  const record = Effect.fnUntraced(function* (next: WebhookProgress, attempt?: WebhookAttempt) {
    progress = next
    written = next.processed
    writtenAt = yield* now
    return yield* untilStored(store.record({ webhookId, revision, holder, progress, attempt }))
  })

  const recordPassed = Effect.gen(function* () {
    const passed = progress.processed - written
    const isDue =
      passed >= WRITE_AFTER_EVENTS || (passed > 0 && (yield* now) >= writtenAt + Duration.toMillis(WRITE_AFTER))
    return isDue ? yield* record(progress) : true
  })

  return {
    current: () => progress,
    pass: (next) => {
      progress = next
    },
    record,
    isAhead: () => progress.processed > written,
    recordPassed,
    lastPresenceAt: (placeId) => presenceAt.get(placeId) ?? stored.presenceAt,
    presenceDelivered: (placeId, at) => void presenceAt.set(placeId, at)
  } satisfies DeliveryProgress
})
