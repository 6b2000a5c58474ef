/** The feeds of a cell that the subscribers of a server follow, and the subscribers that wait for a read. */
import type { OrganizationId } from "@sojourn/core"
import * as Latch from "effect/Latch"
import { childOf } from "../pipeline/childOf.ts"
import { AttachQueue, type PaidOffAt } from "./AttachQueue.ts"
import { Feed, type Pending } from "./Feed.ts"
import type { EventId } from "./eventId.ts"
import type { Subscriber } from "./Subscriber.ts"

export class Feeds {
  readonly byOrganization = new Map<OrganizationId, Feed>()
  /** The subscribers with organizations of the cell on their streams, and these in the order of their lists. */
  readonly subscribers = new Map<Subscriber, Set<OrganizationId>>()
  /** Open while there are subscribers. */
  readonly populated = Latch.makeUnsafe(false)
  /** Closed from a read that is slow or fails to the next poll that succeeds. */
  readonly reachable = Latch.makeUnsafe(true)
  /** The subscribers that wait for a snapshot or for missed events. */
  readonly queue: AttachQueue
  /** New subscribers, which are in no feed before the generation is known. */
  private readonly unattached = new Set<Subscriber>()
  /** Empty before it was read for the first time. */
  private generation = ""

  constructor(paidOffAt: PaidOffAt) {
    this.queue = new AttachQueue((subscriber) => this.subscribers.get(subscriber)!, paidOffAt)
  }

  /** Adds a subscriber with the organizations of its list that are in the cell. */
  add(subscriber: Subscriber, organizationIds: Iterable<OrganizationId>): void {
    this.subscribers.set(subscriber, new Set(organizationIds))
    this.unattached.add(subscriber)
    this.queue.add(subscriber)
    this.populated.openUnsafe()
  }

  remove(subscriber: Subscriber): void {
    for (const feed of this.of(subscriber)) this.leave(subscriber, feed)
    this.forget(subscriber)
  }

  leave(subscriber: Subscriber, feed: Feed): void {
    const { organizationId } = feed
    feed.remove(subscriber)
    if (feed.live.size + feed.pending.size === 0) this.byOrganization.delete(organizationId)
    const organizationIds = this.subscribers.get(subscriber)
    if (organizationIds?.delete(organizationId) === true && organizationIds.size === 0) this.forget(subscriber)
  }

  /** The feeds of a subscriber, in the order of its list; none of one that waits for the generation. */
  of(subscriber: Subscriber): ReadonlyArray<Feed> {
    if (this.unattached.has(subscriber)) return []
    return Array.from(this.subscribers.get(subscriber) ?? [], (id) => this.byOrganization.get(id)!)
  }

  isPending(subscriber: Subscriber): boolean {
    return this.isSnapshotPending(subscriber) || this.isAny(subscriber, "Events")
  }

  /** Whether a subscriber waits for a snapshot to be read, or may come to. */
  isSnapshotPending(subscriber: Subscriber): boolean {
    return this.unattached.has(subscriber) || this.isAny(subscriber, "Snapshot")
  }

  /** Has a subscriber wait for a snapshot of each feed, in place of all that waits of them and was left out. */
  requestSnapshots(subscriber: Subscriber): void {
    this.leaveOut(subscriber)
    for (const feed of this.of(subscriber)) {
      const pending = feed.pending.get(subscriber)
      if (pending !== undefined && pending._tag !== "Events") continue
      feed.setPending(subscriber, { _tag: "Snapshot", reason: "behind" })
    }
    this.queue.add(subscriber)
  }

  /** Decides what a new subscriber begins with, in feeds of the current generation. */
  attach(subscriber: Subscriber): void {
    if (!this.unattached.delete(subscriber)) return
    const { generation } = this
    const { resumesAfter = new Map() } = subscriber
    const organizationIds = Array.from(this.subscribers.get(subscriber)!)
    // An id without versions, as that of a stream that ended before it began, has nothing to be lost.
    const isLost = (resumed: EventId) =>
      Array.from(resumed).some(
        ([other, versions]) => other !== generation && organizationIds.some((id) => versions.has(id))
      )
    if (resumesAfter === "unknown" || isLost(resumesAfter)) return this.startOver(subscriber)
    const versions = resumesAfter.get(generation)
    for (const id of organizationIds) {
      const position = versions?.get(id)
      subscriber.position.begin(id, generation, position)
      this.join(
        subscriber,
        id,
        position === undefined ? { _tag: "Snapshot", reason: "start" } : { _tag: "Events", position }
      )
    }
  }

  /** Sets the generation of the feeds. Where they were replaced, as by restoring a backup, every stream starts over. */
  setGeneration(generation: string): void {
    const isReplaced = this.generation !== "" && generation !== this.generation
    this.generation = generation
    if (!isReplaced) return
    for (const subscriber of this.subscribers.keys()) {
      if (this.unattached.has(subscriber)) continue
      this.startOver(subscriber)
      this.queue.add(subscriber)
    }
  }

  private isAny(subscriber: Subscriber, tag: Pending["_tag"]): boolean {
    return this.of(subscriber).some(({ pending }) => pending.get(subscriber)?._tag === tag)
  }

  private startOver(subscriber: Subscriber): void {
    this.leaveOut(subscriber)
    for (const id of this.subscribers.get(subscriber)!) {
      subscriber.position.begin(id, this.generation, undefined)
      this.join(subscriber, id, { _tag: "Snapshot", reason: "reset", lost: Infinity })
    }
  }

  private leaveOut(subscriber: Subscriber): void {
    const organizationIds = this.subscribers.get(subscriber)!
    subscriber.leaveOut((id) => organizationIds.has(id))
  }

  private forget(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber)
    this.unattached.delete(subscriber)
    this.queue.remove(subscriber)
    if (this.subscribers.size === 0) this.populated.closeUnsafe()
  }

  private join(subscriber: Subscriber, organizationId: OrganizationId, pending: Pending): void {
    childOf(this.byOrganization, organizationId, () => new Feed(organizationId)).setPending(subscriber, pending)
  }
}
