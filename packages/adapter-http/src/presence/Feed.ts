/** The feed of an organization as far as this server has read it, and the position of each of its readers. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"
import type { EncodedEvent, SnapshotReason } from "./messages.ts"
import type { Subscriber } from "./Subscriber.ts"

/** How many recent events, and bytes of them, are kept of a feed, for readers that come back. */
const MAX_EVENTS = 1_000
const MAX_BYTES = 256 * 1024

/**
 * What a reader waits for of an organization:
 *
 * - `Snapshot`: a snapshot, which gets the reason. `lost` is the position after which the events are gone.
 * - `Resume`: the events after its position.
 * - `Live`: the events that are read next.
 */
export type Cursor =
  | { readonly _tag: "Snapshot"; readonly reason: SnapshotReason; readonly lost?: FeedVersion }
  | { readonly _tag: "Resume"; readonly position: FeedVersion }
  | { readonly _tag: "Live"; position: FeedVersion }

export class Feed {
  readonly organizationId: OrganizationId
  readonly cursors = new Map<Subscriber, Cursor>()
  /** Those who are not live. */
  readonly pending = new Set<Subscriber>()
  /** The last version that was read for those who are live; undefined while there are none. */
  version: FeedVersion | undefined = undefined
  private recent: Array<EncodedEvent> = []
  private bytes = 0

  constructor(organizationId: OrganizationId) {
    this.organizationId = organizationId
  }

  set(subscriber: Subscriber, cursor: Cursor): void {
    this.cursors.set(subscriber, cursor)
    subscriber.organizationIds.add(this.organizationId)
    if (cursor._tag === "Live") {
      this.pending.delete(subscriber)
      this.version ??= cursor.position
    } else {
      this.pending.add(subscriber)
      this.forgetUnread()
    }
  }

  remove(subscriber: Subscriber): void {
    this.cursors.delete(subscriber)
    this.pending.delete(subscriber)
    subscriber.organizationIds.delete(this.organizationId)
    this.forgetUnread()
  }

  /** Nothing is read while no reader is live, so what is here would grow old. */
  private forgetUnread(): void {
    if (this.cursors.size > this.pending.size) return
    this.version = undefined
    this.recent = []
    this.bytes = 0
  }

  /** The events after a version, when all of them are kept here. */
  after(version: FeedVersion): ReadonlyArray<EncodedEvent> | undefined {
    if (this.version === undefined || version > this.version) return undefined
    const first = this.version - this.recent.length
    return version < first ? undefined : this.recent.slice(version - first)
  }

  /** Adds the event that follows the last one, for all live subscribers. */
  append(event: EncodedEvent): void {
    this.version = event.version
    this.recent.push(event)
    this.bytes += event.size
    while (this.recent.length > MAX_EVENTS || this.bytes > MAX_BYTES) this.bytes -= this.recent.shift()!.size
    for (const [subscriber, cursor] of this.cursors) {
      if (cursor._tag !== "Live" || cursor.position >= event.version) continue
      subscriber.addEvent(event)
      cursor.position = event.version
    }
  }
}
