/** Sends deliveries and tests to the receiver of a webhook: one attempt at a time, within the limits of the server. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { parseRetryAfter, secretsAt, type Webhook, type WebhookAttempt } from "../../domain/webhooks/Webhook.ts"
import { signatureOf, testBodyOf, testIdOf } from "../../domain/webhooks/WebhookMessage.ts"
import { parseWebhookUrl, requireAllowedReceiver } from "../../domain/webhooks/WebhookUrl.ts"
import { WebhookSender } from "../../ports/webhooks/WebhookSender.ts"
import { WebhookStore } from "../../ports/webhooks/WebhookStore.ts"
import type { LimitAttempt } from "./AttemptLimiter.ts"
import { now } from "../shared/now.ts"
import type { LimitDeliveries } from "./DeliveryLimiter.ts"
import { untilStored } from "./DeliveryProgress.ts"
import { WebhookReceivers } from "./WebhookReceivers.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

/** How long a receiver has for its answer. */
const ANSWER_WITHIN = Duration.seconds(15)

const deliveries = Metric.counter("sojourn_webhook_deliveries_total", {
  description: "Attempts to deliver an event to a webhook, by outcome",
  incremental: true
})

const [delivered, failed] = ["delivered", "failed"].map((outcome) =>
  Metric.withAttributes(deliveries, { outcome })
) as [Metric.Counter<number>, Metric.Counter<number>]

/** Both are exported from the start. */
export const registerDeliveryMetrics = Effect.andThen(Metric.update(delivered, 0), Metric.update(failed, 0))

/** The limits that all deliveries of a server share. */
export interface DeliveryLimits {
  readonly limitAttempt: LimitAttempt
  readonly limitDeliveries: LimitDeliveries
}

/** The outcome of sending once, and the attempt as it is kept. */
interface Sent {
  readonly attempt: WebhookAttempt
  readonly retryAfter?: number | undefined
  /** No further attempt can succeed. */
  readonly isFinal?: boolean
}

type Answer = Pick<WebhookAttempt, "status" | "failure"> & { readonly retryAfter?: string | undefined }

/** Sends a request. It fails when the receiver does not answer within the time limit. */
const request = (...parameters: Parameters<WebhookSender["Service"]["send"]>) =>
  WebhookSender.use(({ send }) => send(...parameters)).pipe(
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

const sendOnce = Effect.fnUntraced(function* (
  webhook: Webhook,
  { limitAttempt, limitDeliveries }: DeliveryLimits,
  { id, body, version }: { readonly id: string; readonly body: string; readonly version?: number },
  mayBegin: Effect.Effect<boolean> = Effect.succeed(true)
) {
  const webhookSecrets = yield* untilStored(yield* WebhookSecrets)
  const policy = yield* WebhookReceivers
  const at = yield* now
  const notSent = (failure: string): Sent => ({ attempt: { version, at, ms: 0, failure } })
  const current = webhookSecrets.derive(webhook, webhook.secret)
  if (Option.isNone(current)) {
    return { ...notSent("the key of its secret was retired: get a new secret, and enable it"), isFinal: true }
  }
  const url = Result.flatMap(parseWebhookUrl(webhook.url), (parsed) => requireAllowedReceiver(parsed, policy))
  if (Result.isFailure(url)) return notSent(url.failure.reason)

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
    const { status, failure, retryAfter } = yield* request({ url: url.success, headers, body })
    const end = yield* now
    const attempt: WebhookAttempt = { version, at: begin, status, ms: Math.max(0, end - begin), failure }
    return { attempt, retryAfter: retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, end) } as Sent
  })
  yield* limitDeliveries(webhook, url.success)
  return yield* limitAttempt(sendNow)
})

/** Sends a delivery once, when the limits and `mayBegin` allow it; none when it may not begin. */
export const send = (...parameters: Parameters<typeof sendOnce>) =>
  Effect.tap(sendOnce(...parameters), (sent) =>
    sent === undefined ? Effect.void : Metric.update(sent.attempt.failure === undefined ? delivered : failed, 1)
  )

/** Sends the test of a webhook once, and keeps its attempt. */
export const deliverTest = Effect.fnUntraced(function* (webhook: Webhook, limits: DeliveryLimits) {
  const at = yield* now
  const id = testIdOf(webhook, at)
  const message = { id, body: testBodyOf(id, webhook, at) }
  const sent = yield* send(webhook, limits, message)
  if (sent === undefined) return
  const { webhookId } = webhook
  yield* untilStored(WebhookStore.use((store) => store.recordTest({ webhookId, attempt: sent.attempt })))
})
