/** Delivers the events of one webhook, as long as this server holds its lease. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import type { PresenceEvent } from "../../domain/feed/PresenceEvent.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import { afterDelivery, afterFailure, afterLoss, retryFrom, type Webhook } from "../../domain/webhooks/Webhook.ts"
import {
  batchOf,
  bodyOf,
  deliverableFrom,
  type DeliveredEvent,
  type DeliveryBatch,
  messageIdOf,
  remainingOf
} from "../../domain/webhooks/WebhookMessage.ts"
import { MAX_EVENTS, type ReadPage } from "../feed/FeedPages.ts"
import { now } from "../shared/now.ts"
import { type DeliveryProgress, makeDeliveryProgress, untilStored, WRITE_AFTER } from "./DeliveryProgress.ts"
import { type DeliveryLimits, send } from "./DeliverySender.ts"

/** How many events a webhook keeps for its next batches. Receivers may be slow, and webhooks many. */
const MAX_PENDING_EVENTS = 100

/** How long to wait before events are read again after a page that held none of the webhook's types. */
const READ_AGAIN = Duration.seconds(1)

/** How long deliveries wait after a defect, in milliseconds. */
const DEFECT_DELAY_MS = 10_000

/** How old a reading of a feed may be when a batch is made of what it held, in milliseconds. */
const MAX_READ_AGE_MS = 1_000

/** What the loop of the server and the deliveries of a webhook signal to each other. */
export interface DeliverySignals extends DeliveryLimits {
  readonly holder: string
  /** The generation of the feeds. */
  readonly generation: () => string
  readonly readPage: ReadPage
  /** Opened when the organization's feed may have new events. */
  readonly wake: Latch.Latch
  /** Opened when the server drains: no attempt begins after it. */
  readonly draining: Latch.Latch
  /** Until when the lease is held. */
  readonly leasedUntil: () => Timestamp
  /** Records which event waits for its delivery, and how far all others were processed. */
  readonly report: (state: { readonly waitingSince: Timestamp | undefined; readonly processed: number }) => void
}

/** The deliveries of one webhook by this server. Their steps answer false at the end of all deliveries. */
interface Delivery extends DeliverySignals {
  readonly webhook: Webhook
  readonly progress: DeliveryProgress
  /** Events that were read with those of an earlier batch. */
  pending: ReadonlyArray<PresenceEvent>
  /** When the events were read. */
  readAt: Timestamp
}

/** Waits from one time to another, at most until the server drains. */
const pause = ({ draining }: DeliverySignals, until: number, from: number) =>
  Effect.raceFirst(Effect.sleep(Duration.millis(Math.max(0, until - from))), draining.await)

/** Reads the next events; none when the organization was deleted. */
const readEvents = Effect.fnUntraced(function* ({ webhook, progress, readPage }: Delivery) {
  const { organizationId, webhookId } = webhook
  const { processed, batchEnd } = progress.current()
  const page = yield* untilStored(readPage({ organizationId, version: processed }))
  if (page._tag === "Gone") return undefined
  if (page._tag === "Events") {
    if (batchEnd === undefined) return page.events
    const ofBatch = page.events.slice(0, batchEnd - processed)
    if (ofBatch.length === batchEnd - processed) return ofBatch
  }
  // A feed that ends before the batch does is another one.
  const nearest = page._tag === "Events" ? processed + page.events.length : page.nearest
  yield* Effect.logWarning(`webhook ${webhookId}: events were forgotten before they could be delivered`)
  return (yield* progress.record(afterLoss(progress.current(), nearest, yield* now))) ? [] : undefined
})

/** Whether an attempt may begin: not when the server drains. It waits while the lease is not surely held. */
const mayBegin = Effect.fnUntraced(function* ({ leasedUntil, draining }: DeliverySignals) {
  while (leasedUntil() <= (yield* now)) yield* Effect.sleep("1 second")
  return !draining.isOpen()
})

/** Makes an attempt for an event of a batch. Returns the outcome: `stopped` at the end of all deliveries. */
const deliverEvent = Effect.fnUntraced(function* (delivery: Delivery, event: DeliveredEvent, batch: DeliveryBatch) {
  const { webhook, progress, generation } = delivery
  const begin = yield* now
  const from = deliverableFrom({ deliveries: [event] }, progress.lastPresenceAt, begin)
  if (from > begin) yield* pause(delivery, from, begin)
  const id = messageIdOf(webhook, generation(), event)
  const message = { id, body: bodyOf(id, event), version: event.version }
  const sent = yield* send(webhook, delivery, message, mayBegin(delivery))
  if (sent === undefined) return "stopped"
  const { attempt, retryAfter, isFinal = false } = sent
  const { status, failure: reason } = attempt
  const at = yield* now
  if (reason !== undefined) {
    const failed = afterFailure(progress.current(), { at, reason, status, retryAfter, isFinal }, yield* Random.next)
    const isRecorded = yield* progress.record(failed, attempt)
    if (failed.state !== "disabled") return isRecorded ? "failed" : "stopped"
    yield* Effect.logWarning(`webhook ${webhook.webhookId} is disabled: ${reason}`)
    return "stopped"
  }
  if (event._tag === "PresenceChanged") progress.presenceDelivered(event.placeId, at)
  const delivered = afterDelivery(progress.current(), event, at)
  const isLast = event === batch.deliveries.at(-1)
  const next = isLast ? { ...delivered, processed: batch.end, batchEnd: undefined } : delivered
  return (yield* progress.record(next, attempt)) ? "delivered" : "stopped"
})

/** Makes attempts for the deliveries that remain of a batch, in order, up to the first that fails. */
const deliverBatch = Effect.fnUntraced(function* (delivery: Delivery, batch: DeliveryBatch) {
  for (const event of remainingOf(batch, delivery.progress.current())) {
    const outcome = yield* deliverEvent(delivery, event, batch)
    if (outcome !== "delivered") return outcome === "failed"
  }
  return true
})

/** Begins or continues a batch with these events. */
const handleEvents = Effect.fnUntraced(function* (
  delivery: Delivery,
  events: readonly [PresenceEvent, ...ReadonlyArray<PresenceEvent>]
) {
  const { webhook, progress, draining, report } = delivery
  const batch = batchOf(webhook.types, events)
  const current = progress.current()
  report({ waitingSince: remainingOf(batch, current)[0]?.at, processed: current.processed })
  if (batch.deliveries.length === 0) {
    progress.pass({ ...current, processed: batch.end, batchEnd: undefined })
    if (!(yield* progress.recordPassed)) return false
    // A crowd causes 50 events a second, and most webhooks ask for none of them.
    if (events.length < MAX_EVENTS) yield* Effect.raceFirst(Effect.sleep(READ_AGAIN), draining.await)
    return true
  }
  if (current.batchEnd === undefined) {
    const at = yield* now
    const from = deliverableFrom(batch, progress.lastPresenceAt, at)
    // What is added to the feed meanwhile belongs to the batch.
    if (from > at) return yield* Effect.as(pause(delivery, from, at), true)
    // From here on the batch stays the same. And whatever was recorded after the end of the webhook was read after this was refused.
    if (!(yield* progress.record({ ...current, batchEnd: batch.end }))) return false
  }
  if (!(yield* deliverBatch(delivery, batch))) return false
  if (progress.current().processed === batch.end)
    delivery.pending = events.filter(({ version }) => version > batch.end).slice(0, MAX_PENDING_EVENTS)
  return true
})

/** Handles the next events, or waits for them. */
const step = Effect.fnUntraced(function* (delivery: Delivery) {
  const { progress, wake, draining, report } = delivery
  const at = yield* now
  const from = retryFrom(progress.current(), at)
  if (from > at) return yield* Effect.as(pause(delivery, from, at), true)
  // Events that came meanwhile may become one with those that wait.
  const isOld = wake.isOpen() && at >= delivery.readAt + MAX_READ_AGE_MS
  const isRead = delivery.pending.length === 0 || isOld
  if (isRead) {
    wake.closeUnsafe()
    delivery.readAt = at
  }
  const events = isRead ? yield* readEvents(delivery) : delivery.pending
  if (events === undefined) return false
  delivery.pending = []
  const [first, ...others] = events
  if (first !== undefined) return yield* handleEvents(delivery, [first, ...others])
  report({ waitingSince: undefined, processed: progress.current().processed })
  const wakings = [wake.await, draining.await]
  yield* Effect.raceAllFirst(progress.isAhead() ? [...wakings, Effect.sleep(WRITE_AFTER)] : wakings)
  return yield* progress.recordPassed
})

/** Delivers events until the webhook is disabled, its organization or its lease ends, or the server drains. */
export const deliverWebhook = Effect.fnUntraced(function* (webhook: Webhook, signals: DeliverySignals) {
  const progress = yield* makeDeliveryProgress(webhook, signals.holder)
  const delivery: Delivery = { ...signals, webhook, progress, pending: [], readAt: yield* now }

  // Without it the webhook would stay leased, and no server would deliver for it.
  const stepOrLater = Effect.catchDefect(step(delivery), (defect) =>
    Effect.logError(`deliveries of webhook ${webhook.webhookId} go on after a defect`, defect).pipe(
      Effect.andThen(pause(signals, DEFECT_DELAY_MS, 0)),
      Effect.as(true)
    )
  )

  while (!signals.draining.isOpen()) if (!(yield* stepOrLater)) return
  // The position behind events of other types is worth a write when the webhook is handed over.
  if (progress.isAhead()) yield* progress.record(progress.current())
})
