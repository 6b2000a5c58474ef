/** A cell as its subscribers see it: the feeds that they follow, and the queue of those that wait for a read. */
import type { FeedVersion, OrganizationId, PresenceFeed } from "@sojourn/core"
import * as Latch from "effect/Latch"
import { childOf } from "../shared/childOf.ts"
import { Feed, type PendingSnapshot, type SubscriberState } from "./Feed.ts"
import type { Subscriber } from "./Subscriber.ts"

/** How many subscribers, and organizations of their lists, are in a batch of the queue. */
const BATCH_SUBSCRIBERS = 200
const BATCH_ORGANIZATIONS = 40

/** How many organizations a caller may have read at once, and then one in so many milliseconds. */
const BURST_ORGANIZATIONS = 1_000
const MS_PER_ORGANIZATION = 20

const START: PendingSnapshot = { _tag: "Snapshot", reason: "start" }
export const BEHIND: PendingSnapshot = { _tag: "Snapshot", reason: "behind" }
export const RESET: PendingSnapshot = { _tag: "Snapshot", reason: "reset", lost: Infinity }

export class Cell {
  readonly port: PresenceFeed["Service"]
  readonly feeds = new Map<OrganizationId, Feed>()
  /** Open while there are subscribers. */
  readonly populated = Latch.makeUnsafe(false)
  /** Closed from a read that is slow or fails to the next poll that succeeds. */
  readonly reachable = Latch.makeUnsafe(true)
  /** Open while subscribers are queued. */
  readonly queued = Latch.makeUnsafe(false)
  /** The queued subscribers of each caller, in the order of the callers' turns. */
  private readonly queue = new Map<string, Set<Subscriber>>()
  /** When the usage of a caller is paid off, by `performance.now`. Callers without usage are left out. */
  private readonly paidOffAt: Map<string, number>
  /** The generation of the feeds, encoded for URIs; empty before it was read for the first time. */
  generation = ""

  /** @param paidOffAt the usage of the callers, which the cells share. */
  constructor(port: PresenceFeed["Service"], paidOffAt: Map<string, number>) {
    this.port = port
    this.paidOffAt = paidOffAt
  }

  get subscribers(): ReadonlySet<Subscriber> {
    return new Set([...this.feeds.values()].flatMap(({ subscribers }) => [...subscribers.keys()]))
  }

  /** The feeds of a subscriber with its states in them, in the order of its list. */
  feedsOf(subscriber: Subscriber): ReadonlyArray<readonly [Feed, SubscriberState]> {
    return subscriber.subscription.organizationIds.flatMap((id) => {
      const feed = this.feeds.get(id)
      const state = feed?.subscribers.get(subscriber)
      return feed === undefined || state === undefined ? [] : [[feed, state] as const]
    })
  }

  isPending(subscriber: Subscriber): boolean {
    const waits = (state: SubscriberState) => typeof state === "object" && (state._tag === "Events" || !state.read)
    return this.feedsOf(subscriber).some(([, state]) => waits(state))
  }

  /** Adds an organization to a new subscriber's stream. */
  join(subscriber: Subscriber, organizationId: OrganizationId): Feed {
    const feed = childOf(this.feeds, organizationId, () => new Feed(organizationId))
    const { generation, version } = subscriber.position.entries.get(organizationId) ?? {}
    if (version === undefined) feed.subscribers.set(subscriber, subscriber.isIdUnknown ? RESET : START)
    else feed.subscribers.set(subscriber, { _tag: "Events", position: version, generation: generation! })
    this.enqueue(subscriber)
    this.populated.openUnsafe()
    return feed
  }

  leave(subscriber: Subscriber, feed: Feed): void {
    feed.subscribers.delete(subscriber)
    if (feed.subscribers.size === 0) this.feeds.delete(feed.organizationId)
    if (this.feeds.size === 0) this.populated.closeUnsafe()
    if (this.feedsOf(subscriber).length === 0) this.dequeue(subscriber)
  }

  /** Has a subscriber wait for a snapshot of each feed, in place of all that waits of them and was left out. */
  requestSnapshots(subscriber: Subscriber): void {
    subscriber.leaveOut((id) => this.feeds.has(id))
    for (const [{ subscribers }, state] of this.feedsOf(subscriber)) {
      if (typeof state === "number" || state._tag === "Events") subscribers.set(subscriber, BEHIND)
    }
    this.enqueue(subscriber)
  }

  /** The events after a version are gone: live subscribers get a snapshot in their place. */
  reset(feed: Feed, lost: FeedVersion): void {
    feed.reset()
    for (const [subscriber, state] of feed.subscribers) {
      if (typeof state !== "number") continue
      feed.subscribers.set(subscriber, { ...RESET, lost })
      this.enqueue(subscriber)
    }
  }

  /** Sets the generation of the feeds. Where they were replaced, as by restoring a backup, all that was sent of them starts over. */
  setGeneration(generation: string): void {
    const previous = this.generation
    this.generation = encodeURIComponent(generation)
    if (previous === "" || previous === this.generation) return
    for (const feed of this.feeds.values()) feed.reset()
    for (const subscriber of this.subscribers) {
      subscriber.leaveOut((id) => this.feeds.has(id))
      for (const [{ organizationId, subscribers }, state] of this.feedsOf(subscriber)) {
        if (typeof state === "object" && (state === START || "generation" in state)) continue
        subscribers.set(subscriber, RESET)
        subscriber.position.begin(organizationId, this.generation)
      }
      this.enqueue(subscriber)
    }
  }

  /** Queues a subscriber that waits for a read. */
  enqueue(subscriber: Subscriber): void {
    childOf(this.queue, subscriber.callerName, () => new Set<Subscriber>()).add(subscriber)
    this.queued.openUnsafe()
  }

  /**
   * Takes a batch: one subscriber of each caller in turn, as long as the batch is not full and the caller is within its limit. Subscribers
   * whose organizations are in the batch anyway are taken with it, and cost their callers nothing more.
   */
  takeBatch(): ReadonlyArray<Subscriber> {
    const now = performance.now()
    for (const [caller, at] of this.paidOffAt) if (at <= now) this.paidOffAt.delete(caller)
    const batch: Array<Subscriber> = []
    const taken = new Set<Feed>()
    const admit = (subscriber: Subscriber): boolean => {
      const added = this.feedsOf(subscriber).filter(([feed]) => !taken.has(feed)).length
      const { callerName } = subscriber
      const paidOffAt = this.paidOffAt.get(callerName) ?? now
      if (added === 0) return true
      if (taken.size > 0 && taken.size + added > BATCH_ORGANIZATIONS) return false
      if (paidOffAt - now > BURST_ORGANIZATIONS * MS_PER_ORGANIZATION) return false
      this.paidOffAt.set(callerName, paidOffAt + added * MS_PER_ORGANIZATION)
      return true
    }
    // A served caller has its next turn after all others. Callers that are not served are first in the next batch.
    for (const [caller, own] of this.queue) {
      if (batch.length === BATCH_SUBSCRIBERS) break
      const subscriber = [...own].find(admit)
      if (subscriber === undefined) continue
      batch.push(subscriber)
      for (const [feed] of this.feedsOf(subscriber)) taken.add(feed)
      this.dequeue(subscriber)
      if (this.queue.delete(caller)) this.queue.set(caller, own)
    }
    return batch
  }

  private dequeue(subscriber: Subscriber): void {
    const { callerName } = subscriber
    const own = this.queue.get(callerName)
    if (own?.delete(subscriber) === true && own.size === 0) this.queue.delete(callerName)
    if (this.queue.size === 0) this.queued.closeUnsafe()
  }
}
