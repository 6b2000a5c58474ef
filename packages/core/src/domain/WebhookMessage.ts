/** What is sent to a webhook: which events one delivery holds, its body, and its signature. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Base64 from "effect/encoding/Base64"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Redacted from "effect/Redacted"
import { eventJson } from "./EventJson.ts"
import type { FeedVersion, PresenceChanged, PresenceEvent } from "./PresenceEvent.ts"
import type { PlaceId } from "./Ids.ts"
import { formatTimestamp, Timestamp } from "./Timestamp.ts"
import { eventTypeOf, type Webhook, type WebhookEventType, type WebhookProgress } from "./Webhook.ts"

/** An event as webhooks tell it: of several `PresenceChanged` of the same premises one, added up. */
export type DeliveredEvent = PresenceEvent & {
  /** The version of the first event that was added up; of a `PresenceChanged` alone. */
  readonly fromVersion?: FeedVersion
}

/** The events of one round, in the order in which they are delivered. */
export interface WebhookRound {
  /** The version of its last event, delivered or not. */
  readonly until: FeedVersion
  readonly deliveries: ReadonlyArray<DeliveredEvent>
}

/** How long after a `PresenceChanged` the next one of the same premises is delivered, in milliseconds. */
export const PRESENCE_INTERVAL = 1000

const addUp = (sum: DeliveredEvent | undefined, event: PresenceEvent & PresenceChanged): DeliveredEvent =>
  sum === undefined || sum._tag !== "PresenceChanged"
    ? { ...event, fromVersion: event.version }
    : {
        ...event,
        fromVersion: sum.fromVersion ?? sum.version,
        entered: sum.entered + event.entered,
        left: sum.left + event.left
      }

/**
 * The round that begins with the first of `events`, which follow each other without gaps; at least one. It ends with the first
 * event of another asked type than `presence.changed`, so that this one never overtakes what led to it. Before it, the
 * `PresenceChanged` of each premises are added up.
 */
export const roundOf = (
  types: ReadonlyArray<WebhookEventType>,
  events: readonly [PresenceEvent, ...ReadonlyArray<PresenceEvent>]
): WebhookRound => {
  const sums = new Map<string, DeliveredEvent>()
  const last: Array<DeliveredEvent> = []
  let until = events[0].version
  for (const event of events) {
    until = event.version
    if (!types.includes(eventTypeOf(event))) continue
    if (event._tag !== "PresenceChanged") {
      last.push(event)
      break
    }
    const premises = String(event.placeId ?? "")
    sums.set(premises, addUp(sums.get(premises), event))
  }
  const presence = [...sums.values()].sort((one, other) => one.version - other.version)
  return { until, deliveries: [...presence, ...last] }
}

/** What is left of a round after the event that was delivered last. */
export const remainingOf = (
  { deliveries }: WebhookRound,
  { delivered = 0 }: Pick<WebhookProgress, "delivered">
): ReadonlyArray<DeliveredEvent> => deliveries.filter(({ version }) => version > delivered)

/**
 * When a round may begin: a second after `lastAt`, when the last `PresenceChanged` of some premises was delivered, of all premises of
 * which it has one. A time in the future, of a clock that was ahead, holds up nothing.
 */
export const roundFrom = (
  { deliveries }: WebhookRound,
  lastAt: (placeId: PlaceId | undefined) => Timestamp | undefined,
  now: Timestamp
): Timestamp => {
  const lasts = deliveries.flatMap((one) => (one._tag === "PresenceChanged" ? (lastAt(one.placeId) ?? []) : []))
  return Timestamp(Math.max(now, ...lasts.filter((last) => last <= now).map((last) => last + PRESENCE_INTERVAL)))
}

/** The body of a delivery: the same text at each attempt. */
export const bodyOf = (event: DeliveredEvent): string =>
  `{"type":"${eventTypeOf(event)}","timestamp":"${formatTimestamp(event.at)}","data":${eventJson(event)}}`

/**
 * The `webhook-id` of a delivery: the same at each attempt, another one for each event of each webhook. `epoch` is that of the feed:
 * after a restore a version may stand for another event.
 */
export const messageIdOf = (
  { webhookId }: Pick<Webhook, "webhookId">,
  epoch: string,
  { version }: Pick<DeliveredEvent, "version">
): string =>
  `msg_${Base64Url.encode(sha256(utf8ToBytes(JSON.stringify([epoch, String(webhookId), version]))).subarray(0, 18))}`

/** The secret of a webhook as its owner sees it: what verifies deliveries (Standard Webhooks 1.0.0). */
export const secretText = (secret: Redacted.Redacted<Uint8Array>): string =>
  `whsec_${Base64.encode(Redacted.value(secret))}`

/** The `webhook-signature` of a delivery; `timestamp` is in seconds. */
export const signatureOf = (
  secret: Redacted.Redacted<Uint8Array>,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string }
): string => `v1,${Base64.encode(hmac(sha256, Redacted.value(secret), utf8ToBytes(`${id}.${timestamp}.${body}`)))}`
