/** The feed of an organization as far as this server has read it, and the state of each of its subscribers. */
import type { FeedVersion, OrganizationId, PresenceSnapshot } from "@sojourn/core"
import { type EncodedEvent, type EncodedSnapshot, encodeSnapshot, type SnapshotReason } from "./messages.ts"
import type { Subscriber } from "./Subscriber.ts"

/** How many recent events are kept of a feed, for subscribers that resume. */
const MAX_EVENTS = 1_000

/** Missed events that a subscriber waits for. */
export interface PendingEvents {
  readonly _tag: "Events"
  readonly position: FeedVersion
  /** The generation of the position, if the client sent it. */
  readonly generation?: string
}

/** A snapshot that a subscriber waits for. */
export interface PendingSnapshot {
  readonly _tag: "Snapshot"
  readonly reason: SnapshotReason
  /** The position after which the events are gone; infinite where all positions are. */
  readonly lost?: FeedVersion
  /** The snapshot once it was read: it waits for those of other cells then. */
  readonly read?: EncodedSnapshot
}

/** The last version that a live subscriber knows, or what another one waits for. */
export type SubscriberState = FeedVersion | PendingEvents | PendingSnapshot

/** Whether a subscriber waits for a read. */
export const isPending = (state: SubscriberState): boolean =>
  typeof state === "object" && (state._tag === "Events" || state.read === undefined)

export class Feed {
  readonly organizationId: OrganizationId
  /** The oldest subscriber is first. */
  readonly subscribers = new Map<Subscriber, SubscriberState>()
  /** The last version that was read for live subscribers; undefined before there was one. */
  version: FeedVersion | undefined = undefined
  private recent: Array<EncodedEvent> = []
  private snapshot: EncodedSnapshot | undefined = undefined

  constructor(organizationId: OrganizationId) {
    this.organizationId = organizationId
  }

  /** Continues a subscriber after a position: by the events in memory, or by a read where they are not all there. */
  continueAfter(subscriber: Subscriber, position: FeedVersion): void {
    if (this.version === undefined || position >= this.version) {
      this.subscribers.set(subscriber, position)
      this.version ??= position
    } else if (!this.replay(subscriber, position)) this.subscribers.set(subscriber, { _tag: "Events", position })
  }

  /** Gives a subscriber the events after a position from memory, if all of them are there. */
  replay(subscriber: Subscriber, position: FeedVersion): boolean {
    if (this.version === undefined) return false
    const missed = this.version - position
    if (missed < 0 || missed > this.recent.length) return false
    for (const event of this.recent.slice(this.recent.length - missed)) subscriber.addEvent(event)
    this.subscribers.set(subscriber, this.version)
    return true
  }

  /** Adds the event that follows the last one, for all live subscribers. */
  append(event: EncodedEvent): void {
    this.version = event.version
    this.recent.push(event)
    if (this.recent.length > MAX_EVENTS) this.recent.shift()
    for (const [subscriber, state] of this.subscribers) {
      if (typeof state !== "number" || state >= event.version) continue
      subscriber.addEvent(event)
      this.subscribers.set(subscriber, event.version)
    }
  }

  /** Forgets the events that were read, as the storage has others. */
  reset(): void {
    this.version = undefined
    this.recent = []
  }

  encode(snapshot: PresenceSnapshot): EncodedSnapshot {
    return (this.snapshot = encodeSnapshot(snapshot, this.snapshot))
  }
}
