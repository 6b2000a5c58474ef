/** Delivers the events of one webhook, as long as this server holds its lease. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { PlaceId } from "../../domain/shared/Ids.ts"
import type { PresenceEvent } from "../../domain/feed/PresenceEvent.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import {
  afterDelivery,
  afterFailure,
  afterLoss,
  parseRetryAfter,
  retryFrom,
  secretsAt,
  type Webhook,
  type WebhookAttempt,
  type WebhookProgress
} from "../../domain/webhooks/Webhook.ts"
import {
  bodyOf,
  messageIdOf,
  remainingOf,
  roundFrom,
  roundOf,
  signatureOf,
  testBodyOf,
  testIdOf,
  type WebhookRound
} from "../../domain/webhooks/WebhookMessage.ts"
import { parseWebhookUrl, requireAllowedReceiver } from "../../domain/webhooks/WebhookUrl.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { WebhookSender } from "../../ports/webhooks/WebhookSender.ts"
import { WebhookStore } from "../../ports/webhooks/WebhookStore.ts"
import type { LimitAttempt } from "../shared/AttemptLimiter.ts"
import type { LimitDeliveries } from "./DeliveryLimiter.ts"
import { MAX_EVENTS, type ReadPage } from "../feed/FeedPages.ts"
import { now } from "../shared/now.ts"
import { WebhookReceivers } from "./WebhookReceivers.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

/** How long a receiver has for its answer. */
const ANSWER_WITHIN = Duration.seconds(15)

/** How many events a webhook keeps for its next rounds. Receivers may be slow, and webhooks many. */
const MAX_PENDING_EVENTS = 100

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

/** How old a reading of a feed may be when a round is made of what it held, in milliseconds. */
const KEPT_FOR = 1_000

/** The limits that all deliveries of a server share. */
export interface DeliveryLimits {
  readonly limitAttempt: LimitAttempt
  readonly limitDeliveries: LimitDeliveries
}

/** What the loop and the deliveries of a webhook tell each other. */
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

const AGAIN = Schedule.spaced("1 second")

/** The storage is away: what was delivered is not forgotten meanwhile. */
const untilStored = <A, E, R>(effect: Effect.Effect<A, E | StoreError, R>) =>
  Effect.retry(effect, {
    while: (error: unknown) => (error as StoreError)._tag === "StoreError",
    schedule: AGAIN
  }) as Effect.Effect<A, Exclude<E, StoreError>, R>

/** The outcome of sending once, and the attempt as it is kept. */
interface Sent {
  readonly attempt: WebhookAttempt
  readonly retryAfter?: number | undefined
  /** No further attempt can succeed. */
  readonly isFinal?: boolean
}

type Answer = Pick<WebhookAttempt, "status" | "failure"> & { readonly retryAfter?: string | undefined }

const sendOnce = Effect.fnUntraced(function* (
  webhook: Webhook,
  { limitAttempt, limitDeliveries }: DeliveryLimits,
  mayBegin: Effect.Effect<boolean>,
  { id, body, version }: { readonly id: string; readonly body: string; readonly version?: number }
) {
  const webhookSecrets = yield* WebhookSecrets
  const sender = yield* WebhookSender
  const policy = yield* WebhookReceivers
  const at = yield* now
  const notSent = (failure: string, isFinal: boolean): Sent => ({ attempt: { version, at, ms: 0, failure }, isFinal })
  const current = webhookSecrets.derive(webhook, webhook.secret)
  if (Option.isNone(current)) return notSent("the key of its secret was retired: get a new secret, and enable it", true)
  const url = Result.flatMap(parseWebhookUrl(webhook.url), (parsed) => requireAllowedReceiver(parsed, policy))
  if (Result.isFailure(url)) return notSent(url.failure.reason, false)

  const sendNow = Effect.gen(function* () {
    if (!(yield* mayBegin)) return undefined
    const begin = yield* now
    const timestamp = Math.floor(begin / 1000)
    const secrets = secretsAt(webhook, begin).flatMap((source) =>
      Option.toArray(webhookSecrets.derive(webhook, source))
    )
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatureOf(secrets, { id, timestamp, body })
    }
    const { status, failure, retryAfter }: Answer = yield* sender.send({ url: url.success, headers, body }).pipe(
      Effect.map((answer): Answer =>
        answer.status >= 200 && answer.status < 300
          ? { status: answer.status }
          : { ...answer, failure: `the receiver answered ${answer.status}` }
      ),
      Effect.timeoutOrElse({
        duration: ANSWER_WITHIN,
        orElse: () => Effect.succeed<Answer>({ failure: "the receiver did not answer within 15 seconds" })
      }),
      Effect.catchTag("WebhookUnreachable", ({ reason }) => Effect.succeed<Answer>({ failure: reason }))
    )
    const end = yield* now
    const attempt: WebhookAttempt = { version, at: begin, status, ms: Math.max(0, end - begin), failure }
    return { attempt, retryAfter: retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, end) } as Sent
  })
  yield* limitDeliveries(webhook, url.success)
  return yield* limitAttempt(sendNow)
})

/** Sends a delivery once, when the limits and `mayBegin` allow it; none when it may not begin. */
const send = (...parameters: Parameters<typeof sendOnce>) =>
  Effect.tap(sendOnce(...parameters), (sent) =>
    sent === undefined ? Effect.void : Metric.update(sent.attempt.failure === undefined ? delivered : failed, 1)
  )

/** Sends the test of a webhook once, and keeps its attempt. */
export const deliverTest = Effect.fnUntraced(function* (webhook: Webhook, limits: DeliveryLimits) {
  const at = yield* now
  const id = testIdOf(webhook, at)
  const message = { id, body: testBodyOf(id, webhook, at) }
  const sent = yield* send(webhook, limits, Effect.succeed(true), message)
  if (sent === undefined) return
  const { webhookId } = webhook
  yield* untilStored(WebhookStore.use((store) => store.recordTest({ webhookId, attempt: sent.attempt })))
})

const [delivered, failed] = ["delivered", "failed"].map((outcome) =>
  Metric.withAttributes(deliveries, { outcome })
) as [Metric.Counter<number>, Metric.Counter<number>]

/** Both are exported from the start. */
export const registerDeliveryMetrics = Effect.andThen(Metric.update(delivered, 0), Metric.update(failed, 0))

/** Delivers events until the webhook is disabled, its organization or its lease ends, or the server drains. */
export const deliverWebhook = Effect.fnUntraced(function* (webhook: Webhook, signals: DeliverySignals) {
  const { webhookId, organizationId, types, revision } = webhook
  const { holder, generation, readPage, wake, draining, leasedUntil, report } = signals
  const store = yield* WebhookStore
  let progress = webhook.progress
  let written = progress.processed
  let writtenAt = yield* now
  /** When this server delivered the last `PresenceChanged` of each premises. Another server did before `progress.presenceAt`. */
  const presenceAt = new Map<PlaceId | undefined, Timestamp>()
  const lastPresenceAt = (placeId: PlaceId | undefined) => presenceAt.get(placeId) ?? webhook.progress.presenceAt
  /** Events that were read with those of an earlier round. */
  let kept: ReadonlyArray<PresenceEvent> = []
  let readAt = writtenAt

  /** Writes the progress; false when the webhook was removed, disabled or changed, or another server holds the lease. */
  const record = Effect.fnUntraced(function* (next: WebhookProgress, attempt?: WebhookAttempt) {
    progress = next
    written = next.processed
    writtenAt = yield* now
    return yield* untilStored(store.record({ webhookId, revision, holder, progress, attempt }))
  })

  /** Writes the position behind events of other types, if that is due; false when another server holds the lease. */
  const recordPassed = Effect.gen(function* () {
    const passed = progress.processed - written
    const isDue = passed >= WRITE_EVERY || (passed > 0 && (yield* now) >= writtenAt + Duration.toMillis(WRITE_AFTER))
    return isDue ? yield* record(progress) : true
  })

  const pause = (until: number, from: number) =>
    Effect.raceFirst(Effect.sleep(Duration.millis(Math.max(0, until - from))), draining.await)

  /** The next events; none when there is no organization any more. */
  const read = Effect.gen(function* () {
    const { processed, until } = progress
    const page = yield* untilStored(readPage({ organizationId, version: processed }))
    if (page._tag === "Gone") return undefined
    if (page._tag === "Events") {
      if (until === undefined) return page.events
      const ofRound = page.events.slice(0, until - processed)
      if (ofRound.length === until - processed) return ofRound
    }
    // A feed that ends before the round does is another one.
    const nearest = page._tag === "Events" ? processed + page.events.length : page.nearest
    yield* Effect.logWarning(`webhook ${webhookId}: events were forgotten before they could be delivered`)
    return (yield* record(afterLoss(progress, nearest, yield* now))) ? [] : undefined
  })

  /** Whether an attempt may begin: not when the server drains. It waits while the lease is not surely held. */
  const mayBegin = Effect.gen(function* () {
    while (leasedUntil() <= (yield* now)) yield* Effect.sleep("1 second")
    return !draining.isOpen()
  })

  /** Makes attempts for what is left of a round, in order, up to the first that fails. Returns false at the end of all deliveries. */
  const deliverRound = Effect.fnUntraced(function* (round: WebhookRound) {
    for (const event of remainingOf(round, progress)) {
      const asked = yield* now
      const from = roundFrom({ deliveries: [event] }, lastPresenceAt, asked)
      if (from > asked) yield* pause(from, asked)
      const { version } = event
      const id = messageIdOf(webhook, generation(), event)
      const message = { id, body: bodyOf(id, event), version }
      const sent = yield* send(webhook, signals, mayBegin, message)
      if (sent === undefined) return false
      const { attempt, retryAfter, isFinal = false } = sent
      const { status, failure: reason } = attempt
      const at = yield* now
      if (reason !== undefined) {
        const failure = { at, reason, status, retryAfter, isFinal }
        const isKept = yield* record(afterFailure(progress, failure, yield* Random.next), attempt)
        if (progress.state !== "disabled") return isKept
        yield* Effect.logWarning(`webhook ${webhookId} is disabled: ${reason}`)
        return false
      }
      if (event._tag === "PresenceChanged") presenceAt.set(event.placeId, at)
      const next = afterDelivery(progress, event, at)
      const isLast = event === round.deliveries.at(-1)
      if (!(yield* record(isLast ? { ...next, processed: round.until, until: undefined } : next, attempt))) return false
    }
    return true
  })

  /** Begins or continues a round with these events. Returns false at the end of all deliveries. */
  const handle = Effect.fnUntraced(function* (events: readonly [PresenceEvent, ...ReadonlyArray<PresenceEvent>]) {
    const round = roundOf(types, events)
    const [first] = round.deliveries
    report({ waitingSince: remainingOf(round, progress)[0]?.at, processed: progress.processed })
    if (first === undefined) {
      progress = { ...progress, processed: round.until, until: undefined }
      if (!(yield* recordPassed)) return false
      // A crowd causes 50 events a second, and most webhooks ask for none of them.
      if (events.length < MAX_EVENTS) yield* Effect.raceFirst(Effect.sleep(READ_AGAIN), draining.await)
      return true
    }
    if (progress.until === undefined) {
      const at = yield* now
      const from = roundFrom(round, lastPresenceAt, at)
      // What is added to the feed meanwhile belongs to the round.
      if (from > at) return yield* Effect.as(pause(from, at), true)
      // From here on the round stays the same. And whatever was recorded after the end of the webhook was read after this was refused.
      if (!(yield* record({ ...progress, until: round.until }))) return false
    }
    if (!(yield* deliverRound(round))) return false
    if (progress.processed === round.until)
      kept = events.filter(({ version }) => version > round.until).slice(0, MAX_PENDING_EVENTS)
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
    // Events that came meanwhile may become one with those that wait.
    const isOld = wake.isOpen() && at >= readAt + KEPT_FOR
    if (kept.length === 0 || isOld) {
      wake.closeUnsafe()
      readAt = at
    }
    const events = kept.length === 0 || isOld ? yield* read : kept
    if (events === undefined) return false
    kept = []
    const [one, ...others] = events
    if (one !== undefined) return yield* handle([one, ...others])
    report({ waitingSince: undefined, processed: progress.processed })
    const asks = [wake.await, draining.await]
    yield* Effect.raceAllFirst(progress.processed > written ? [...asks, Effect.sleep(WRITE_AFTER)] : asks)
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
  if (progress.processed > written) yield* record(progress)
})
