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
  type PresenceTotals,
  type PresenceSnapshot
} from "@sojourn/core"
import { compileJsonEncoder } from "../pipeline/jsonEncoder.ts"
import type { Positions } from "./eventId.ts"
import {
  type WireEnd,
  WireGone,
  type WireReset,
  WireSnapshotOrganization,
  type WireSnapshotReason
} from "../wire/feed/presence.ts"

const encoder = new TextEncoder()

const textOf = (type: string, json: string): string => `event: ${type}\ndata: ${json}\n\n`

/** A message without its id, which differs between subscribers. `positions` are those that the message changes. */
export interface Message {
  /** What follows the line of the id. The texts of several messages are joined and encoded at once. */
  readonly text: string
  /** What follows the text, encoded once for all subscribers. */
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly positions: Positions
  /** The size of an event, in bytes, which counts against the bound of waiting events; 0 for all other messages. */
  readonly size: number
  /** Whether a snapshot makes up for the message, so that it may be left out where a subscriber is behind. */
  readonly isReplaceable: boolean
}

/** A message with its id, as text. Its pieces follow. */
export const textWithId = ({ text }: Message, id: string): string => `id: ${id}\n${text}`

/** An event of a feed, encoded once for all subscribers. */
export interface EncodedEvent extends Message {
  readonly version: FeedVersion
}

export const encodeEvent = (event: PresenceEvent): EncodedEvent => {
  const { organizationId, version } = event
  // ASCII alone, as an event holds no text that callers wrote: its length is its size in bytes.
  const text = textOf(eventTypeOf(event), eventJson(event))
  return { text, pieces: [], positions: [[organizationId, version]], size: text.length, isReplaceable: true, version }
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

/** An organization of a snapshot, encoded once for all subscribers. */
export interface EncodedSnapshot extends FeedPosition {
  /** The JSON in pieces, which are written one by one. */
  readonly json: ReadonlyArray<Uint8Array>
}

/** How large a piece of a snapshot is at most, in bytes. */
const PIECE_BYTES = 32 * 1024

export const encodeSnapshot = ({
  organizationId,
  version,
  totals: [whole, ...places]
}: PresenceSnapshot): EncodedSnapshot => {
  const json = encoder.encode(
    encodeOrganization({
      organizationId,
      version,
      ...totalOf(whole),
      places: places.map((totals) => ({ placeId: totals.placeId as PlaceId, ...totalOf(totals) }))
    })
  )
  const pieces = Array.from({ length: Math.ceil(json.length / PIECE_BYTES) }, (_, nth) =>
    json.subarray(nth * PIECE_BYTES, (nth + 1) * PIECE_BYTES)
  )
  return { organizationId, version, json: pieces }
}

const COMMA = encoder.encode(",")
const CLOSING = encoder.encode("]}\n\n")

/** Why a snapshot is sent. */
export type SnapshotReason = (typeof WireSnapshotReason)["Type"]

/** The message of a snapshot of these organizations. */
export const snapshotMessage = (reason: SnapshotReason, organizations: ReadonlyArray<EncodedSnapshot>): Message => ({
  text: `event: snapshot\ndata: {"reason":"${reason}","organizations":[`,
  pieces: [...organizations.flatMap(({ json }, nth) => (nth === 0 ? json : [COMMA, ...json])), CLOSING],
  positions: organizations.map(({ organizationId, version }) => [organizationId, version]),
  size: 0,
  isReplaceable: true
})

const control = (type: string, json: string, positions: Positions = []): Message => ({
  text: textOf(type, json),
  pieces: [],
  positions,
  size: 0,
  isReplaceable: false
})

const encodeGone = compileJsonEncoder(WireGone)

/** The organization's part of the stream ends. */
export const goneMessage = (organizationId: OrganizationId, reason: "forbidden" | "deleted"): Message =>
  control("gone", encodeGone({ organizationId, reason }), [[organizationId, undefined]])

/** The events after the id to resume after are gone. */
export const resetMessage = (reason: (typeof WireReset)["Type"]["reason"]): Message =>
  control("reset", `{"reason":"${reason}"}`)

/** The storage is away. */
export const STALE: Message = control("stale", "{}")

/** Why a stream ends. */
export type EndReason = (typeof WireEnd)["Type"]["reason"]

/** The last message of a stream. */
export const endMessage = (reason: EndReason): Message => control("end", `{"reason":"${reason}"}`)

/** A comment that shows that the stream lives. */
export const PING = encoder.encode(": ping\n\n")

/** The beginning of a stream: how long a client waits before it connects again, in milliseconds. */
export const RETRY = encoder.encode("retry: 1000\n\n")
