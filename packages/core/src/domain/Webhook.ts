/** A webhook, and what becomes of it as deliveries succeed or fail: when it is tried again, and when it is disabled. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { OrganizationId, WebhookId } from "./Ids.ts"
import { type PermissionTooLow, requireLevel } from "./Permission.ts"
import type { PermissionLevel } from "./PermissionLevel.ts"
import type { FeedVersion, PresenceNews } from "./PresenceEvent.ts"
import { TaggedError } from "./TaggedError.ts"
import { Timestamp } from "./Timestamp.ts"
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
  "muster.changed"
])
export type WebhookEventType = typeof WebhookEventType.Type

const TYPES: { readonly [Tag in PresenceNews["_tag"]]: WebhookEventType } = {
  PresenceChanged: "presence.changed",
  CapacityChanged: "capacity.changed",
  PlaceChanged: "place.changed",
  OrganizationChanged: "organization.changed",
  MusterChanged: "muster.changed"
}

/** The type of an event. */
export const eventTypeOf = ({ _tag }: Pick<PresenceNews, "_tag">): WebhookEventType => TYPES[_tag]

/** The types of a webhook that asks for none by name. */
export const DEFAULT_WEBHOOK_TYPES: ReadonlyArray<WebhookEventType> = WebhookEventType.literals.filter(
  (type) => type !== "presence.changed"
)

/** The most webhooks that an organization may have. */
export const MOST_WEBHOOKS = 10

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
  readonly handled: FeedVersion
  /** The last event of the round that is being delivered; none between rounds. What a round delivers stays the same. */
  readonly until?: FeedVersion | undefined
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

/** A URL to which an organization's events are delivered. */
export interface Webhook {
  readonly webhookId: WebhookId
  readonly organizationId: OrganizationId
  /** As it was given. */
  readonly url: string
  readonly types: ReadonlyArray<WebhookEventType>
  readonly creationDate: Timestamp
  /** The id of the key that its secret is derived with. */
  readonly keyId: number
  readonly progress: WebhookProgress
}

/** There is no such webhook. */
export class WebhookNotFound extends TaggedError("WebhookNotFound", "the webhook does not exist")<{
  readonly webhookId: WebhookId
}> {}

/** The organization has as many webhooks as it may have. */
export class TooManyWebhooks extends TaggedError(
  "TooManyWebhooks",
  "the organization has as many webhooks as allowed"
)<{ readonly most: number }> {}

/** Requires an owner, a URL that deliveries may be sent to, and room for another webhook, in this order. */
export const requireNewWebhook = (
  url: string,
  policy: WebhookReceiverPolicy,
  facts: { readonly level: Option.Option<PermissionLevel>; readonly webhooks: number }
): Result.Result<void, PermissionTooLow | WebhookUrlRefused | TooManyWebhooks> =>
  Result.gen(function* () {
    yield* requireLevel(facts.level, "owner")
    yield* requireAllowedReceiver(yield* parseWebhookUrl(url), policy)
    if (facts.webhooks >= MOST_WEBHOOKS) return yield* Result.fail(new TooManyWebhooks({ most: MOST_WEBHOOKS }))
  })

/** The progress of a webhook that begins after the event of this version. */
export const newProgress = (version: FeedVersion): WebhookProgress => ({
  handled: version,
  attempts: 0,
  state: "active"
})

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long to wait after the first failed attempt, after the second, and so on, in milliseconds. */
export const RETRY_DELAYS: ReadonlyArray<number> = [
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

/**
 * The progress after an attempt that failed: it is tried again after the next of {@link RETRY_DELAYS}, and disabled where none is
 * left or the receiver answered 410. `random` is from 0 up to 1.
 */
export const afterFailure = (
  progress: WebhookProgress,
  failure: WebhookFailure & { readonly status?: number | undefined; readonly isFinal?: boolean },
  random: number
): WebhookProgress => {
  const { at, reason, status, isFinal = false } = failure
  const failed = { ...progress, attempts: progress.attempts + 1, lastFailure: { at, reason } }
  const delay = status === GONE || isFinal ? undefined : RETRY_DELAYS[progress.attempts]
  return delay === undefined
    ? { ...failed, retryAt: undefined, state: "disabled" }
    : { ...failed, retryAt: Timestamp(at + delay * (1 + RETRY_JITTER * random)), state: "failing" }
}

/** When the next attempt may be made. A failure in the future, of a clock that was ahead, holds up nothing. */
export const retryFrom = (
  { retryAt, lastFailure }: Pick<WebhookProgress, "retryAt" | "lastFailure">,
  now: Timestamp
): Timestamp => (retryAt === undefined || (lastFailure?.at ?? now) > now ? now : Timestamp(Math.max(now, retryAt)))

/** The progress after the event of this version was delivered. */
export const afterDelivery = (
  progress: WebhookProgress,
  { version, _tag }: { readonly version: FeedVersion; readonly _tag: PresenceNews["_tag"] },
  now: Timestamp
): WebhookProgress => ({
  ...progress,
  delivered: version,
  presenceAt: _tag === "PresenceChanged" ? now : progress.presenceAt,
  attempts: 0,
  retryAt: undefined,
  state: "active"
})

/** The progress of a webhook that an owner enables: the next attempt is made at once. An active one stays as it is. */
export const enabled = (progress: WebhookProgress): WebhookProgress =>
  progress.state === "active" ? progress : { ...progress, attempts: 0, retryAt: undefined, state: "active" }

/**
 * The progress where the feed no longer holds the next event, or is another one after a restore: it goes on after `version`, and
 * what was not delivered before it is left out. Versions after it were delivered of another feed, or are delivered again.
 */
export const afterLoss = (progress: WebhookProgress, version: FeedVersion, at: Timestamp): WebhookProgress => ({
  ...progress,
  handled: version,
  until: undefined,
  delivered: (progress.delivered ?? 0) > version ? undefined : progress.delivered,
  lastFailure: { at, reason: "events were forgotten before they could be delivered" }
})
