/** The subscribers that wait for a snapshot or for missed events, in fair turns of their callers. */
import type { AdministratorId, OrganizationId } from "@sojourn/core"
import * as Latch from "effect/Latch"
import { childOf } from "../pipeline/childOf.ts"
import type { Subscriber } from "./Subscriber.ts"

/** How many subscribers, and organizations of their lists, are in a batch. */
const BATCH_SUBSCRIBERS = 200
const BATCH_ORGANIZATIONS = 40

/** How many organizations a caller may have read at once, and then in each second. */
const BURST_ORGANIZATIONS = 1_000
const ORGANIZATIONS_PER_SECOND = 50

/** When the usage of a caller is paid off, by `performance.now`. Callers without usage are left out. */
export type PaidOffAt = Map<AdministratorId, number>

export class AttachQueue {
  /** Open while there are subscribers. */
  readonly filled = Latch.makeUnsafe(false)
  /** In the order of their turns. */
  private readonly callers = new Map<AdministratorId, Set<Subscriber>>()
  private readonly organizationsOf: (subscriber: Subscriber) => Iterable<OrganizationId>
  private readonly paidOffAt: PaidOffAt

  /**
   * @param organizationsOf the organizations that are read for a subscriber.
   * @param paidOffAt the usage of the callers, which the queues of a server share.
   */
  constructor(organizationsOf: (subscriber: Subscriber) => Iterable<OrganizationId>, paidOffAt: PaidOffAt) {
    this.organizationsOf = organizationsOf
    this.paidOffAt = paidOffAt
  }

  add(subscriber: Subscriber): void {
    childOf(this.callers, subscriber.subscription.administratorId, () => new Set<Subscriber>()).add(subscriber)
    this.filled.openUnsafe()
  }

  remove(subscriber: Subscriber): void {
    const { administratorId } = subscriber.subscription
    const own = this.callers.get(administratorId)
    if (own?.delete(subscriber) === true && own.size === 0) this.callers.delete(administratorId)
    if (this.callers.size === 0) this.filled.closeUnsafe()
  }

  /**
   * Takes a batch: one subscriber of each caller in turn, as long as the batch is not full and the caller is within its limit. Subscribers
   * whose organizations are in the batch anyway are taken with it, and cost their callers nothing more.
   */
  take(): ReadonlyArray<Subscriber> {
    const now = performance.now()
    for (const [caller, at] of this.paidOffAt) if (at <= now) this.paidOffAt.delete(caller)
    const batch: Array<Subscriber> = []
    const organizationIds = new Set<OrganizationId>()
    const fits = (subscriber: Subscriber): boolean => {
      let added = 0
      for (const id of this.organizationsOf(subscriber)) if (!organizationIds.has(id)) added++
      if (added === 0) return true
      if (organizationIds.size > 0 && organizationIds.size + added > BATCH_ORGANIZATIONS) return false
      return this.consume(subscriber.subscription.administratorId, added, now)
    }
    // A served caller has its next turn after all others. Callers that are not served are first in the next batch.
    for (const [caller, own] of this.callers) {
      if (batch.length === BATCH_SUBSCRIBERS) break
      const subscriber = [...own].find(fits)
      if (subscriber === undefined) continue
      batch.push(subscriber)
      for (const id of this.organizationsOf(subscriber)) organizationIds.add(id)
      this.callers.delete(caller)
      if (own.delete(subscriber) && own.size > 0) this.callers.set(caller, own)
    }
    if (this.callers.size === 0) this.filled.closeUnsafe()
    return batch
  }

  private consume(caller: AdministratorId, organizations: number, now: number): boolean {
    const paidOffAt = Math.max(now, this.paidOffAt.get(caller) ?? now)
    if (paidOffAt - now > (BURST_ORGANIZATIONS / ORGANIZATIONS_PER_SECOND) * 1000) return false
    this.paidOffAt.set(caller, paidOffAt + (organizations / ORGANIZATIONS_PER_SECOND) * 1000)
    return true
  }
}
