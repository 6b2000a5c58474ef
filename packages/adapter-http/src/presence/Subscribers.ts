/** The subscribers of a server, and the feeds that they read. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"
import * as Latch from "effect/Latch"
import { childOf } from "../pipeline/childOf.ts"
import { type Cursor, Feed } from "./Feed.ts"
import { type EndReason, goneMessage, resetMessage } from "./messages.ts"
import { makeStreamMetrics } from "./metrics.ts"
import type { Subscriber, SubscriberOwner } from "./Subscriber.ts"

export class Subscribers implements SubscriberOwner {
  readonly all = new Set<Subscriber>()
  /** Those that nothing was read for yet. */
  readonly attaching = new Set<Subscriber>()
  readonly feeds = new Map<OrganizationId, Feed>()
  readonly metrics = makeStreamMetrics()
  /** Open while there are subscribers. */
  readonly populated = Latch.makeUnsafe(false)
  /** Is opened when there is something to read. */
  readonly wake = Latch.makeUnsafe(false)
  private epoch = ""

  add(subscriber: Subscriber): void {
    this.all.add(subscriber)
    this.attaching.add(subscriber)
    this.populated.openUnsafe()
    this.wake.openUnsafe()
    this.metrics.set(this.all)
  }

  closed(subscriber: Subscriber): void {
    if (!this.all.delete(subscriber)) return
    this.leaveAll(subscriber)
    if (this.all.size === 0) this.populated.closeUnsafe()
    this.metrics.set(this.all)
  }

  /** Ends a stream with its last message. It counts until the client read it. */
  end(subscriber: Subscriber, reason: EndReason): void {
    this.leaveAll(subscriber)
    subscriber.end(reason)
  }

  ready(subscriber: Subscriber): void {
    for (const feed of this.feedsOf(subscriber)) {
      if (feed.cursors.get(subscriber)?._tag === "Snapshot") continue
      feed.set(subscriber, { _tag: "Snapshot", reason: "behind" })
    }
    this.wake.openUnsafe()
  }

  flush(): void {
    for (const subscriber of this.all) subscriber.flush()
  }

  /** No more of an organization on a stream. */
  dismiss(subscriber: Subscriber, feed: Feed, reason: "forbidden" | "deleted"): void {
    this.leave(subscriber, feed)
    subscriber.add(goneMessage(feed.organizationId, reason))
    if (subscriber.organizationIds.size === 0) this.end(subscriber, "forbidden")
  }

  /** The organization was deleted. */
  dismissAll(feed: Feed): void {
    for (const subscriber of Array.from(feed.cursors.keys())) this.dismiss(subscriber, feed, "deleted")
  }

  /** Decides what new subscribers begin with, in feeds of an epoch. */
  attach(): void {
    const { epoch } = this
    for (const subscriber of this.attaching) {
      const { organizationIds } = subscriber.subscription
      const id = subscriber.resumed
      // An id that knows none of the organizations, as that of a stream that ended before it began, has nothing to be lost.
      if (subscriber.resumes && id?.epoch !== epoch && id?.versions.size !== 0) {
        this.startOver(subscriber, organizationIds)
        continue
      }
      const versions = new Map<OrganizationId, FeedVersion>()
      for (const organizationId of organizationIds) {
        const position = id?.versions.get(organizationId)
        if (position === undefined) this.set(subscriber, organizationId, { _tag: "Snapshot", reason: "start" })
        else {
          versions.set(organizationId, position)
          this.set(subscriber, organizationId, { _tag: "Resume", position })
        }
      }
      subscriber.begin({ epoch, versions })
    }
    this.attaching.clear()
  }

  /** No epoch is known, as the feeds were not read for a while. */
  forgetEpoch(): void {
    this.epoch = ""
  }

  /** Sets the epoch of the feeds. Where they were replaced, as by restoring a backup, every stream starts over. */
  setEpoch(epoch: string): void {
    const isReplaced = this.epoch !== "" && epoch !== this.epoch
    this.epoch = epoch
    if (!isReplaced) return
    for (const subscriber of this.all) {
      if (!this.attaching.has(subscriber) && !subscriber.isEnded) {
        this.startOver(subscriber, [...subscriber.organizationIds])
      }
    }
  }

  private startOver(subscriber: Subscriber, organizationIds: ReadonlyArray<OrganizationId>): void {
    subscriber.fallBehind()
    subscriber.begin({ epoch: this.epoch, versions: new Map() })
    subscriber.add(resetMessage("unknown"))
    for (const id of organizationIds) this.set(subscriber, id, { _tag: "Snapshot", reason: "reset" })
  }

  private set(subscriber: Subscriber, organizationId: OrganizationId, cursor: Cursor): void {
    childOf(this.feeds, organizationId, () => new Feed(organizationId)).set(subscriber, cursor)
  }

  private feedsOf(subscriber: Subscriber): ReadonlyArray<Feed> {
    return Array.from(subscriber.organizationIds, (id) => this.feeds.get(id)!)
  }

  private leave(subscriber: Subscriber, feed: Feed): void {
    feed.remove(subscriber)
    if (feed.cursors.size === 0) this.feeds.delete(feed.organizationId)
  }

  private leaveAll(subscriber: Subscriber): void {
    for (const feed of this.feedsOf(subscriber)) this.leave(subscriber, feed)
    this.attaching.delete(subscriber)
  }
}
