/** The places of presence streams: how many there may be in all, of a caller, and of an organization while places are scarce. */
import type { AdministratorId, OrganizationId } from "@sojourn/core"
import { childOf } from "../pipeline/childOf.ts"
import type { Subscriber, Subscription } from "./Subscriber.ts"

/** The limits of the numbers of streams. */
export interface StreamLimits {
  /** How many streams there may be. */
  readonly maxSubscribers: number
  /** How many streams a caller may have: one more ends the caller's oldest. */
  readonly maxSubscribersPerCaller: number
}

/** The share of all places that an organization keeps while places are scarce. */
const ORGANIZATION_SHARE = 1 / 10

export class Places {
  private readonly limits: StreamLimits
  /** The most places that an organization keeps while places are scarce. */
  private readonly share: number
  /** The oldest stream is first. */
  private readonly byCaller = new Map<AdministratorId, Set<Subscriber>>()
  private readonly byOrganization = new Map<OrganizationId, Set<Subscriber>>()
  /** Organizations with more places than their share. */
  private readonly crowded = new Set<OrganizationId>()
  private taken = 0

  constructor(limits: StreamLimits) {
    this.limits = limits
    this.share = Math.max(1, Math.floor(limits.maxSubscribers * ORGANIZATION_SHARE))
  }

  /**
   * Decides about a place for a stream: which stream has to end for it, if any, or that there is none.
   *
   * - The caller's oldest stream, where the caller has as many as a caller may have.
   * - Where all places are taken, the oldest stream of the organization with the most, provided that it has more than its share, and
   *   that an organization of the new stream has less.
   */
  decide({ administratorId, organizationIds }: Subscription): { readonly replaced: Subscriber | undefined } | "full" {
    const own = this.byCaller.get(administratorId)
    if (own !== undefined && own.size >= this.limits.maxSubscribersPerCaller) return { replaced: oldest(own) }
    if (this.taken < this.limits.maxSubscribers) return { replaced: undefined }
    if (!organizationIds.some((id) => (this.byOrganization.get(id)?.size ?? 0) < this.share)) return "full"
    let largest: ReadonlySet<Subscriber> | undefined
    for (const id of this.crowded) {
      const streams = this.byOrganization.get(id)!
      if (largest === undefined || streams.size > largest.size) largest = streams
    }
    return largest === undefined ? "full" : { replaced: oldest(largest) }
  }

  /** Gives a place to a stream. It counts for its caller and for each organization of its list. */
  take(subscriber: Subscriber): void {
    const { administratorId, organizationIds } = subscriber.subscription
    this.taken++
    childOf(this.byCaller, administratorId, () => new Set()).add(subscriber)
    for (const id of organizationIds) {
      const streams = childOf(this.byOrganization, id, () => new Set<Subscriber>()).add(subscriber)
      if (streams.size > this.share) this.crowded.add(id)
    }
  }

  free(subscriber: Subscriber): void {
    const { administratorId, organizationIds } = subscriber.subscription
    const own = this.byCaller.get(administratorId)
    if (own?.delete(subscriber) !== true) return
    this.taken--
    if (own.size === 0) this.byCaller.delete(administratorId)
    for (const id of organizationIds) {
      const streams = this.byOrganization.get(id)!
      streams.delete(subscriber)
      if (streams.size <= this.share) this.crowded.delete(id)
      if (streams.size === 0) this.byOrganization.delete(id)
    }
  }
}

const oldest = (streams: ReadonlySet<Subscriber>): Subscriber => {
  const [first] = streams
  return first!
}
