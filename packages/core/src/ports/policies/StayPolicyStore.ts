/** The port for stay policies, and for sweeps: leases keep two servers from sweeping one organization at once. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { StayPolicy } from "../../domain/policies/StayPolicy.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** The right to sweep one organization, until the next lease is taken. */
export interface SweepLease {
  readonly organizationId: OrganizationId
  /** Unique among the leases of the organization. */
  readonly number: bigint
}

/** One batch of a sweep: at most `most` stays, by the policy as it is then. */
export interface SweepBatch {
  readonly lease: SweepLease
  readonly now: Timestamp
  readonly most: number
  /** Whether no batch of the lease ended any before: then the batch adds the entry of the policy to the audit, if it ends some. */
  readonly isFirst: boolean
}

/**
 * Stores the stay policies of organizations and applies them (spec: policies#longest-stay).
 *
 * Batches skip rows that another transaction is writing, and delay a movement by one batch at most.
 */
export class StayPolicyStore extends Context.Service<
  StayPolicyStore,
  {
    /**
     * Reads the policy of an organization; `NO_POLICY` where none is set.
     * Law: `policies/StayPolicyStore.ts` "an organization has no policy until it is given one, and none again when
     * all of it is lifted".
     */
    readonly get: (organizationId: OrganizationId) => Effect.Effect<StayPolicy, OrganizationNotFound | StoreError>
    /**
     * Decides on the stored policy, writes the decision, and answers it, as one step.
     * A policy that was lifted has no effect from the answer on. Concurrent changes follow each other.
     * Laws: `policies/StayPolicyStore.ts` "changes of one policy at one moment all count";
     * `policies/StayPolicyStore.ts` "a policy that was lifted has no effect any more, not even in a lease that
     * goes on".
     */
    readonly change: (change: {
      readonly organizationId: OrganizationId
      readonly decide: (policy: StayPolicy) => StayPolicy
    }) => Effect.Effect<StayPolicy, OrganizationNotFound | StoreError>
    /**
     * Lists the organizations that have a policy, by id.
     * Law: `policies/StayPolicyStore.ts` "an organization that does not exist, or no longer, has no policy to read,
     * to change or to follow".
     */
    readonly list: Effect.Effect<ReadonlyArray<OrganizationId>, StoreError>
    /**
     * Grants the right to sweep an organization to one caller among all servers.
     * It answers none unless `isLeaseDue` since the last lease, and none where there is no policy. A batch with an earlier
     * lease does nothing.
     * Laws: `policies/StayPolicyStore.ts` "of 20 concurrent requests for a lease one is granted, and no other before
     * it is due", "a lease allows nothing after the next was taken".
     */
    readonly takeLease: (request: {
      readonly organizationId: OrganizationId
      /** Milliseconds. */
      readonly every: number
      readonly now: Timestamp
    }) => Effect.Effect<Option.Option<SweepLease>, StoreError>
    /**
     * Ends open stays that are overdue by `isOverdue`, at most `most`, and answers how many.
     * They are not counted and never listed, and no exit matches them. Retry keys still lead to them. Fewer than `most` means
     * that none are left.
     * Of a racing exit and abandonment one wins; of racing batches each stay is ended by one.
     * Laws: `policies/StayPolicyStore.ts` "of an exit and an abandonment of one stay at one moment exactly one wins, 60
     * times", "two sweeps at one moment end each stay once", "a sweep that ends something leaves one entry of each policy".
     */
    readonly abandon: (batch: SweepBatch) => Effect.Effect<number, StoreError>
    /**
     * Removes accesses that are past retention, at most `most`, and answers how many.
     * An access that was reported late may be kept until the retention has passed since its report. Fewer than `most` means
     * that none are left.
     * Law: `policies/StayPolicyStore.ts` "of any accesses that were reported in time those are forgotten that are
     * past retention, batch by batch".
     */
    readonly forget: (batch: SweepBatch) => Effect.Effect<number, StoreError>
    /**
     * Removes accesses of all organizations that are past retention, where the store can remove many at once, and answers about how many.
     * A store may remove none: `forget` removes what is left. It needs no lease; any number of servers may call it at once.
     * Law: `policies/StayPolicyStore.ts` "what is forgotten at once is past retention".
     */
    readonly forgetAtOnce: (now: Timestamp) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/StayPolicyStore") {}
