/** The subscribers of a server, and the feeds that they read. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"
import * as Latch from "effect/Latch"
import { childOf } from "../pipeline/childOf.ts"
import { AttachQueue } from "./AttachQueue.ts"
import { type Cursor, Feed } from "./Feed.ts"
import { type EndReason, goneMessage, resetMessage } from "./messages.ts"
import { makeStreamMetrics } from "./metrics.ts"
import { OutputQueue } from "./OutputQueue.ts"
import { Places, type StreamLimits } from "./Places.ts"
import { Subscriber, type SubscriberOwner, type Subscription } from "./Subscriber.ts"

export class Subscribers implements SubscriberOwner {
  readonly all = new Set<Subscriber>()
  /** Those that nothing was read for yet. */
  readonly attaching = new Set<Subscriber>()
  /** Those that wait for a snapshot or for missed events. */
  readonly queue = new AttachQueue()
  /** Those that ended and did not read their last message yet. The first one ended first. */
  readonly ending = new Set<Subscriber>()
  readonly feeds = new Map<OrganizationId, Feed>()
  readonly metrics = makeStreamMetrics()
  /** Open while there are subscribers. */
  readonly populated = Latch.makeUnsafe(false)
  /** Is opened when a subscriber is queued. */
  readonly queued = Latch.makeUnsafe(false)
  private readonly output: OutputQueue
  private readonly places: Places
  /** How many streams may be ending at once. */
  private readonly maxEnding: number
  private generation = ""

  /** @param schedule runs a task in a later turn of the event loop. */
  constructor(limits: StreamLimits, schedule: (task: () => void) => void) {
    this.places = new Places(limits)
    this.maxEnding = Math.ceil(limits.maxSubscribers / 10)
    this.output = new OutputQueue(schedule)
  }

  /** Adds a stream that lives until `endsAt`, if there is a place for it. It may replace another one, which ends. */
  add(subscription: Subscription, endsAt: number): Subscriber | undefined {
    const decision = this.places.decide(subscription)
    if (decision === "full") return undefined
    if (decision.replaced !== undefined) this.end(decision.replaced, "replaced")
    const subscriber = new Subscriber(subscription, endsAt, this)
    this.places.take(subscriber)
    this.all.add(subscriber)
    this.attaching.add(subscriber)
    this.enqueue(subscriber)
    this.populated.openUnsafe()
    this.metrics.streams(this.all.size)
    return subscriber
  }

  closed(subscriber: Subscriber): void {
    if (!this.all.delete(subscriber)) return
    this.leaveAll(subscriber)
    this.ending.delete(subscriber)
    if (this.all.size === 0) this.populated.closeUnsafe()
    this.metrics.streams(this.all.size)
  }

  /** Ends a stream with its last message. Its place is free at once. */
  end(subscriber: Subscriber, reason: EndReason): void {
    if (subscriber.isEnded) return
    this.leaveAll(subscriber)
    this.ending.add(subscriber)
    subscriber.end(reason)
    if (this.ending.size <= this.maxEnding) return
    const [first] = this.ending
    first!.discard()
  }

  ready(subscriber: Subscriber): void {
    for (const feed of this.feedsOf(subscriber)) {
      if (feed.cursors.get(subscriber)?._tag === "Snapshot") continue
      feed.set(subscriber, { _tag: "Snapshot", reason: "behind" })
    }
    this.enqueue(subscriber)
  }

  writable(subscriber: Subscriber): void {
    this.output.add(subscriber)
  }

  /** Has a subscriber read for that waits for a snapshot or for missed events. */
  enqueue(subscriber: Subscriber): void {
    this.queue.add(subscriber)
    this.queued.openUnsafe()
  }

  /** Writes what waits for subscribers that take it. */
  flush(subscribers: Iterable<Subscriber> = this.all): void {
    for (const subscriber of subscribers) if (subscriber.hasOutput) this.output.add(subscriber)
    this.output.run()
  }

  /** No more of an organization on a stream. */
  dismiss(subscriber: Subscriber, feed: Feed, reason: "forbidden" | "deleted"): void {
    this.leave(subscriber, feed)
    subscriber.add(goneMessage(feed.organizationId, reason))
    if (subscriber.organizationIds.size === 0) this.end(subscriber, "forbidden")
    else if (subscriber.hasOutput) this.output.add(subscriber)
  }

  /** The organization was deleted. */
  dismissAll(feed: Feed): void {
    for (const subscriber of Array.from(feed.cursors.keys())) this.dismiss(subscriber, feed, "deleted")
  }

  /** Decides what a new subscriber begins with, in feeds of the current generation. */
  attach(subscriber: Subscriber): void {
    if (!this.attaching.delete(subscriber)) return
    const { generation } = this
    const { organizationIds } = subscriber.subscription
    const id = subscriber.resumed
    // An id that knows none of the organizations, as that of a stream that ended before it began, has nothing to be lost.
    if (subscriber.resumes && id?.generation !== generation && id?.versions.size !== 0) {
      return this.startOver(subscriber, organizationIds)
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
    subscriber.begin({ generation, versions })
  }

  /** No generation is known, as the feeds were not read for a while. */
  forgetGeneration(): void {
    this.generation = ""
  }

  /** Sets the generation of the feeds. Where they were replaced, as by restoring a backup, every stream starts over. */
  setGeneration(generation: string): void {
    const isReplaced = this.generation !== "" && generation !== this.generation
    this.generation = generation
    if (!isReplaced) return
    for (const subscriber of this.all) {
      if (!this.attaching.has(subscriber) && !subscriber.isEnded) {
        this.startOver(subscriber, [...subscriber.organizationIds])
        this.enqueue(subscriber)
      }
    }
  }

  private startOver(subscriber: Subscriber, organizationIds: ReadonlyArray<OrganizationId>): void {
    subscriber.fallBehind()
    subscriber.begin({ generation: this.generation, versions: new Map() })
    subscriber.add(resetMessage("unknown"))
    for (const id of organizationIds) this.set(subscriber, id, { _tag: "Snapshot", reason: "reset" })
  }

  private set(subscriber: Subscriber, organizationId: OrganizationId, cursor: Cursor): void {
    childOf(this.feeds, organizationId, () => new Feed(organizationId)).set(subscriber, cursor)
  }

  feedsOf(subscriber: Subscriber): ReadonlyArray<Feed> {
    return Array.from(subscriber.organizationIds, (id) => this.feeds.get(id)!)
  }

  private leave(subscriber: Subscriber, feed: Feed): void {
    feed.remove(subscriber)
    if (feed.cursors.size === 0) this.feeds.delete(feed.organizationId)
  }

  private leaveAll(subscriber: Subscriber): void {
    for (const feed of this.feedsOf(subscriber)) this.leave(subscriber, feed)
    this.attaching.delete(subscriber)
    this.queue.remove(subscriber)
    this.output.remove(subscriber)
    this.places.free(subscriber)
  }
}
