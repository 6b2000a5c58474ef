/** The subscribers of a server: how many there may be, what they are given together, and how they end. */
import { nameOfCaller, type OrganizationId, type StoreError } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import { childOf } from "../shared/childOf.ts"
import type { Cell } from "./Cell.ts"
import type { Feed } from "./Feed.ts"
import { type EndReason, goneMessage, resetMessage, snapshotMessage, STALE } from "./messages.ts"
import { Subscriber, type SubscriberListener, type Subscription } from "./Subscriber.ts"

/** How long a read may take before the subscribers get `stale`, in milliseconds. */
const SLOW_READ_MS = 5_000

/** Makes a gauge that shows 0 at first. */
const gauge = (name: string, description: string): ((value: number) => void) => {
  const metric = Metric.gauge(name, { description })
  const set = (value: number) => metric.updateUnsafe(value, Context.empty())
  set(0)
  return set
}

export class Subscribers implements SubscriberListener {
  readonly all = new Set<Subscriber>()
  readonly metrics = {
    streams: gauge("sojourn_presence_streams", "Presence streams that are open"),
    behind: gauge(
      "sojourn_presence_streams_behind",
      "Presence streams whose clients are behind: a snapshot makes up for what was left out"
    ),
    lag: gauge(
      "sojourn_presence_lag_seconds",
      "Time from the record of the last presence event to its being read for the streams"
    )
  }
  /** The subscribers with messages to write, which are flushed in turn. */
  readonly writing = new Set<Subscriber>()
  /** Open while there are such subscribers. */
  readonly isWriting = Latch.makeUnsafe(false)
  private readonly limits: { readonly maxSubscribers: number; readonly maxSubscribersPerCaller: number }
  private readonly cellOf: (organizationId: OrganizationId) => Cell
  /** A tenth of all places: what an organization keeps while places are scarce, and streams that are ending may add. */
  private readonly share: number
  /** The oldest stream is first. */
  private readonly byCaller = new Map<string, Set<Subscriber>>()
  /** The feeds with more streams than their share. */
  private readonly crowded = new Set<Feed>()
  /** The subscribers that have not taken their last message. The first one ended first. */
  private readonly ending = new Set<Subscriber>()

  constructor(limits: Subscribers["limits"], cellOf: (organizationId: OrganizationId) => Cell) {
    this.limits = limits
    this.cellOf = cellOf
    this.share = Math.max(1, Math.floor(limits.maxSubscribers / 10))
  }

  /** Adds a stream, if there is a place for it. It may replace another one, which ends. */
  add(subscription: Subscription, lifetime: number): Subscriber | undefined {
    const replaced = this.replacedBy(subscription)
    if (replaced === "full") return undefined
    if (replaced !== undefined) this.end(replaced, "replaced")
    const subscriber = new Subscriber(subscription, lifetime, this)
    this.all.add(subscriber)
    childOf(this.byCaller, subscriber.callerName, () => new Set()).add(subscriber)
    for (const id of subscription.organizationIds) {
      const feed = this.cellOf(id).join(subscriber, id)
      if (feed.subscribers.size > this.share) this.crowded.add(feed)
    }
    this.metrics.streams(this.all.size)
    return subscriber
  }

  /** Ends a stream with its last message. Its place is free at once. */
  end(subscriber: Subscriber, reason: EndReason): void {
    if (subscriber.isEnded) return
    this.release(subscriber)
    this.ending.add(subscriber)
    subscriber.end(reason)
    if (this.ending.size > this.share) [...this.ending][0]!.discard()
  }

  closed(subscriber: Subscriber): void {
    if (!this.all.delete(subscriber)) return
    this.release(subscriber)
    this.ending.delete(subscriber)
    this.metrics.streams(this.all.size)
  }

  writable(subscriber: Subscriber): void {
    this.writing.add(subscriber)
    this.isWriting.openUnsafe()
  }

  ready(subscriber: Subscriber): void {
    for (const [cell] of this.feedsOf(subscriber)) cell.requestSnapshots(subscriber)
    subscriber.isBehind = false
  }

  /** Ends an organization's part of streams, of all by default. */
  dismiss(feed: Feed, reason: "forbidden" | "deleted", subscribers: Iterable<Subscriber> = feed.subscribers.keys()) {
    for (const subscriber of Array.from(subscribers)) {
      if (!feed.subscribers.has(subscriber)) continue
      this.leave(subscriber, feed)
      subscriber.add(goneMessage(feed.organizationId, reason))
      if (this.feedsOf(subscriber).length === 0) this.end(subscriber, "forbidden")
      else this.giveSnapshots(subscriber)
    }
  }

  /** Gives a subscriber its snapshots once those of all cells that answer were read (spec: feed#stream-one-snapshot), and the events after. */
  giveSnapshots(subscriber: Subscriber): void {
    const snapshots = []
    for (const [cell, feed, state] of this.feedsOf(subscriber)) {
      if (typeof state === "number" || state._tag === "Events") continue
      const { reason, lost, read } = state
      if (read !== undefined) snapshots.push({ cell, feed, reason, lost, read })
      else if (cell.reachable.isOpen()) return
    }
    const reset = snapshots.find(({ lost }) => lost !== undefined)
    if (reset !== undefined) subscriber.add(resetMessage(reset.lost! < reset.read.version ? "expired" : "unknown"))
    for (const [reason, group] of Map.groupBy(snapshots, (snapshot) => snapshot.reason)) {
      const read = group.map((snapshot) => snapshot.read)
      subscriber.add(snapshotMessage(reason, read))
    }
    for (const { cell, feed, read } of snapshots) {
      feed.continueAfter(subscriber, read.version)
      if (cell.isPending(subscriber)) cell.enqueue(subscriber)
    }
  }

  /** Runs a read of a cell, and sends its subscribers `stale` where it is slow or fails. Returns whether it succeeds. */
  observe(cell: Cell, read: Effect.Effect<void, StoreError>): Effect.Effect<boolean> {
    const stale = (cause: StoreError | string) =>
      Effect.suspend(() => {
        cell.reachable.closeUnsafe()
        for (const subscriber of cell.subscribers) {
          // Those of other cells wait no longer for the ones of this cell.
          this.giveSnapshots(subscriber)
          subscriber.add(STALE)
        }
        return Effect.logDebug("presence streams wait for the storage", cause)
      })
    // `adapter-postgres` takes 20 seconds to fail where the database hangs: its timeout of 15, and 5 that cancelling takes.
    const slow = Effect.andThen(Effect.sleep(SLOW_READ_MS), stale("no answer yet"))
    return Effect.raceFirst(Effect.as(read, true), Effect.andThen(slow, Effect.never)).pipe(
      Effect.catchTag("StoreError", (error) => Effect.as(stale(error), false))
    )
  }

  /** A cell answers again: subscribers whose other cells answer too get a message after `stale` (spec: feed#stream-current). */
  confirm(cell: Cell): void {
    if (cell.reachable.isOpen()) return
    cell.reachable.openUnsafe()
    for (const subscriber of cell.subscribers) {
      const isCurrent = this.feedsOf(subscriber).every(([{ reachable }]) => reachable.isOpen())
      if (isCurrent && subscriber.recover()) cell.enqueue(subscriber)
    }
  }

  /** The stream that has to end for a new one, if any (spec: feed#stream-caller, feed#stream-share); `full` where there is no place. */
  private replacedBy({ caller, organizationIds }: Subscription): Subscriber | "full" | undefined {
    const own = this.byCaller.get(nameOfCaller(caller))
    if (own !== undefined && own.size >= this.limits.maxSubscribersPerCaller) return [...own][0]
    if (this.all.size - this.ending.size < this.limits.maxSubscribers) return undefined
    const streamsOf = (id: OrganizationId) => this.cellOf(id).feeds.get(id)?.subscribers.size ?? 0
    if (!organizationIds.some((id) => streamsOf(id) < this.share)) return "full"
    const [largest] = [...this.crowded].sort((one, other) => other.subscribers.size - one.subscribers.size)
    return largest === undefined ? "full" : [...largest.subscribers.keys()][0]
  }

  /** The feeds of a subscriber with their cells and its states in them, in the order of its list. */
  private feedsOf(subscriber: Subscriber) {
    return subscriber.subscription.organizationIds.flatMap((id) => {
      const cell = this.cellOf(id)
      const feed = cell.feeds.get(id)
      const state = feed?.subscribers.get(subscriber)
      return feed === undefined || state === undefined ? [] : [[cell, feed, state] as const]
    })
  }

  private leave(subscriber: Subscriber, feed: Feed): void {
    this.cellOf(feed.organizationId).leave(subscriber, feed)
    if (feed.subscribers.size <= this.share) this.crowded.delete(feed)
  }

  private release(subscriber: Subscriber): void {
    for (const [, feed] of this.feedsOf(subscriber)) this.leave(subscriber, feed)
    const { callerName } = subscriber
    const own = this.byCaller.get(callerName)
    if (own?.delete(subscriber) === true && own.size === 0) this.byCaller.delete(callerName)
  }
}
