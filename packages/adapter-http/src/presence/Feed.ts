/** The feed of an organization as far as this server has read it, and the state of each of its subscribers. */
import type { FeedVersion, OrganizationId, PresenceEvent } from "@sojourn/core"
import { type EncodedSnapshot, eventMessage, MAX_EVENTS, type Message, type SnapshotReason } from "./messages.ts"
import type { Subscriber } from "./Subscriber.ts"

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

export class Feed {
  readonly organizationId: OrganizationId
  /** The oldest subscriber is first. */
  readonly subscribers = new Map<Subscriber, SubscriberState>()
  /** The last version that was read for live subscribers; undefined before there was one. */
  version: FeedVersion | undefined = undefined
  /** The latest snapshot that was read. */
  snapshot: EncodedSnapshot | undefined = undefined
  /** For subscribers that resume. */
  private recent: Array<Message> = []

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
    const missed = this.version === undefined ? Infinity : this.version - position
    if (missed < 0 || missed > this.recent.length) return false
    for (const message of this.recent.slice(this.recent.length - missed)) subscriber.addEvent(message)
    this.subscribers.set(subscriber, this.version!)
    return true
  }

  /** Adds an event for all live subscribers, if it follows the last one. */
  append(event: PresenceEvent): void {
    const { version } = event
    if (this.version === undefined || version !== this.version + 1) return
    const message = eventMessage(event)
    this.version = version
    this.recent.push(message)
    if (this.recent.length > MAX_EVENTS) this.recent.shift()
    for (const [subscriber, state] of this.subscribers) {
      if (typeof state !== "number" || state >= version) continue
      subscriber.addEvent(message)
      this.subscribers.set(subscriber, version)
    }
  }

  /** Forgets the events that were read, as the storage has others. */
  reset(): void {
    this.version = undefined
    this.recent = []
  }
}
