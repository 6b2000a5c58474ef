/** Delivers the events of one webhook, as long as this server holds its lease. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { PlaceId } from "../domain/Ids.ts"
import type { PresenceEvent } from "../domain/PresenceEvent.ts"
import type { Timestamp } from "../domain/Timestamp.ts"
import {
  afterDelivery,
  afterFailure,
  afterLoss,
  retryFrom,
  type Webhook,
  type WebhookProgress
} from "../domain/Webhook.ts"
import {
  bodyOf,
  type DeliveredEvent,
  messageIdOf,
  remainingOf,
  roundFrom,
  roundOf,
  signatureOf,
  type WebhookRound
} from "../domain/WebhookMessage.ts"
import { parseWebhookUrl, requireAllowedReceiver } from "../domain/WebhookUrl.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { WebhookSender } from "../ports/WebhookSender.ts"
import { WebhookStore } from "../ports/WebhookStore.ts"
import type { LimitAttempt } from "./AttemptLimiter.ts"
import { ExitTokens } from "./ExitTokens.ts"
import { MOST_EVENTS, type ReadPage } from "./FeedPages.ts"
import { now } from "./now.ts"
import { WebhookReceivers } from "./WebhookReceivers.ts"

/** How long a receiver has for its answer. */
const ANSWER_WITHIN = Duration.seconds(15)

/** How many events a webhook keeps for its next rounds. Receivers may be slow, and webhooks many. */
const MOST_KEPT = 100

/** How long to wait before events are read again after a page that held none of the asked types. */
const READ_AGAIN = Duration.seconds(1)

/** How many events of other types a webhook passes before its position is written, and for how long. */
const WRITE_EVERY = 10_000
const WRITE_AFTER = Duration.minutes(5)

const deliveries = Metric.counter("sojourn_webhook_deliveries_total", {
  description: "Attempts to deliver an event to a webhook, by outcome",
  incremental: true
})

/** How long deliveries wait after a defect, in milliseconds. */
const AFTER_DEFECT = 10_000

/** What the loop and the deliveries of a webhook tell each other. */
export interface DeliverySignals {
  readonly holder: string
  /** The epoch of the feeds. */
  readonly epoch: () => string
  readonly readPage: ReadPage
  readonly limitAttempt: LimitAttempt
  /** Opened when the organization's feed may have new events. */
  readonly wake: Latch.Latch
  /** Opened when the server drains: no attempt begins after it. */
  readonly draining: Latch.Latch
  /** Until when the lease is held. */
  readonly leasedUntil: () => Timestamp
  /** Tells which event waits for its delivery, and how far all others were handled. */
  readonly report: (state: { readonly waitingSince: Timestamp | undefined; readonly handled: number }) => void
}

const AGAIN = Schedule.spaced("1 second")

/** The storage is away: what was delivered is not forgotten meanwhile. */
const untilStored = <A, E, R>(effect: Effect.Effect<A, E | StoreError, R>) =>
  Effect.retry(effect, {
    while: (error: unknown) => (error as StoreError)._tag === "StoreError",
    schedule: AGAIN
  }) as Effect.Effect<A, Exclude<E, StoreError>, R>

type Attempt = { readonly status?: number; readonly reason: string; readonly isFinal?: boolean }

/** Sends an event once. Returns none when the receiver took it, else why it did not. */
const attempt = Effect.fnUntraced(function* (webhook: Webhook, epoch: string, event: DeliveredEvent) {
  const { webhookSecret } = yield* ExitTokens
  const { send } = yield* WebhookSender
  const policy = yield* WebhookReceivers
  const secret = webhookSecret(webhook)
  if (Option.isNone(secret)) {
    return Option.some<Attempt>({ reason: "the key of its secret was retired: create it again", isFinal: true })
  }
  const url = Result.flatMap(parseWebhookUrl(webhook.url), (parsed) => requireAllowedReceiver(parsed, policy))
  if (Result.isFailure(url)) return Option.some<Attempt>({ reason: url.failure.reason })
  const id = messageIdOf(webhook, epoch, event)
  const timestamp = Math.floor((yield* now) / 1000)
  const body = bodyOf(event)
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureOf(secret.value, { id, timestamp, body })
  }
  return yield* send({ url: url.success, headers, body }).pipe(
    Effect.map((status) =>
      status >= 200 && status < 300
        ? Option.none<Attempt>()
        : Option.some<Attempt>({ status, reason: `the receiver answered ${status}` })
    ),
    Effect.timeoutOrElse({
      duration: ANSWER_WITHIN,
      orElse: () => Effect.succeed(Option.some<Attempt>({ reason: "the receiver did not answer within 15 seconds" }))
    }),
    Effect.catchTag("WebhookUnreachable", ({ reason }) => Effect.succeed(Option.some<Attempt>({ reason })))
  )
})

const [delivered, failed] = ["delivered", "failed"].map((outcome) =>
  Metric.withAttributes(deliveries, { outcome })
) as [Metric.Counter<number>, Metric.Counter<number>]

/** Both are exported from the start. */
export const registerDeliveryMetrics = Effect.andThen(Metric.update(delivered, 0), Metric.update(failed, 0))

/** Delivers events until the webhook is disabled, its organization or its lease ends, or the server drains. */
export const deliverWebhook = Effect.fnUntraced(function* (webhook: Webhook, signals: DeliverySignals) {
  const { webhookId, organizationId, types } = webhook
  const { holder, epoch, readPage, limitAttempt, wake, draining, leasedUntil, report } = signals
  const store = yield* WebhookStore
  let progress = webhook.progress
  let written = progress.handled
  let writtenAt = yield* now
  /** When this server delivered the last `PresenceChanged` of each premises. Another server did before `progress.presenceAt`. */
  const presenceAt = new Map<PlaceId | undefined, Timestamp>()
  const lastPresenceAt = (placeId: PlaceId | undefined) => presenceAt.get(placeId) ?? webhook.progress.presenceAt
  /** Events that were read with those of an earlier round. */
  let kept: ReadonlyArray<PresenceEvent> = []

  /** Writes the progress; false when another server holds the lease. */
  const record = Effect.fnUntraced(function* (next: WebhookProgress) {
    progress = next
    written = next.handled
    writtenAt = yield* now
    return yield* untilStored(store.record({ webhookId, holder, progress }))
  })

  /** Writes the position behind events of other types, if that is due; false when another server holds the lease. */
  const recordPassed = Effect.gen(function* () {
    const passed = progress.handled - written
    const isDue = passed >= WRITE_EVERY || (passed > 0 && (yield* now) >= writtenAt + Duration.toMillis(WRITE_AFTER))
    return isDue ? yield* record(progress) : true
  })

  const pause = (until: number, from: number) =>
    Effect.raceFirst(Effect.sleep(Duration.millis(Math.max(0, until - from))), draining.await)

  /** The next events; none when there is no organization any more. */
  const read = Effect.gen(function* () {
    const { handled, until } = progress
    const page = yield* untilStored(readPage({ organizationId, version: handled }))
    if (page._tag === "Gone") return undefined
    if (page._tag === "Events") {
      if (until === undefined) return page.events
      const ofRound = page.events.slice(0, until - handled)
      if (ofRound.length === until - handled) return ofRound
    }
    // A feed that ends before the round does is another one.
    const nearest = page._tag === "Events" ? handled + page.events.length : page.nearest
    yield* Effect.logWarning(`webhook ${webhookId}: events were forgotten before they could be delivered`)
    return (yield* record(afterLoss(progress, nearest, yield* now))) ? [] : undefined
  })

  /** Makes an attempt while the lease is held; none when the server drains. */
  const attemptOnce = (event: DeliveredEvent) =>
    limitAttempt(
      Effect.gen(function* () {
        while (leasedUntil() <= (yield* now)) yield* Effect.sleep("1 second")
        return draining.isOpen() ? undefined : yield* attempt(webhook, epoch(), event)
      })
    )

  /** Makes attempts for what is left of a round, in order, up to the first that fails. Returns false at the end of all deliveries. */
  const deliverRound = Effect.fnUntraced(function* (round: WebhookRound) {
    for (const event of remainingOf(round, progress)) {
      const failure = yield* attemptOnce(event)
      if (failure === undefined) return false
      const at = yield* now
      if (Option.isSome(failure)) {
        yield* Metric.update(failed, 1)
        const isKept = yield* record(afterFailure(progress, { at, ...failure.value }, yield* Random.next))
        if (progress.state !== "disabled") return isKept
        yield* Effect.logWarning(`webhook ${webhookId} is disabled: ${failure.value.reason}`)
        return false
      }
      yield* Metric.update(delivered, 1)
      if (event._tag === "PresenceChanged") presenceAt.set(event.placeId, at)
      const next = afterDelivery(progress, event, at)
      const isLast = event === round.deliveries.at(-1)
      if (!(yield* record(isLast ? { ...next, handled: round.until, until: undefined } : next))) return false
    }
    return true
  })

  /** Begins or continues a round with these events. Returns false at the end of all deliveries. */
  const handle = Effect.fnUntraced(function* (events: readonly [PresenceEvent, ...ReadonlyArray<PresenceEvent>]) {
    const round = roundOf(types, events)
    const [first, second] = round.deliveries
    report({ waitingSince: remainingOf(round, progress)[0]?.at, handled: progress.handled })
    if (first === undefined) {
      progress = { ...progress, handled: round.until, until: undefined }
      if (!(yield* recordPassed)) return false
      // A crowd tells 50 events a second, and most webhooks ask for none of them.
      if (events.length < MOST_EVENTS) yield* Effect.raceFirst(Effect.sleep(READ_AGAIN), draining.await)
      return true
    }
    if (progress.until === undefined) {
      const at = yield* now
      const from = roundFrom(round, lastPresenceAt, at)
      // What is added to the feed meanwhile belongs to the round.
      if (from > at) return yield* Effect.as(pause(from, at), true)
      const isAddedUp = second !== undefined || first._tag === "PresenceChanged"
      if (isAddedUp && !(yield* record({ ...progress, until: round.until }))) return false
    }
    if (!(yield* deliverRound(round))) return false
    if (progress.handled === round.until)
      kept = events.filter(({ version }) => version > round.until).slice(0, MOST_KEPT)
    return true
  })

  /** Handles the next events, or waits for them. Returns false at the end of all deliveries. */
  const step = Effect.gen(function* () {
    const at = yield* now
    const from = retryFrom(progress, at)
    if (from > at) {
      yield* pause(from, at)
      return true
    }
    wake.closeUnsafe()
    const events = kept.length > 0 ? kept : yield* read
    if (events === undefined) return false
    kept = []
    const [one, ...others] = events
    if (one !== undefined) return yield* handle([one, ...others])
    report({ waitingSince: undefined, handled: progress.handled })
    const asks = [wake.await, draining.await]
    yield* Effect.raceAllFirst(progress.handled > written ? [...asks, Effect.sleep(WRITE_AFTER)] : asks)
    return yield* recordPassed
  })

  // Without it the webhook would stay leased, and no server would deliver for it.
  const stepOrLater = Effect.catchDefect(step, (defect) =>
    Effect.logError(`deliveries of webhook ${webhookId} go on after a defect`, defect).pipe(
      Effect.andThen(pause(AFTER_DEFECT, 0)),
      Effect.as(true)
    )
  )

  while (!draining.isOpen()) if (!(yield* stepOrLater)) return
  // The position behind events of other types is worth a write when the webhook is handed over.
  if (progress.handled > written) yield* record(progress)
})
