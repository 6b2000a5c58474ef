/** The subscribers of a server: their places, their feeds, and how they end. */
import * as Latch from "effect/Latch"
import type { Feed } from "./Feed.ts"
import { Feeds } from "./Feeds.ts"
import { type EndReason, goneMessage } from "./messages.ts"
import { makeStreamMetrics } from "./metrics.ts"
import { makeOutputQueue } from "./OutputQueue.ts"
import { Places, type StreamLimits } from "./Places.ts"
import { Subscriber, type SubscriberListener, type Subscription } from "./Subscriber.ts"

export class Subscribers {
  readonly all = new Set<Subscriber>()
  /** The subscribers that have not taken their last message. The first one ended first. */
  readonly ending = new Set<Subscriber>()
  readonly feeds = new Feeds()
  readonly metrics = makeStreamMetrics()
  /** Open while there are subscribers. */
  readonly populated = Latch.makeUnsafe(false)
  private readonly places: Places
  /** How many streams may be ending at once. */
  private readonly maxEnding: number
  private readonly listener: SubscriberListener

  /** @param schedule runs a task in a later turn of the event loop. */
  constructor(limits: StreamLimits, schedule: (task: () => void) => void) {
    this.places = new Places(limits)
    this.maxEnding = Math.ceil(limits.maxSubscribers / 10)
    this.listener = {
      ready: (subscriber) => this.feeds.requestSnapshots(subscriber),
      writable: makeOutputQueue(schedule),
      closed: (subscriber) => this.remove(subscriber)
    }
  }

  /** Adds a stream that lives until `endsAt`, if there is a place for it. It may replace another one, which ends. */
  add(subscription: Subscription, endsAt: number): Subscriber | undefined {
    const decision = this.places.decide(subscription)
    if (decision === "full") return undefined
    if (decision.replaced !== undefined) this.end(decision.replaced, "replaced")
    const subscriber = new Subscriber(subscription, endsAt, this.listener)
    this.places.take(subscriber)
    this.all.add(subscriber)
    this.feeds.add(subscriber)
    this.populated.openUnsafe()
    this.metrics.streams(this.all.size)
    return subscriber
  }

  /** Removes a stream that is closed, or that was never opened. */
  remove(subscriber: Subscriber): void {
    if (!this.all.delete(subscriber)) return
    this.release(subscriber)
    this.ending.delete(subscriber)
    if (this.all.size === 0) this.populated.closeUnsafe()
    this.metrics.streams(this.all.size)
  }

  /** Ends a stream with its last message. Its place is free at once. */
  end(subscriber: Subscriber, reason: EndReason): void {
    if (subscriber.isEnded) return
    this.release(subscriber)
    this.ending.add(subscriber)
    subscriber.end(reason)
    if (this.ending.size <= this.maxEnding) return
    const [first] = this.ending
    first!.discard()
  }

  /** Ends an organization's part of a stream. */
  dismiss(subscriber: Subscriber, feed: Feed, reason: "forbidden" | "deleted"): void {
    this.feeds.leave(subscriber, feed)
    subscriber.add(goneMessage(feed.organizationId, reason))
    if (subscriber.organizationIds.size === 0) this.end(subscriber, "forbidden")
  }

  /** Ends the feed of an organization that was deleted. */
  dismissAll(feed: Feed): void {
    for (const subscriber of feed.subscribers) this.dismiss(subscriber, feed, "deleted")
  }

  private release(subscriber: Subscriber): void {
    this.feeds.remove(subscriber)
    this.places.free(subscriber)
  }
}
