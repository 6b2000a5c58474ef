/** The feeds that the subscribers of a server follow, and the subscribers that wait for a read. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"
import { childOf } from "../pipeline/childOf.ts"
import { AttachQueue } from "./AttachQueue.ts"
import { Feed, type Pending } from "./Feed.ts"
import { resetMessage } from "./messages.ts"
import type { Subscriber } from "./Subscriber.ts"

export class Feeds {
  readonly byOrganization = new Map<OrganizationId, Feed>()
  /** The subscribers that wait for a snapshot or for missed events. */
  readonly queue = new AttachQueue()
  /** New subscribers, which are in no feed before the generation is known. */
  private readonly unattached = new Set<Subscriber>()
  /** Empty before it was read for the first time. */
  private generation = ""

  add(subscriber: Subscriber): void {
    this.unattached.add(subscriber)
    this.queue.add(subscriber)
  }

  /** Removes a subscriber from all feeds. */
  remove(subscriber: Subscriber): void {
    for (const feed of this.of(subscriber)) this.leave(subscriber, feed)
    this.unattached.delete(subscriber)
    this.queue.remove(subscriber)
  }

  leave(subscriber: Subscriber, feed: Feed): void {
    feed.remove(subscriber)
    subscriber.organizationIds.delete(feed.organizationId)
    if (feed.live.size + feed.pending.size === 0) this.byOrganization.delete(feed.organizationId)
  }

  /** The feeds of a subscriber, in the order of its list. */
  of(subscriber: Subscriber): ReadonlyArray<Feed> {
    return Array.from(subscriber.organizationIds, (id) => this.byOrganization.get(id)!)
  }

  /** Whether a subscriber waits for a read. */
  isPending(subscriber: Subscriber): boolean {
    return this.unattached.has(subscriber) || this.of(subscriber).some(({ pending }) => pending.has(subscriber))
  }

  /** Has a subscriber wait for a snapshot of each feed, in place of all that was left out. */
  requestSnapshots(subscriber: Subscriber): void {
    for (const feed of this.of(subscriber)) {
      if (feed.pending.get(subscriber)?._tag === "Snapshot") continue
      feed.setPending(subscriber, { _tag: "Snapshot", reason: "behind" })
    }
    this.queue.add(subscriber)
  }

  /** Decides what a new subscriber begins with, in feeds of the current generation. */
  attach(subscriber: Subscriber): void {
    if (!this.unattached.delete(subscriber)) return
    const { generation } = this
    const { resumesAfter, subscription } = subscriber
    const resumed = resumesAfter ?? { generation, versions: new Map<OrganizationId, FeedVersion>() }
    // An id without versions, as that of a stream that ended before it began, has nothing to be lost.
    if (resumed === "unknown" || (resumed.generation !== generation && resumed.versions.size > 0)) {
      return this.startOver(subscriber, subscription.organizationIds)
    }
    subscriber.position.begin({ ...resumed, generation })
    for (const id of subscription.organizationIds) {
      const position = resumed.versions.get(id)
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
    for (const subscriber of new Set([...this.byOrganization.values()].flatMap(({ subscribers }) => subscribers))) {
      this.startOver(subscriber, [...subscriber.organizationIds])
      this.queue.add(subscriber)
    }
  }

  private startOver(subscriber: Subscriber, organizationIds: ReadonlyArray<OrganizationId>): void {
    subscriber.fallBehind()
    subscriber.position.begin({ generation: this.generation, versions: new Map() })
    subscriber.add(resetMessage("unknown"))
    for (const id of organizationIds) this.join(subscriber, id, { _tag: "Snapshot", reason: "reset" })
  }

  private join(subscriber: Subscriber, organizationId: OrganizationId, pending: Pending): void {
    subscriber.organizationIds.add(organizationId)
    childOf(this.byOrganization, organizationId, () => new Feed(organizationId)).setPending(subscriber, pending)
  }
}
