/** The deliveries to a webhook: the events that one holds, its body, and its signature. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Base64 from "effect/encoding/Base64"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Redacted from "effect/Redacted"
import { eventJson } from "./EventJson.ts"
import type { FeedVersion, PresenceChanged, PresenceEvent, PresenceEventData } from "../feed/PresenceEvent.ts"
import type { OrganizationId, PlaceId } from "../shared/Ids.ts"
import { formatTimestamp, Timestamp } from "../shared/Timestamp.ts"
import { eventTypeOf, type Webhook, type WebhookEventType, type WebhookProgress } from "./Webhook.ts"

/** An event as webhooks deliver it: it may stand for several of the same type, premises and content. */
export type DeliveredEvent = PresenceEvent & {
  /** The version of the first event that it stands for. A `PresenceChanged` always has it, others where there are several. */
  readonly fromVersion?: FeedVersion
}

/** The events that a webhook's next deliveries are made of, and these deliveries in their order. */
export interface DeliveryBatch {
  /** The version of its last event, delivered or not. */
  readonly end: FeedVersion
  readonly deliveries: ReadonlyArray<DeliveredEvent>
}

/** How long after a `PresenceChanged` the next one of the same premises is delivered, in milliseconds. */
export const PRESENCE_INTERVAL_MS = 1000

const addUp = (sum: DeliveredEvent | undefined, event: PresenceEvent & PresenceChanged): DeliveredEvent =>
  sum === undefined || sum._tag !== "PresenceChanged"
    ? { ...event, fromVersion: event.version }
    : {
        ...event,
        fromVersion: sum.fromVersion ?? sum.version,
        entered: sum.entered + event.entered,
        left: sum.left + event.left,
        corrected: sum.corrected && event.corrected
      }

/**
 * What two events, neither of them a `PresenceChanged`, have in common that are one delivery: the type, the place or muster, and
 * what became of it. `inside` and `capacity` of a `CapacityChanged` may differ: the last ones are delivered.
 */
const contentOf = (event: Exclude<PresenceEventData, PresenceChanged>): string => {
  switch (event._tag) {
    case "CapacityChanged":
      return `${event._tag} ${event.placeId ?? ""} ${event.level}`
    case "PlaceChanged":
      return `${event._tag} ${event.placeId} ${event.changed}`
    case "OrganizationChanged":
      return `${event._tag} ${event.changed}`
    case "MusterChanged":
      return `${event._tag} ${event.musterId} ${event.state}`
    case "DeviceChanged":
      return `${event._tag} ${event.deviceId} ${event.state}`
  }
}

const byVersion = (one: DeliveredEvent, other: DeliveredEvent): number => one.version - other.version

/**
 * The batch that begins with the first of `events`, which follow each other without gaps and are all that wait; at least one.
 *
 * - Of asked events with the same type, premises and content the last one is delivered, for all of them, wherever the others stand.
 * - The `PresenceChanged` of each premises are added up between two other deliveries, so that none of these overtakes what led to it.
 * - It ends with the first event of another asked type up to which all contents have had their last event; else with the last
 *   event. So what waits behind it may still become one with later events, and the batch of its own events is the same.
 */
export const batchOf = (
  types: ReadonlyArray<WebhookEventType>,
  events: readonly [PresenceEvent, ...ReadonlyArray<PresenceEvent>]
): DeliveryBatch => {
  const matching = events.filter((event) => types.includes(eventTypeOf(event)))
  const lasts = new Map<string, FeedVersion>()
  for (const event of matching) if (event._tag !== "PresenceChanged") lasts.set(contentOf(event), event.version)
  /** The versions of the first events of contents whose last event is to come. */
  const firsts = new Map<string, FeedVersion>()
  const sums = new Map<string, DeliveredEvent>()
  const deliveries: Array<DeliveredEvent> = []
  const deliverSums = () => {
    deliveries.push(...[...sums.values()].sort(byVersion))
    sums.clear()
  }
  for (const event of matching) {
    if (event._tag === "PresenceChanged") {
      const premises = String(event.placeId ?? "")
      sums.set(premises, addUp(sums.get(premises), event))
      continue
    }
    const { version } = event
    const content = contentOf(event)
    const first = firsts.get(content) ?? version
    if (lasts.get(content) !== version) {
      firsts.set(content, first)
      continue
    }
    firsts.delete(content)
    deliverSums()
    deliveries.push(first === version ? event : { ...event, fromVersion: first })
    if (firsts.size === 0) return { end: version, deliveries }
  }
  deliverSums()
  return { end: events.at(-1)!.version, deliveries }
}

/** The deliveries of a batch after the event that was delivered last. */
export const remainingOf = (
  { deliveries }: DeliveryBatch,
  { delivered = 0 }: Pick<WebhookProgress, "delivered">
): ReadonlyArray<DeliveredEvent> => deliveries.filter(({ version }) => version > delivered)

/**
 * When deliveries may begin: a second after `lastAt`, when the last `PresenceChanged` of some premises was delivered, of all premises of
 * which they have one. A time in the future, of a clock that was ahead, holds up nothing.
 */
export const deliverableFrom = (
  { deliveries }: Pick<DeliveryBatch, "deliveries">,
  lastAt: (placeId: PlaceId | undefined) => Timestamp | undefined,
  now: Timestamp
): Timestamp => {
  const lasts = deliveries.flatMap((one) => (one._tag === "PresenceChanged" ? (lastAt(one.placeId) ?? []) : []))
  return Timestamp(Math.max(now, ...lasts.filter((last) => last <= now).map((last) => last + PRESENCE_INTERVAL_MS)))
}

/** The fields of a body beside its data. */
interface Envelope {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly type: string
  readonly subject: string
  readonly at: Timestamp
}

/**
 * A body that is an event of CloudEvents 1.0 and a payload of Standard Webhooks: `time` and `timestamp` are the same. `source` and
 * `subject` are paths of the HTTP interface. None of the texts holds a character that JSON escapes.
 */
const envelope = ({ id, organizationId, type, subject, at }: Envelope, data: string): string => {
  const time = formatTimestamp(at)
  return (
    `{"specversion":"1.0","id":"${id}","source":"/organization/${organizationId}","type":"${type}","subject":"${subject}",` +
    `"time":"${time}","datacontenttype":"application/json","timestamp":"${time}","data":${data}}`
  )
}

const subjectOf = (event: DeliveredEvent): string => {
  if ("musterId" in event) return `muster/${event.musterId}`
  if ("deviceId" in event) return `device/${event.deviceId}`
  const placeId = "placeId" in event ? event.placeId : undefined
  return placeId === undefined ? `organization/${event.organizationId}` : `place/${placeId}`
}

/** The body of the delivery with this id: the same text at each attempt. */
export const bodyOf = (id: string, event: DeliveredEvent): string => {
  const { organizationId, at } = event
  return envelope({ id, organizationId, type: eventTypeOf(event), subject: subjectOf(event), at }, eventJson(event))
}

/** The body of the test with this id, which is no event of a feed. */
export const testBodyOf = (
  id: string,
  { webhookId, organizationId }: Pick<Webhook, "webhookId" | "organizationId">,
  at: Timestamp
): string =>
  envelope(
    { id, organizationId, type: "webhook.test", subject: `webhook/${webhookId}`, at },
    `{"webhookId":${webhookId},"organizationId":${organizationId}}`
  )

const messageId = (...parts: ReadonlyArray<string | number | undefined>): string =>
  `msg_${Base64Url.encode(sha256(utf8ToBytes(JSON.stringify(parts))).subarray(0, 18))}`

/**
 * The `webhook-id` of a delivery: the same at each attempt, another one for each webhook and for other events. `generation` is that of the
 * feed: after a restore a version may stand for another event. Events that are replayed have their id again, unless others became one
 * with them.
 */
export const messageIdOf = (
  { webhookId }: Pick<Webhook, "webhookId">,
  generation: string,
  { version, fromVersion }: Pick<DeliveredEvent, "version" | "fromVersion">
): string => messageId(generation, String(webhookId), version, fromVersion)

/** The `webhook-id` of a test. */
export const testIdOf = ({ webhookId }: Pick<Webhook, "webhookId">, at: Timestamp): string =>
  messageId("test", String(webhookId), at)

/** The secret of a webhook as its owner sees it: what verifies deliveries (Standard Webhooks 1.0.0). */
export const secretText = (secret: Redacted.Redacted<Uint8Array>): string =>
  `whsec_${Base64.encode(Redacted.value(secret))}`

/**
 * The `webhook-signature` of a delivery: a signature for each secret, separated by blanks; `timestamp` is in seconds.
 */
export const signatureOf = (
  secrets: ReadonlyArray<Redacted.Redacted<Uint8Array>>,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string }
): string => {
  const signed = utf8ToBytes(`${id}.${timestamp}.${body}`)
  return secrets.map((secret) => `v1,${Base64.encode(hmac(sha256, Redacted.value(secret), signed))}`).join(" ")
}
