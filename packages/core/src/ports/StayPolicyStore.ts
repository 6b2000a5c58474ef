import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrganizationId } from "../domain/Ids.ts"
import type { OrganizationNotFound } from "../domain/Organization.ts"
import type { StayPolicy } from "../domain/StayPolicy.ts"
import type { Timestamp } from "../domain/Timestamp.ts"
import type { StoreError } from "./StoreError.ts"

/** A turn of sweeping one organization, until somebody takes the next. */
export interface SweepTurn {
  readonly organizationId: OrganizationId
  /** Tells it from all others of the organization. */
  readonly number: bigint
}

/** Some work of a turn: whatever the policy says by now, `most` stays at a time. */
export interface SweepBatch {
  readonly turn: SweepTurn
  readonly now: Timestamp
  readonly most: number
}

/**
 * The stay policies of organizations, and what comes of stays by them alone (contract, section 4, rule 8).
 *
 * - `change` decides on the policy and writes it as one step; `list` answers the organizations that have one, by their ids.
 * - `takeTurn` gives the turn of sweeping an organization to one of all who ask, on whatever servers: it is due when
 *   `isTurnDue` says so of the last, and there is none where there is no policy. What is asked with an earlier turn from
 *   then on does nothing.
 * - `abandon` ends open stays that `isOverdue` by the policy as it is in that moment: they are not counted and never listed,
 *   and their tokens match nothing. Retry keys keep standing for the stays that they opened. Of an exit and an abandonment
 *   at one moment one wins: a stay is closed or abandoned.
 * - `forget` ends accesses that are past retention, and no others. One that was reported later than it happened may be kept
 *   longer: until the retention has passed since its report.
 *
 * Both answer how many they ended. They leave out what somebody else is writing at that moment, and never make a movement
 * wait for longer than one batch takes. Fewer than `most` is all there was.
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
    readonly takeTurn: (asked: {
      readonly organizationId: OrganizationId
      /** Milliseconds. */
      readonly every: number
      readonly now: Timestamp
    }) => Effect.Effect<Option.Option<SweepTurn>, StoreError>
    readonly abandon: (batch: SweepBatch) => Effect.Effect<number, StoreError>
    readonly forget: (batch: SweepBatch) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/StayPolicyStore") {}
