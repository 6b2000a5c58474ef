/**
 * The items of a batch queue that wait for a batch: bounded, with a fair share for each fairness key, and in order for each
 * ordering key.
 */
import type { Exit } from "effect"
import type { AnySpan } from "effect/Tracer"

/** The keys that decide which batch an item is part of. */
export interface QueueKeys {
  /** When more items wait than fit into a batch, each fairness key has an equal share of it. */
  readonly fairnessKey: unknown
  /** An item waits until the earlier items with its ordering key are answered. */
  readonly orderingKey?: string | undefined
}

/** A submitted item that is not answered yet. */
export interface PendingItem {
  readonly item: unknown
  readonly keys: QueueKeys
  /** Undefined once the caller was answered or was interrupted. */
  answer: ((exit: Exit.Exit<unknown, unknown>) => void) | undefined
  /** Its outcome in the batch that it is part of; undefined until that is known. */
  outcome: Exit.Exit<unknown, unknown> | undefined
  /** The span of a traced request, which the span of its batch refers to. */
  readonly span?: AnySpan | undefined
  /** How often it ran. */
  attempts: number
  /** How long it has waited, in milliseconds, as of the last check of the deadlines. */
  waited: number
}

export const pendingItemOf = (
  item: unknown,
  keys: QueueKeys,
  answer: PendingItem["answer"],
  span: AnySpan | undefined
): PendingItem => ({ item, keys, answer, outcome: undefined, span, attempts: 0, waited: 0 })

/** Takes items of each fairness key in rotation, and of each key in the order of their arrival. */
const shareFairly = (items: ReadonlyArray<PendingItem>, count: number): ReadonlyArray<PendingItem> => {
  const groups = [...Map.groupBy(items, ({ keys }) => keys.fairnessKey).values()]
  const shared: Array<PendingItem> = []
  const longest = Math.max(...groups.map(({ length }) => length))
  for (let rank = 0; rank < longest && shared.length < count; rank++) {
    for (const group of groups) {
      const next = group[rank]
      if (next !== undefined && shared.length < count) shared.push(next)
    }
  }
  return shared
}

/** The items in their order, those of the keys that had a share of the last batch behind all others. */
const behindOthers = (items: ReadonlyArray<PendingItem>, served: ReadonlySet<unknown>): Array<PendingItem> => {
  const others: Array<PendingItem> = []
  const behind: Array<PendingItem> = []
  for (const item of items) (served.has(item.keys.fairnessKey) ? behind : others).push(item)
  return [...others, ...behind]
}

/** Items that wait for a batch: those of each fairness key in the order of their arrival, the keys in rotation. */
export class PendingQueue {
  private items: Array<PendingItem> = []
  private readonly perFairnessKey = new Map<unknown, number>()
  private readonly capacity: number

  /** `capacity` is how many items may wait. Those of one fairness key may have half of it. */
  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.items.length
  }

  /** Adds an item; false where the queue, or the share of its fairness key, is full. */
  add(item: PendingItem): boolean {
    const ofItsKey = this.perFairnessKey.get(item.keys.fairnessKey) ?? 0
    if (this.items.length >= this.capacity || ofItsKey * 2 >= this.capacity) return false
    this.perFairnessKey.set(item.keys.fairnessKey, ofItsKey + 1)
    this.items.push(item)
    return true
  }

  /** Puts items that have to run again before all others. They were admitted once, and count against no bound. */
  requeue(items: ReadonlyArray<PendingItem>): void {
    if (items.length === 0) return
    this.items.unshift(...items)
    this.count()
  }

  /**
   * Removes and returns the items of the next batch, `most` of them at most. Items whose ordering key is in `inFlight` stay; the
   * ordering keys of those that are returned are added to it. Items of interrupted callers are dropped.
   */
  take(most: number, inFlight: Set<string>): ReadonlyArray<PendingItem> {
    const free: Array<PendingItem> = []
    const held: Array<PendingItem> = []
    const dropped: Array<PendingItem> = []
    const taken = new Set<string>()
    for (const item of this.items) {
      const { orderingKey } = item.keys
      if (item.answer === undefined) dropped.push(item)
      else if (orderingKey === undefined) free.push(item)
      else if (inFlight.has(orderingKey) || taken.has(orderingKey)) held.push(item)
      else {
        taken.add(orderingKey)
        free.push(item)
      }
    }
    const batch = free.length <= most ? free : shareFairly(free, most)
    if (batch === free) this.items = held
    else {
      const removed = new Set(batch)
      this.items = this.items.filter((item) => item.answer !== undefined && !removed.has(item))
    }
    if (this.items.length > 0) this.items = behindOthers(this.items, new Set(batch.map(({ keys }) => keys.fairnessKey)))
    for (const { keys } of batch) if (keys.orderingKey !== undefined) inFlight.add(keys.orderingKey)
    this.discount(batch)
    this.discount(dropped)
    return batch
  }

  /** Ages the items by `elapsed` and removes those that have waited for `most`. Both are milliseconds. */
  age(elapsed: number, most: number): ReadonlyArray<PendingItem> {
    for (const item of this.items) item.waited += elapsed
    const expired = this.items.filter(({ waited }) => waited >= most)
    if (expired.length > 0) {
      this.items = this.items.filter(({ waited }) => waited < most)
      this.count()
    }
    return expired
  }

  clear(): ReadonlyArray<PendingItem> {
    const all = this.items
    this.items = []
    this.count()
    return all
  }

  private discount(items: ReadonlyArray<PendingItem>): void {
    for (const { keys } of items) {
      const rest = this.perFairnessKey.get(keys.fairnessKey)! - 1
      if (rest > 0) this.perFairnessKey.set(keys.fairnessKey, rest)
      else this.perFairnessKey.delete(keys.fairnessKey)
    }
  }

  private count(): void {
    this.perFairnessKey.clear()
    for (const { keys } of this.items) {
      this.perFairnessKey.set(keys.fairnessKey, (this.perFairnessKey.get(keys.fairnessKey) ?? 0) + 1)
    }
  }
}
