/** The messages of presence streams, encoded once for all subscribers. */
import {
  eventJson,
  eventTypeOf,
  type FeedPosition,
  insideOf,
  type OrganizationId,
  type PlaceId,
  type PresenceEvent,
  type PresenceSnapshot,
  type PresenceTotals
} from "@sojourn/core"
import { compileJsonEncoder } from "../wire/shared/jsonEncoder.ts"
import { type WireEnd, WireSnapshotOrganization, type WireSnapshotReason } from "../wire/feed/presence.ts"
import type { Positions } from "./eventId.ts"

/** How many events may wait for a subscriber, or be missing at a resume: 256 KiB, as an event has 262 bytes at most. */
export const MAX_EVENTS = 1_000

export const encoder = new TextEncoder()

/** A message without its id, which differs between subscribers. */
export interface Message {
  /** A snapshot makes up for events and snapshots that are left out; other messages are never left out. */
  readonly kind: "event" | "snapshot" | "control"
  /** What follows the line of the id. The texts of several messages are joined and encoded at once. */
  readonly text: string
  /** What follows the text, encoded once for all subscribers. */
  readonly pieces: ReadonlyArray<Uint8Array>
  /** The positions that the message changes. */
  readonly positions: Positions
}

const messageOf = (kind: Message["kind"], type: string, json: string, positions: Positions = []): Message => ({
  kind,
  text: `event: ${type}\ndata: ${json}\n\n`,
  pieces: [],
  positions
})

export const eventMessage = (event: PresenceEvent): Message =>
  messageOf("event", eventTypeOf(event), eventJson(event), [[event.organizationId, event.version]])

const encodeOrganization = compileJsonEncoder(WireSnapshotOrganization)

const totalOf = (totals: PresenceTotals) => ({
  inside: insideOf(totals),
  entered: totals.entered,
  left: totals.left,
  capacity: totals.capacity?.capacity,
  // A capacity that was lifted leaves its level to the next multiple of a publishing interval.
  level: totals.capacity === undefined ? "none" : totals.level
})

/** An organization of a snapshot, as JSON and in bytes. */
export interface EncodedSnapshot extends FeedPosition {
  readonly json: string
  readonly bytes: Uint8Array
}

/** Encodes a snapshot. While nothing changes, it is the latest one, so that all subscribers share its bytes. */
export const encodeSnapshot = (snapshot: PresenceSnapshot, latest?: EncodedSnapshot): EncodedSnapshot => {
  const { organizationId, version, totals } = snapshot
  const [whole, ...places] = totals
  const json = encodeOrganization({
    organizationId,
    version,
    ...totalOf(whole),
    places: places.map((place) => ({ placeId: place.placeId as PlaceId, ...totalOf(place) }))
  })
  return json === latest?.json ? latest : { organizationId, version, json, bytes: encoder.encode(json) }
}

const COMMA = encoder.encode(",")
const CLOSING = encoder.encode("]}\n\n")

export type SnapshotReason = (typeof WireSnapshotReason)["Type"]

export const snapshotMessage = (reason: SnapshotReason, organizations: ReadonlyArray<EncodedSnapshot>): Message => ({
  kind: "snapshot",
  text: `event: snapshot\ndata: {"reason":"${reason}","organizations":[`,
  pieces: [...organizations.flatMap(({ bytes }, nth) => (nth === 0 ? [bytes] : [COMMA, bytes])), CLOSING],
  positions: organizations.map(({ organizationId, version }) => [organizationId, version])
})

export const goneMessage = (id: OrganizationId, reason: "forbidden" | "deleted"): Message =>
  messageOf("control", "gone", `{"organizationId":${id},"reason":"${reason}"}`, [[id, undefined]])

export const resetMessage = (reason: "expired" | "unknown"): Message =>
  messageOf("control", "reset", `{"reason":"${reason}"}`)

export const STALE: Message = messageOf("control", "stale", "{}")

export type EndReason = (typeof WireEnd)["Type"]["reason"]

export const endMessage = (reason: EndReason): Message => messageOf("control", "end", `{"reason":"${reason}"}`)

/** A comment that shows that the stream lives. */
export const PING = encoder.encode(": ping\n\n")

/** The beginning of a stream: how long a client waits before it connects again, in milliseconds. */
export const RETRY = encoder.encode("retry: 1000\n\n")
