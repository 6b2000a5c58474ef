/** The port for musters. A store reads who is inside and writes the muster as one step, so that it misses no movement. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Result } from "effect/Result"
import type { AdministratorId, MusterId, OrganizationId } from "../../domain/shared/Ids.ts"
import type {
  Marking,
  MarkingNotOfMode,
  Muster,
  MusterEnded,
  MusterKind,
  MusterNotFound,
  MusterOpen,
  MusterReport,
  PeopleNotTracked,
  PersonInside,
  TooManyAdded
} from "../../domain/musters/Muster.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** A muster to be started. */
export interface MusterStart {
  readonly organizationId: OrganizationId
  readonly administratorId: AdministratorId
  readonly kind: MusterKind
  readonly note: string | undefined
  readonly now: Timestamp
}

/** An administrator marks people or counts them. */
export interface MusterMarking {
  readonly administratorId: AdministratorId
  readonly marking: Marking
  readonly now: Timestamp
}

/** An administrator ends a muster. */
export interface MusterEnding {
  readonly administratorId: AdministratorId
  readonly now: Timestamp
}

/**
 * Who is inside, and the musters of organizations. Each operation is one step, decided on the administrators' levels in that moment.
 *
 * Reading a large crowd is expensive, so `inside`, `list`, `get`, `mark` and `end` serve several calls in their one step. They return a
 * result for each call, in the order of the calls. Marks and ends are applied in this order; a call that is refused changes nothing.
 *
 * - `inside` answers the open stays of people by `PersonInsideOrder`: those of the premises and, of an organization, of its places.
 *   The rule is `mayListInside`.
 * - `start` applies `mayStartMuster` and keeps the tracking mode and the people inside, as of one moment at which no movement is
 *   being written: a movement that was answered before is in it, and one that is answered after comes after it.
 * - The people of an open muster are `musterPeople` of its entries and of the stays of its organization and its places that are open,
 *   were when it began, or began since. `start`, `mark` and `end` may read them for their answer after their step: it may then show
 *   what came later, such as the end of the muster.
 *   An anonymous muster has `anonymousNumbers`: how many were inside of the organization itself at its start, how many exits from the
 *   organization itself were recorded since, and the count that was marked last. A muster keeps its mode when the organization's changes.
 * - When a place ends, or stays are abandoned, during a muster, each person whose stay ends keeps an entry, by the rule `keepEnded`:
 *   they are of the muster, and inside of nothing any more unless another stay is open. So does who came into the place since the begin,
 *   and left it.
 * - `list` answers the musters of an organization, the newest first. It and `get` are for whom `requireLevel` admits as a viewer.
 * - `mark` applies `mayMark`, then keeps the count, or applies `markSafe` and, to the `musterCrowd` of that moment, `mayAdd`: where that
 *   refuses, nothing is marked.
 * - `end` is for whom `requireLevel` admits as a manager. It freezes people and numbers as they are in that moment. Ended, it
 *   answers the muster as it is and changes nothing.
 * - `start`, `mark` and `end` add a `MusterChanged` to the feed in the same step (`started`, `updated`, `ended`), where they change anything.
 * - `forget` removes musters that ended before a time with all that they keep, at most `most`, and answers how many.
 *
 * Musters end with their organization. They are personal data: see `PersonalDataStore`.
 */
export class MusterStore extends Context.Service<
  MusterStore,
  {
    readonly inside: (
      premises: Premises,
      readers: ReadonlyArray<AdministratorId>
    ) => Effect.Effect<
      ReadonlyArray<Result<ReadonlyArray<PersonInside>, PermissionTooLow | PeopleNotTracked>>,
      PremisesNotFound | StoreError
    >
    readonly start: (
      start: MusterStart
    ) => Effect.Effect<MusterReport, OrganizationNotFound | PermissionTooLow | MusterOpen | StoreError>
    readonly list: (
      organizationId: OrganizationId,
      readers: ReadonlyArray<AdministratorId>
    ) => Effect.Effect<
      ReadonlyArray<Result<ReadonlyArray<Muster>, PermissionTooLow>>,
      OrganizationNotFound | StoreError
    >
    readonly get: (
      musterId: MusterId,
      readers: ReadonlyArray<AdministratorId>
    ) => Effect.Effect<ReadonlyArray<Result<MusterReport, PermissionTooLow>>, MusterNotFound | StoreError>
    readonly mark: (
      musterId: MusterId,
      markings: ReadonlyArray<MusterMarking>
    ) => Effect.Effect<
      ReadonlyArray<Result<MusterReport, PermissionTooLow | MarkingNotOfMode | MusterEnded | TooManyAdded>>,
      MusterNotFound | StoreError
    >
    readonly end: (
      musterId: MusterId,
      endings: ReadonlyArray<MusterEnding>
    ) => Effect.Effect<ReadonlyArray<Result<MusterReport, PermissionTooLow>>, MusterNotFound | StoreError>
    readonly forget: (before: Timestamp, most: number) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/MusterStore") {}
