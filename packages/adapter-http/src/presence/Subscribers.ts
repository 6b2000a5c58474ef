/** The subscribers of a server: their places, their feeds, and how they end. */
import type { OrganizationId } from "@sojourn/core"
import * as Latch from "effect/Latch"
import type { Feed } from "./Feed.ts"
import type { Feeds } from "./Feeds.ts"
import { type EndReason, goneMessage } from "./messages.ts"
import { makeStreamMetrics } from "./metrics.ts"
import { makeOutputQueue } from "./OutputQueue.ts"
import { addSnapshots } from "./addSnapshots.ts"
import { Places, type StreamLimits } from "./Places.ts"
import { Subscriber, type SubscriberListener, type Subscription } from "./Subscriber.ts"

export class Subscribers {
  readonly all = new Set<Subscriber>()
  /** The subscribers that have not taken their last message. The first one ended first. */
  readonly ending = new Set<Subscriber>()
  readonly metrics = makeStreamMetrics()
  /** Open while there are subscribers. */
  readonly populated = Latch.makeUnsafe(false)
  private readonly places: Places
  /** How many streams may be ending at once. */
  private readonly maxEnding: number
  private readonly listener: SubscriberListener
  private readonly cells: ReadonlyArray<Feeds>
  private readonly cellOf: (organizationId: OrganizationId) => Feeds

  /**
   * @param schedule runs a task in a later turn of the event loop.
   * @param cells the feeds of each cell.
   * @param cellOf the one of `cells` that an organization's feed is in.
   */
  constructor(
    limits: StreamLimits,
    schedule: (task: () => void) => void,
    cells: ReadonlyArray<Feeds>,
    cellOf: (organizationId: OrganizationId) => Feeds
  ) {
    this.cells = cells
    this.cellOf = cellOf
    this.places = new Places(limits)
    this.maxEnding = Math.ceil(limits.maxSubscribers / 10)
    this.listener = {
      ready: (subscriber) => {
        for (const feeds of this.cellsOf(subscriber)) feeds.requestSnapshots(subscriber)
        subscriber.isBehind = false
      },
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
    for (const [feeds, ids] of Map.groupBy(subscription.organizationIds, this.cellOf)) feeds.add(subscriber, ids)
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

  /** The feeds of the cells that a subscriber has organizations of on its stream. */
  cellsOf(subscriber: Subscriber): ReadonlyArray<Feeds> {
    return this.cells.filter(({ subscribers }) => subscribers.has(subscriber))
  }

  /**
   * Gives a subscriber the snapshots that were read for it, as one message for each reason, and the events that follow them. Those of cells
   * that answer wait for each other, so that the cells do not show.
   */
  giveSnapshots(subscriber: Subscriber): void {
    const cells = this.cellsOf(subscriber)
    if (cells.some((feeds) => feeds.reachable.isOpen() && feeds.isSnapshotPending(subscriber))) return
    const list = subscriber.subscription.organizationIds
    const read = cells
      .flatMap((feeds) => feeds.of(subscriber))
      .sort((one, other) => list.indexOf(one.organizationId) - list.indexOf(other.organizationId))
      .flatMap((feed) => {
        const pending = feed.pending.get(subscriber)
        return pending?._tag === "Read" ? [[feed, pending] as const] : []
      })
    addSnapshots(subscriber, read)
    for (const feeds of cells) if (feeds.isPending(subscriber)) feeds.queue.add(subscriber)
  }

  /** Ends an organization's part of a stream. */
  dismiss(subscriber: Subscriber, feeds: Feeds, feed: Feed, reason: "forbidden" | "deleted"): void {
    feeds.leave(subscriber, feed)
    subscriber.add(goneMessage(feed.organizationId, reason))
    if (this.cellsOf(subscriber).length === 0) this.end(subscriber, "forbidden")
    else this.giveSnapshots(subscriber)
  }

  /** Ends the feed of an organization that was deleted. */
  dismissAll(feeds: Feeds, feed: Feed): void {
    for (const subscriber of feed.subscribers) this.dismiss(subscriber, feeds, feed, "deleted")
  }

  private release(subscriber: Subscriber): void {
    for (const feeds of this.cellsOf(subscriber)) feeds.remove(subscriber)
    this.places.free(subscriber)
  }
}
