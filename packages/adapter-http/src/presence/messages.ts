/** The messages of presence streams, encoded once for all subscribers. */
import {
  eventJson,
  eventTypeOf,
  type FeedPosition,
  type FeedVersion,
  insideOf,
  type OrganizationId,
  type PlaceId,
  type PresenceEvent,
  type PresenceSnapshot,
  type PresenceTotals
} from "@sojourn/core"
import { compileJsonEncoder } from "../pipeline/jsonEncoder.ts"
import { type WireEnd, WireGone, WireSnapshotOrganization, type WireSnapshotReason } from "../wire/feed/presence.ts"
import type { Positions } from "./eventId.ts"

const encoder = new TextEncoder()

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

/** An event of a feed, of 262 bytes at most: 1,000 of them are 256 KiB. */
export interface EncodedEvent extends Message {
  readonly version: FeedVersion
}

export const encodeEvent = (event: PresenceEvent): EncodedEvent => {
  const { organizationId, version } = event
  return { ...messageOf("event", eventTypeOf(event), eventJson(event), [[organizationId, version]]), version }
}

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

/** Why a snapshot is sent. */
export type SnapshotReason = (typeof WireSnapshotReason)["Type"]

/** The message of a snapshot of these organizations. */
export const snapshotMessage = (reason: SnapshotReason, organizations: ReadonlyArray<EncodedSnapshot>): Message => ({
  kind: "snapshot",
  text: `event: snapshot\ndata: {"reason":"${reason}","organizations":[`,
  pieces: [...organizations.flatMap(({ bytes }, nth) => (nth === 0 ? [bytes] : [COMMA, bytes])), CLOSING],
  positions: organizations.map(({ organizationId, version }) => [organizationId, version])
})

const encodeGone = compileJsonEncoder(WireGone)

/** The organization's part of the stream ends. */
export const goneMessage = (organizationId: OrganizationId, reason: "forbidden" | "deleted"): Message =>
  messageOf("control", "gone", encodeGone({ organizationId, reason }), [[organizationId, undefined]])

/** The events after the id to resume after are gone. */
export const resetMessage = (reason: "expired" | "unknown"): Message =>
  messageOf("control", "reset", `{"reason":"${reason}"}`)

/** The storage is away. */
export const STALE: Message = messageOf("control", "stale", "{}")

/** Why a stream ends. */
export type EndReason = (typeof WireEnd)["Type"]["reason"]

/** The last message of a stream. */
export const endMessage = (reason: EndReason): Message => messageOf("control", "end", `{"reason":"${reason}"}`)

/** A comment that shows that the stream lives. */
export const PING = encoder.encode(": ping\n\n")

/** The beginning of a stream: how long a client waits before it connects again, in milliseconds. */
export const RETRY = encoder.encode("retry: 1000\n\n")
