/** A webhook, and what becomes of it as deliveries succeed or fail: when it is tried again, and when it is disabled. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { AdministratorId, OrganizationId, WebhookId } from "../shared/Ids.ts"
import type { FeedVersion, PresenceEventData } from "../feed/PresenceEvent.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import { isAhead, Timestamp } from "../shared/Timestamp.ts"
import {
  parseWebhookUrl,
  requireAllowedReceiver,
  type WebhookReceiverPolicy,
  type WebhookUrlRefused
} from "./WebhookUrl.ts"

/** The types of events that a webhook may ask for. */
export const WebhookEventType = Schema.Literals([
  "presence.changed",
  "capacity.changed",
  "place.changed",
  "organization.changed",
  "muster.changed",
  "device.changed"
])
export type WebhookEventType = typeof WebhookEventType.Type

const TYPES: { readonly [Tag in PresenceEventData["_tag"]]: WebhookEventType } = {
  PresenceChanged: "presence.changed",
  CapacityChanged: "capacity.changed",
  PlaceChanged: "place.changed",
  OrganizationChanged: "organization.changed",
  MusterChanged: "muster.changed",
  DeviceChanged: "device.changed"
}

/** The type of an event. */
export const eventTypeOf = ({ _tag }: Pick<PresenceEventData, "_tag">): WebhookEventType => TYPES[_tag]

/** The types of a webhook that asks for none by name. */
export const DEFAULT_WEBHOOK_TYPES: ReadonlyArray<WebhookEventType> = WebhookEventType.literals.filter(
  (type) => type !== "presence.changed"
)

/** The most webhooks that an organization may have. */
export const MAX_WEBHOOKS = 10

/** Whether deliveries go on: `failing` ones are tried again, `disabled` ones wait for an owner. */
export type WebhookState = "active" | "failing" | "disabled"

/** Why a delivery failed. */
export interface WebhookFailure {
  readonly at: Timestamp
  readonly reason: string
}

/** How far the deliveries of a webhook are. */
export interface WebhookProgress {
  /** All events up to this version were delivered, or are of types that the webhook did not ask for. */
  readonly processed: FeedVersion
  /** The last event of the batch that is being delivered; none between batches. What a batch delivers stays the same. */
  readonly batchEnd?: FeedVersion | undefined
  /** The version of the event that was delivered last. */
  readonly delivered?: FeedVersion | undefined
  /** When an event of type `presence.changed` was delivered last. */
  readonly presenceAt?: Timestamp | undefined
  /** How many attempts failed since the last one that succeeded. */
  readonly attempts: number
  /** When the next attempt may be made; none: at once. */
  readonly retryAt?: Timestamp | undefined
  readonly state: WebhookState
  readonly lastFailure?: WebhookFailure | undefined
}

/** What a secret of a webhook is derived from, besides the webhook. */
export interface WebhookSecretSource {
  /** The id of the key. */
  readonly keyId: number
  /** How many secrets the webhook had before this one. */
  readonly number: number
}

/** A secret that was replaced, and until when deliveries are signed with it, too. */
export interface EarlierSecret extends WebhookSecretSource {
  readonly until: Timestamp
}

/** A URL to which an organization's events are delivered. */
export interface Webhook {
  readonly webhookId: WebhookId
  readonly organizationId: OrganizationId
  /** As it was given. */
  readonly url: string
  readonly types: ReadonlyArray<WebhookEventType>
  readonly creationDate: Timestamp
  /** The owner who created it, or who enabled it last after it was disabled; `ERASED` once that administrator was erased. */
  readonly createdBy: AdministratorId
  readonly secret: WebhookSecretSource
  readonly earlierSecret?: EarlierSecret | undefined
  /** The number of changes by owners and by the loss of its owner. Progress is recorded for the revision that it was made with. */
  readonly revision: number
  readonly progress: WebhookProgress
}

/** One attempt to send a delivery. */
export interface WebhookAttempt {
  /** The version of the event; none: a test. */
  readonly version?: FeedVersion | undefined
  /** When it began. */
  readonly at: Timestamp
  /** The status that the receiver answered; none where no answer came. */
  readonly status?: number | undefined
  /** How long it took, in milliseconds. */
  readonly ms: number
  /** Why it failed; none where the receiver took the delivery. */
  readonly failure?: string | undefined
}

/** The number of attempts that are kept of each webhook. */
export const KEPT_ATTEMPTS = 50

/** There is no such webhook. */
export class WebhookNotFound extends TaggedError("WebhookNotFound", "the webhook does not exist")<{
  readonly webhookId: WebhookId
}> {}

/** The organization has as many webhooks as it may have. */
export class TooManyWebhooks extends TaggedError(
  "TooManyWebhooks",
  "the organization has as many webhooks as allowed"
)<{ readonly most: number }> {}

/** The test that was asked for before was not sent yet. */
export class WebhookTestWaiting extends TaggedError("WebhookTestWaiting", "the test before was not sent yet")<{}> {}

/** The feed does not hold the event that a replay is to begin with. */
export class ReplayOutOfRange extends TaggedError(
  "ReplayOutOfRange",
  "the feed does not hold the event with which the replay begins"
)<{
  readonly range: FeedRange
}> {}

/** The events that a feed holds; `oldest` is above `newest` where it holds none. */
export interface FeedRange {
  readonly oldest: FeedVersion
  readonly newest: FeedVersion
}

/** Requires a URL that deliveries may be sent to, and room beside so many webhooks, in this order. */
export const requireNewWebhook = (
  url: string,
  policy: WebhookReceiverPolicy,
  webhooks: number
): Result.Result<void, WebhookUrlRefused | TooManyWebhooks> =>
  Result.gen(function* () {
    yield* requireAllowedReceiver(yield* parseWebhookUrl(url), policy)
    if (webhooks >= MAX_WEBHOOKS) return yield* Result.fail(new TooManyWebhooks({ most: MAX_WEBHOOKS }))
  })

/** The progress of a webhook that begins after the event of this version. */
export const newProgress = (version: FeedVersion): WebhookProgress => ({
  processed: version,
  attempts: 0,
  state: "active"
})

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long to wait after the first failed attempt, after the second, and so on, in milliseconds. */
export const RETRY_DELAYS_MS: ReadonlyArray<number> = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR
]

/** A delay grows by up to this part of itself, so that webhooks that failed together are not tried again together. */
export const RETRY_JITTER = 0.1

/** HTTP's status Gone: the receiver asks for no more deliveries. */
const GONE = 410

/** The bounds of a receiver's `Retry-After`, in milliseconds. */
export const SHORTEST_RETRY_AFTER = 5 * SECOND
export const LONGEST_RETRY_AFTER_MS = 24 * HOUR

/** The forms of an HTTP date (RFC 9110, section 5.6.7). All of them are in UTC, and the last one does not say so. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}))$/

/**
 * How long a receiver asks to wait by the `Retry-After` of its answer, in milliseconds: seconds, or an HTTP date. At least
 * {@link SHORTEST_RETRY_AFTER}, at most {@link LONGEST_RETRY_AFTER_MS}; none where it is neither.
 */
export const parseRetryAfter = (header: string, now: Timestamp): number | undefined => {
  const text = header.trim()
  const date = HTTP_DATE.exec(text)
  const wait = /^\d+$/.test(text)
    ? Number(text) * SECOND
    : date === null
      ? Number.NaN
      : Date.parse(date[1] === undefined ? text : `${text} GMT`) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, SHORTEST_RETRY_AFTER), LONGEST_RETRY_AFTER_MS)
}

/**
 * The progress after an attempt that failed: it is tried again after the next of {@link RETRY_DELAYS_MS}, and disabled where none is
 * left or the receiver answered 410. The receiver's `retryAfter`, in milliseconds, makes a delay longer and never shorter, and adds no
 * attempt. `random` is from 0 up to 1.
 */
export const afterFailure = (
  progress: WebhookProgress,
  failure: WebhookFailure & {
    readonly status?: number | undefined
    readonly isFinal?: boolean
    readonly retryAfter?: number | undefined
  },
  random: number
): WebhookProgress => {
  const { at, reason, status, isFinal = false, retryAfter = 0 } = failure
  const failed = { ...progress, attempts: progress.attempts + 1, lastFailure: { at, reason } }
  const delay = status === GONE || isFinal ? undefined : RETRY_DELAYS_MS[progress.attempts]
  if (delay === undefined) return { ...failed, retryAt: undefined, state: "disabled" }
  const wait = Math.max(delay, retryAfter) * (1 + RETRY_JITTER * random)
  return { ...failed, retryAt: Timestamp(at + wait), state: "failing" }
}

/** When the next attempt may be made. A failure in the future, of a clock that was ahead, holds up nothing. */
export const retryFrom = (
  { retryAt, lastFailure }: Pick<WebhookProgress, "retryAt" | "lastFailure">,
  now: Timestamp
): Timestamp => (retryAt === undefined || (lastFailure?.at ?? now) > now ? now : Timestamp(Math.max(now, retryAt)))

/** The progress after the event of this version was delivered. */
export const afterDelivery = (
  progress: WebhookProgress,
  { version, _tag }: { readonly version: FeedVersion; readonly _tag: PresenceEventData["_tag"] },
  now: Timestamp
): WebhookProgress => ({
  ...progress,
  delivered: version,
  presenceAt: _tag === "PresenceChanged" ? now : progress.presenceAt,
  attempts: 0,
  retryAt: undefined,
  state: "active"
})

/**
 * A webhook that an owner enables: the next attempt is made at once. One that was disabled is theirs from then on. An active one
 * stays as it is.
 */
export const enabled = (webhook: Webhook, administratorId: AdministratorId): Webhook => {
  const { progress, createdBy } = webhook
  if (progress.state === "active") return webhook
  return {
    ...webhook,
    createdBy: progress.state === "disabled" ? administratorId : createdBy,
    progress: { ...progress, attempts: 0, retryAt: undefined, state: "active" }
  }
}

/** Why a webhook is disabled whose administrator is no owner any more. */
export const OWNER_LOST = "the administrator whose webhook it is is no owner any more: an owner may enable it"

/** The progress of a webhook whose administrator is no owner of the organization any more. */
export const afterOwnerLost = (progress: WebhookProgress, at: Timestamp): WebhookProgress => ({
  ...progress,
  retryAt: undefined,
  state: "disabled",
  lastFailure: { at, reason: OWNER_LOST }
})

/** How long deliveries are signed with the secret before the newest one, too, in milliseconds. */
export const EARLIER_SECRET_MS = 24 * HOUR

/**
 * A webhook with a new secret, of this key. The secret before it is valid for {@link EARLIER_SECRET_MS}, and one before that ends.
 */
export const withNewSecret = (webhook: Webhook, keyId: number, now: Timestamp): Webhook => ({
  ...webhook,
  secret: { keyId, number: webhook.secret.number + 1 },
  earlierSecret: { ...webhook.secret, until: Timestamp(now + EARLIER_SECRET_MS) }
})

/** The secrets that a delivery is signed with, the newest first. */
export const secretsAt = (
  { secret, earlierSecret }: Pick<Webhook, "secret" | "earlierSecret">,
  now: Timestamp
): readonly [WebhookSecretSource, ...ReadonlyArray<WebhookSecretSource>] =>
  earlierSecret === undefined || earlierSecret.until <= now || isAhead(earlierSecret.until, now, EARLIER_SECRET_MS)
    ? [secret]
    : [secret, earlierSecret]

/**
 * The webhook that delivers the events from `fromVersion` on again, or for the first time. Its state stays: a failing one does so at its
 * next attempt, a disabled one once it is enabled.
 */
export const replayed = (
  webhook: Webhook,
  fromVersion: FeedVersion,
  range: FeedRange
): Result.Result<Webhook, ReplayOutOfRange> => {
  if (fromVersion < range.oldest || fromVersion > range.newest) return Result.fail(new ReplayOutOfRange({ range }))
  const { progress } = webhook
  const delivered = (progress.delivered ?? 0) < fromVersion ? progress.delivered : undefined
  return Result.succeed({
    ...webhook,
    progress: { ...progress, processed: fromVersion - 1, batchEnd: undefined, delivered }
  })
}

/** Requires that no test waits: the delivering servers look for tests every two seconds, so that their rate is bounded. */
export const requireTestable = (isTestDue: boolean): Result.Result<void, WebhookTestWaiting> =>
  isTestDue ? Result.fail(new WebhookTestWaiting()) : Result.void

/**
 * The progress when the feed no longer holds the next event, or is another feed after a restore: it continues after `version`, and skips the
 * undelivered events before it. Versions after it were delivered of another feed, or are delivered again.
 */
export const afterLoss = (progress: WebhookProgress, version: FeedVersion, at: Timestamp): WebhookProgress => ({
  ...progress,
  processed: version,
  batchEnd: undefined,
  delivered: (progress.delivered ?? 0) > version ? undefined : progress.delivered,
  lastFailure: { at, reason: "events were forgotten before they could be delivered" }
})
