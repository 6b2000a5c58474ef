/** Delivers the events of one webhook, as long as this server holds its lease. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import type { PresenceEvent } from "../../domain/feed/PresenceEvent.ts"
import type { PlaceId } from "../../domain/shared/Ids.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import { afterDelivery, afterFailure, afterLoss, retryFrom, type Webhook } from "../../domain/webhooks/Webhook.ts"
import {
  bodyOf,
  type DeliveredEvent,
  messageIdOf,
  remainingOf,
  roundFrom,
  roundOf,
  type WebhookRound
} from "../../domain/webhooks/WebhookMessage.ts"
import { MAX_EVENTS, type ReadPage } from "../feed/FeedPages.ts"
import { now } from "../shared/now.ts"
import { type DeliveryProgress, makeDeliveryProgress, untilStored, WRITE_AFTER } from "./DeliveryProgress.ts"
import { type DeliveryLimits, sendDelivery } from "./WebhookAttempts.ts"

/** How many events a webhook keeps for its next rounds. Receivers may be slow, and webhooks many. */
const MAX_PENDING_EVENTS = 100

/** How long to wait before events are read again after a page that held none of the webhook's types. */
const READ_AGAIN = Duration.seconds(1)

/** How long deliveries wait after a defect, in milliseconds. */
const AFTER_DEFECT = 10_000

/** How old a page of a feed may be when a round is made of its events, in milliseconds. */
const KEPT_FOR = 1_000

/** The signals between the lease loop of a server and the deliveries of one webhook. */
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

/** The state of the deliveries. */
interface Delivery {
  readonly webhook: Webhook
  readonly signals: DeliverySignals
  readonly progress: DeliveryProgress
  /** When the last `PresenceChanged` of some premises was delivered, by this server or another one. */
  readonly lastPresenceAt: (placeId: PlaceId | undefined) => Timestamp | undefined
  readonly presenceAt: Map<PlaceId | undefined, Timestamp>
  /** Events that were read with those of an earlier round. */
  kept: ReadonlyArray<PresenceEvent>
  readAt: Timestamp
}

const pause = ({ draining }: DeliverySignals, until: number, from: number) =>
  Effect.raceFirst(Effect.sleep(Duration.millis(Math.max(0, until - from))), draining.await)

/** Whether an attempt may begin: not when the server drains. It waits while the lease is not surely held. */
const mayBegin = Effect.fnUntraced(function* ({ draining, leasedUntil }: DeliverySignals) {
  while (leasedUntil() <= (yield* now)) yield* Effect.sleep("1 second")
  return !draining.isOpen()
})

/** Reads the next events; none when there is no organization any more. */
const read = Effect.fnUntraced(function* ({ webhook, signals, progress }: Delivery) {
  const { processed, until } = progress.current()
  const { organizationId, webhookId } = webhook
  const page = yield* untilStored(signals.readPage({ organizationId, version: processed }))
  if (page._tag === "Gone") return undefined
  if (page._tag === "Events") {
    if (until === undefined) return page.events
    const ofRound = page.events.slice(0, until - processed)
    if (ofRound.length === until - processed) return ofRound
  }
  // A feed that ends before the round does is another one.
  const nearest = page._tag === "Events" ? processed + page.events.length : page.nearest
  yield* Effect.logWarning(`webhook ${webhookId}: events were forgotten before they could be delivered`)
  return (yield* progress.record(afterLoss(progress.current(), nearest, yield* now))) ? [] : undefined
})

/** Makes an attempt for an event of a round. "ended": no other attempt of the webhook may follow. */
const deliverEvent = Effect.fnUntraced(function* (delivery: Delivery, round: WebhookRound, event: DeliveredEvent) {
  const { webhook, signals, progress, lastPresenceAt, presenceAt } = delivery
  const begin = yield* now
  const from = roundFrom({ deliveries: [event] }, lastPresenceAt, begin)
  if (from > begin) yield* pause(signals, from, begin)
  const message = { id: messageIdOf(webhook, signals.generation(), event), body: bodyOf(event), version: event.version }
  const sent = yield* sendDelivery(webhook, signals, mayBegin(signals), message)
  if (sent === undefined) return "ended"
  const { attempt, retryAfter, isFinal = false } = sent
  const { status, failure: reason } = attempt
  const at = yield* now
  if (reason !== undefined) {
    const failure = { at, reason, status, retryAfter, isFinal }
    const isKept = yield* progress.record(afterFailure(progress.current(), failure, yield* Random.next), attempt)
    if (progress.current().state !== "disabled") return isKept ? "failed" : "ended"
    yield* Effect.logWarning(`webhook ${webhook.webhookId} is disabled: ${reason}`)
    return "ended"
  }
  if (event._tag === "PresenceChanged") presenceAt.set(event.placeId, at)
  const next = afterDelivery(progress.current(), event, at)
  const isLast = event === round.deliveries.at(-1)
  const isKept = yield* progress.record(isLast ? { ...next, processed: round.until, until: undefined } : next, attempt)
  return isKept ? "delivered" : "ended"
})

/** Delivers what is left of a round, in order, up to the first failure. Returns false at the end of all deliveries. */
const deliverRound = Effect.fnUntraced(function* (delivery: Delivery, round: WebhookRound) {
  for (const event of remainingOf(round, delivery.progress.current())) {
    const outcome = yield* deliverEvent(delivery, round, event)
    if (outcome !== "delivered") return outcome === "failed"
  }
  return true
})

/** Begins or continues a round with these events. Returns false at the end of all deliveries. */
const processEvents = Effect.fnUntraced(function* (
  delivery: Delivery,
  events: readonly [PresenceEvent, ...ReadonlyArray<PresenceEvent>]
) {
  const { webhook, signals, progress, lastPresenceAt } = delivery
  const round = roundOf(webhook.types, events)
  const { processed, until } = progress.current()
  signals.report({ waitingSince: remainingOf(round, progress.current())[0]?.at, processed })
  if (round.deliveries.length === 0) {
    progress.pass(round.until)
    if (!(yield* progress.recordPassed)) return false
    // A crowd causes 50 events a second, and most webhooks ask for none of them.
    if (events.length < MAX_EVENTS) yield* Effect.raceFirst(Effect.sleep(READ_AGAIN), signals.draining.await)
    return true
  }
  if (until === undefined) {
    const at = yield* now
    const from = roundFrom(round, lastPresenceAt, at)
    // What is added to the feed meanwhile belongs to the round.
    if (from > at) return yield* Effect.as(pause(signals, from, at), true)
    // From here on the round stays the same. And whatever was recorded after the end of the webhook was read after this was refused.
    if (!(yield* progress.record({ ...progress.current(), until: round.until }))) return false
  }
  if (!(yield* deliverRound(delivery, round))) return false
  if (progress.current().processed === round.until)
    delivery.kept = events.filter(({ version }) => version > round.until).slice(0, MAX_PENDING_EVENTS)
  return true
})

/** Processes the next events, or waits for them. Returns false at the end of all deliveries. */
const step = Effect.fnUntraced(function* (delivery: Delivery) {
  const { signals, progress } = delivery
  const { draining, wake } = signals
  const at = yield* now
  const from = retryFrom(progress.current(), at)
  if (from > at) return yield* Effect.as(pause(signals, from, at), true)
  // Events that came meanwhile may become one with those that wait.
  const isReadDue = delivery.kept.length === 0 || (wake.isOpen() && at >= delivery.readAt + KEPT_FOR)
  if (isReadDue) {
    wake.closeUnsafe()
    delivery.readAt = at
  }
  const events = isReadDue ? yield* read(delivery) : delivery.kept
  if (events === undefined) return false
  delivery.kept = []
  const [one, ...others] = events
  if (one !== undefined) return yield* processEvents(delivery, [one, ...others])
  signals.report({ waitingSince: undefined, processed: progress.current().processed })
  const signal = Effect.raceFirst(wake.await, draining.await)
  yield* progress.hasPassed() ? Effect.timeoutOption(signal, WRITE_AFTER) : signal
  return yield* progress.recordPassed
})

/** Delivers events until the webhook is disabled, its organization or its lease ends, or the server drains. */
export const deliverWebhook = Effect.fnUntraced(function* (webhook: Webhook, signals: DeliverySignals) {
  const progress = yield* makeDeliveryProgress(webhook, signals.holder)
  const presenceAt = new Map<PlaceId | undefined, Timestamp>()
  const lastPresenceAt = (placeId: PlaceId | undefined) => presenceAt.get(placeId) ?? webhook.progress.presenceAt
  const delivery = { webhook, signals, progress, presenceAt, lastPresenceAt, kept: [], readAt: yield* now }
  // Without it the webhook would stay leased, and no server would deliver for it.
  const stepOrLater = Effect.catchDefect(step(delivery), (defect) =>
    Effect.logError(`deliveries of webhook ${webhook.webhookId} go on after a defect`, defect).pipe(
      Effect.andThen(pause(signals, AFTER_DEFECT, 0)),
      Effect.as(true)
    )
  )
  while (!signals.draining.isOpen()) if (!(yield* stepOrLater)) return
  // The position behind events of other types is worth a write when the webhook is handed over.
  if (progress.hasPassed()) yield* progress.record(progress.current())
})
