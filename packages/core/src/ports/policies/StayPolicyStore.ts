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
}

/**
 * Stores the stay policies of organizations and applies them (contract, section 4, rule 8).
 *
 * - `change` decides on the policy and writes it as one step. `list` returns the organizations that have a policy, by id.
 * - `takeLease` grants the right to sweep an organization to one caller among all servers. It returns none unless
 *   `isLeaseDue` since the last lease, and none where there is no policy. A batch with an earlier lease does nothing.
 * - `abandon` ends open stays that are overdue (`isOverdue`) by the current policy. They are not counted and never listed, and
 *   their tokens match nothing. Retry keys still refer to the stays that they opened. When an exit and an abandonment race,
 *   one wins: a stay is closed or abandoned.
 * - `forget` ends accesses that are past retention, and no others. An access that was reported late may be kept until the
 *   retention has passed since its report.
 *
 * `abandon` and `forget` return how many they ended; fewer than `most` means that none are left. They skip rows that another
 * transaction is writing, and delay a movement by one batch at most.
 */
export class StayPolicyStore extends Context.Service<
  StayPolicyStore,
  {
    readonly get: (organizationId: OrganizationId) => Effect.Effect<StayPolicy, OrganizationNotFound | StoreError>
    readonly change: (change: {
      readonly organizationId: OrganizationId
      readonly decide: (policy: StayPolicy) => StayPolicy
    }) => Effect.Effect<StayPolicy, OrganizationNotFound | StoreError>
    readonly list: Effect.Effect<ReadonlyArray<OrganizationId>, StoreError>
    readonly takeLease: (asked: {
      readonly organizationId: OrganizationId
      /** Milliseconds. */
      readonly every: number
      readonly now: Timestamp
    }) => Effect.Effect<Option.Option<SweepLease>, StoreError>
    readonly abandon: (batch: SweepBatch) => Effect.Effect<number, StoreError>
    readonly forget: (batch: SweepBatch) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/StayPolicyStore") {}
