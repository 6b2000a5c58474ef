/** The subscribers that wait for a snapshot or for missed events, in fair turns of their callers. */
import type { AdministratorId, OrganizationId } from "@sojourn/core"
import { childOf } from "../pipeline/childOf.ts"
import type { Subscriber } from "./Subscriber.ts"

/** How many subscribers, and organizations of their lists, are in a batch. */
const BATCH_SUBSCRIBERS = 200
const BATCH_ORGANIZATIONS = 40

/** How many organizations a caller may have read at once, and then in each second. */
const BURST_ORGANIZATIONS = 1_000
const ORGANIZATIONS_PER_SECOND = 50

export class AttachQueue {
  /** In the order of their turns. */
  private readonly callers = new Map<AdministratorId, Set<Subscriber>>()
  /** When the usage of a caller is paid off, by `performance.now`. Callers without usage are left out. */
  private readonly paidOffAt = new Map<AdministratorId, number>()

  get isEmpty(): boolean {
    return this.callers.size === 0
  }

  add(subscriber: Subscriber): void {
    childOf(this.callers, subscriber.subscription.administratorId, () => new Set<Subscriber>()).add(subscriber)
  }

  remove(subscriber: Subscriber): void {
    const { administratorId } = subscriber.subscription
    const own = this.callers.get(administratorId)
    if (own?.delete(subscriber) === true && own.size === 0) this.callers.delete(administratorId)
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
    const takeFrom = (own: Set<Subscriber>): boolean => {
      for (const subscriber of own) {
        const { administratorId, organizationIds: ids } = subscriber.subscription
        const added = ids.filter((id) => !organizationIds.has(id)).length
        if (added > 0) {
          if (organizationIds.size > 0 && organizationIds.size + added > BATCH_ORGANIZATIONS) continue
          if (!this.consume(administratorId, added, now)) continue
        }
        for (const id of ids) organizationIds.add(id)
        this.remove(subscriber)
        batch.push(subscriber)
        return true
      }
      return false
    }
    let turn = [...this.callers]
    while (turn.length > 0 && batch.length < BATCH_SUBSCRIBERS) {
      turn = turn.filter(([, own]) => batch.length < BATCH_SUBSCRIBERS && takeFrom(own) && own.size > 0)
    }
    // Callers that were not served come first in the next batch.
    for (const { subscription } of batch) {
      const own = this.callers.get(subscription.administratorId)
      if (own === undefined) continue
      this.callers.delete(subscription.administratorId)
      this.callers.set(subscription.administratorId, own)
    }
    return batch
  }

  private consume(caller: AdministratorId, organizations: number, now: number): boolean {
    const paidOffAt = Math.max(now, this.paidOffAt.get(caller) ?? now)
    if (paidOffAt - now > (BURST_ORGANIZATIONS / ORGANIZATIONS_PER_SECOND) * 1000) return false
    this.paidOffAt.set(caller, paidOffAt + (organizations / ORGANIZATIONS_PER_SECOND) * 1000)
    return true
  }
}
