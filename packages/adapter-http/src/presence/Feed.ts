/** The feed of an organization as far as this server has read it, and the position of each of its subscribers. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"
import type { EncodedEvent, EncodedSnapshot, SnapshotReason } from "./messages.ts"
import type { Subscriber } from "./Subscriber.ts"

/** How many recent events, and bytes of them, are kept of a feed, for subscribers that resume. */
const MAX_EVENTS = 1_000
const MAX_BYTES = 256 * 1024

/** A snapshot that a subscriber waits for, with its reason. */
export interface PendingSnapshot {
  readonly _tag: "Snapshot"
  readonly reason: SnapshotReason
  /** The position after which the events are gone; infinite where all positions are. */
  readonly lost?: FeedVersion
}

/** A snapshot that was read, and waits for those of other cells. */
export interface ReadSnapshot extends Omit<PendingSnapshot, "_tag"> {
  readonly _tag: "Read"
  readonly snapshot: EncodedSnapshot
}

/** What a subscriber that is not live waits for: a snapshot, or the events after its position. */
export type Pending = PendingSnapshot | ReadSnapshot | { readonly _tag: "Events"; readonly position: FeedVersion }

export class Feed {
  readonly organizationId: OrganizationId
  /** The subscribers that get each event as it is read, with the last version that they know. */
  readonly live = new Map<Subscriber, FeedVersion>()
  /** The subscribers that wait for a snapshot or for missed events. */
  readonly pending = new Map<Subscriber, Pending>()
  /** The last version that was read for live subscribers; undefined while there are none. */
  version: FeedVersion | undefined = undefined
  private recent: Array<EncodedEvent> = []
  private bytes = 0

  constructor(organizationId: OrganizationId) {
    this.organizationId = organizationId
  }

  get subscribers(): ReadonlyArray<Subscriber> {
    return [...this.live.keys(), ...this.pending.keys()]
  }

  setPending(subscriber: Subscriber, pending: Pending): void {
    this.remove(subscriber)
    this.pending.set(subscriber, pending)
  }

  remove(subscriber: Subscriber): void {
    this.pending.delete(subscriber)
    this.live.delete(subscriber)
    if (this.live.size > 0) return
    // No events are read without live subscribers: later ones would be missing here.
    this.version = undefined
    this.recent = []
    this.bytes = 0
  }

  /** Continues a subscriber after a position: by the events in memory, or by a read where they are not all there. */
  continueAfter(subscriber: Subscriber, position: FeedVersion): void {
    if (this.version === undefined || position >= this.version) this.setLive(subscriber, position)
    else if (!this.replay(subscriber, position)) this.setPending(subscriber, { _tag: "Events", position })
  }

  /** Gives a subscriber the events after a position from memory, if all of them are there. */
  replay(subscriber: Subscriber, position: FeedVersion): boolean {
    const missed = (this.version ?? -1) - position
    if (missed < 0 || missed > this.recent.length) return false
    for (const event of this.recent.slice(this.recent.length - missed)) subscriber.addEvent(event)
    this.setLive(subscriber, this.version!)
    return true
  }

  /** Adds the event that follows the last one, for all live subscribers. */
  append(event: EncodedEvent): void {
    this.version = event.version
    this.recent.push(event)
    this.bytes += event.size
    while (this.recent.length > MAX_EVENTS || this.bytes > MAX_BYTES) this.bytes -= this.recent.shift()!.size
    for (const [subscriber, position] of this.live) {
      if (position >= event.version) continue
      subscriber.addEvent(event)
      this.live.set(subscriber, event.version)
    }
  }

  private setLive(subscriber: Subscriber, position: FeedVersion): void {
    this.pending.delete(subscriber)
    this.live.set(subscriber, position)
    this.version ??= position
  }
}
