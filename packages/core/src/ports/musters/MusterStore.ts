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
  SweptPlaceUnknown,
  TooManyAdded
} from "../../domain/musters/Muster.ts"
import type { Author } from "../../domain/audit/AuditEntry.ts"
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

/** An administrator marks people, counts them, or marks a place. */
export interface MusterMarking {
  readonly administratorId: AdministratorId
  readonly marking: Marking
  readonly now: Timestamp
  /** Who the audit says marked, where that is not the caller of the use case: calls share steps. */
  readonly author?: Author | undefined
}

/** An administrator ends a muster. */
export interface MusterEnding {
  readonly administratorId: AdministratorId
  readonly now: Timestamp
  /** As of {@link MusterMarking}. */
  readonly author?: Author | undefined
}

/**
 * Who is inside, and the musters of organizations (spec: musters#muster-start). Each operation is one step, decided on levels
 * in that moment.
 *
 * Reading a large crowd is expensive, so `inside`, `list`, `get`, `mark` and `end` serve several calls in their one step.
 * They return a result for each call, in the order of the calls. Marks and ends are applied in this order; a call that is
 * refused changes nothing. Law: `musters/MusterStore/musters.ts` "calls in one step are answered each by its own
 * administrator, and in their order".
 *
 * The people of an open muster are `musterPeople` of its entries and of the stays of its organization and its places that are
 * open, were when it began, or began since. An anonymous muster has `anonymousNumbers` of its `musterPremises`, which what they answer
 * at the start decides; a place of them that ends keeps what it counted. When a place ends, or stays are
 * abandoned, during a muster, each person whose stay ends keeps an entry by the rule `keepEnded`; so does a person who came
 * into the place since the begin, and left it (laws: `musters/MusterStore/endings.ts`).
 *
 * `start`, `mark` and `end` may read the people for their answer after their step: it may then show later changes, such as
 * the end of the muster. They add a `MusterChanged` to the feed in the same step where they change anything. Musters end with
 * their organization. They are personal data: see `PersonalDataStore`.
 */
export class MusterStore extends Context.Service<
  MusterStore,
  {
    /**
     * Lists the open stays of people by `PersonInsideOrder`, for readers whom `mayListInside` admits.
     * They are those of the premises and, of an organization, of its places.
     * Laws: `musters/MusterStore/lists.ts` "who is inside is listed by person, with the places of an organization, since the
     * entrance", "what is missing is refused first, then who may not read, then an anonymous organization".
     */
    readonly inside: (
      premises: Premises,
      readers: ReadonlyArray<AdministratorId>
    ) => Effect.Effect<
      ReadonlyArray<Result<ReadonlyArray<PersonInside>, PermissionTooLow | PeopleNotTracked>>,
      PremisesNotFound | StoreError
    >
    /**
     * Applies `mayStartMuster`, and keeps the tracking mode and the people inside, as of one moment.
     * No movement is being written at that moment: one that was answered before is in the muster, one that is answered after
     * comes after it.
     * Of racing starts one succeeds, and the others are `MusterOpen`.
     * Laws: `musters/MusterStore/musters.ts` "of musters that are started at the same moment one is", "entrances and exits at
     * the moment of a start are before it or after it".
     */
    readonly start: (
      start: MusterStart
    ) => Effect.Effect<MusterReport, OrganizationNotFound | PermissionTooLow | MusterOpen | StoreError>
    /**
     * Lists the musters of an organization without people, by their start, newest first, for viewers.
     * Law: `musters/MusterStore/musters.ts` "one muster of an organization is open at a time; they are listed with the newest
     * first".
     */
    readonly list: (
      organizationId: OrganizationId,
      readers: ReadonlyArray<AdministratorId>
    ) => Effect.Effect<
      ReadonlyArray<Result<ReadonlyArray<Muster>, PermissionTooLow>>,
      OrganizationNotFound | StoreError
    >
    /**
     * Reads a muster with its people, for viewers.
     * Law: `musters/MusterStore/musters.ts` "people come in, leave and are marked safe: the muster says where each is".
     */
    readonly get: (
      musterId: MusterId,
      readers: ReadonlyArray<AdministratorId>
    ) => Effect.Effect<ReadonlyArray<Result<MusterReport, PermissionTooLow>>, MusterNotFound | StoreError>
    /**
     * Applies `mayMark`, then keeps the count, the searched places by `markSwept`, or the marks of people by `takeBackMarks`, or by
     * `markSafe` where `mayAdd` allows it. An entry that `isBlank` is removed.
     * `mayAdd` decides on the `musterCrowd` of that moment; where it refuses, nothing is marked.
     * Racing marks are all kept, or come after the end and are `MusterEnded`.
     * Laws: `musters/MusterStore/musters.ts` "marks at the same moment are all kept, or come after the end", "marking adds at
     * most 1,000 people who were not known to be inside; a refused marking marks no person", "marking twice changes nothing and
     * publishes nothing", "marks are taken back, and people who were added by a mark alone with them", "places are swept: a muster says
     * which, when, and by whom first".
     */
    readonly mark: (
      musterId: MusterId,
      markings: ReadonlyArray<MusterMarking>
    ) => Effect.Effect<
      ReadonlyArray<
        Result<MusterReport, PermissionTooLow | MarkingNotOfMode | SweptPlaceUnknown | MusterEnded | TooManyAdded>
      >,
      MusterNotFound | StoreError
    >
    /**
     * Ends a muster with the people and numbers of that moment, for managers.
     * An ended muster is answered as it is, and nothing changes. Of racing endings the first ends it.
     * Laws: `musters/MusterStore/musters.ts` "an ended muster stays as it was at its end, and ending it again changes
     * nothing"; `musters/MusterStore/races.ts` "of endings at the same moment one ends the muster, and all are answered what it
     * ended with".
     */
    readonly end: (
      musterId: MusterId,
      endings: ReadonlyArray<MusterEnding>
    ) => Effect.Effect<ReadonlyArray<Result<MusterReport, PermissionTooLow>>, MusterNotFound | StoreError>
    /**
     * Removes musters that ended before a time with all that they keep, at most `most`, and answers how many.
     * Racing calls count each muster once. An operation on a muster that is forgotten meanwhile is before that, or fails with
     * `MusterNotFound`.
     * Laws: `musters/MusterStore/musters.ts` "musters are forgotten after their end, with their people, and no others";
     * `musters/MusterStore/races.ts` "of calls that forget musters at the same moment each muster is forgotten by one", "a muster
     * that is ended and forgotten at the same moment is answered as it ended, or is unknown".
     */
    readonly forget: (before: Timestamp, most: number) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/MusterStore") {}
