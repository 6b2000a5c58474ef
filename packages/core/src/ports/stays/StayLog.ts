/** The port for stays: what every movement writes, and what counters and lists of accesses read. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { IdentityNotOwn, NotLinked } from "../../domain/accounts/AccountLink.ts"
import type { RetryKey, StayLocator } from "../../domain/keys/ExitToken.ts"
import type { AccessesOfAnother } from "../../domain/stays/Access.ts"
import type {
  AdministratorId,
  OrganizationId,
  OrgAuthServerId,
  PlaceId,
  StayId,
  UserId
} from "../../domain/shared/Ids.ts"
import type { PeopleNotTracked } from "../../domain/musters/Muster.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Reader } from "../../domain/accounts/Reader.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { TimeWindow } from "../../domain/shared/TimeWindow.ts"
import type { AccessWindow, StayPosition } from "../../domain/stays/AccessWindow.ts"
import type {
  ClosedStay,
  ExitBeforeEntrance,
  ExitNotMatched,
  MovementClaim,
  OpenStay,
  PremisesNotFound,
  TimestampInFuture,
  TimestampTooOld
} from "../../domain/stays/Stay.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** An entrance to be written down. `userId` finds the caller's link and is never stored. */
export interface Opening {
  readonly premises: Premises
  readonly userId: UserId
  readonly claim: MovementClaim
  /** The key that the token of a new stay is derived with. */
  readonly keyId: number
  readonly retryKey: Option.Option<RetryKey>
  /** Stays that end with the entrance; none where left out. */
  readonly leaves?: ReadonlyArray<Leaving> | undefined
}

/** A stay that ends with an entrance, by its exit token. */
export interface Leaving {
  /** The stay as the token says. */
  readonly stay: StayLocator
  /** Whether the token is genuine, once the premises of the stay are known. */
  readonly isOf: (premises: Premises) => boolean
}

/** An exit to be written down, with where its token says the stay is. `userId` finds the caller's link. */
export interface Closing {
  readonly premises: Premises
  readonly stay: StayLocator
  readonly userId: UserId
  readonly claim: MovementClaim
}

/** The time of a person inside some premises. */
export interface PersonMilliseconds {
  readonly orgAuthServerId: OrgAuthServerId
  readonly milliseconds: number
}

/** A part of the closed stays of a window. */
export interface StayWindow extends AccessWindow {
  /** The stays after this position of `ClosedStayOrder`; undefined: from the first. */
  readonly after: StayPosition | undefined
  /** How many at most. */
  readonly most: number
}

/** The stay that an entrance opened, now or when it was first reported. */
export type Opened = Pick<OpenStay, "id" | "organizationId" | "premises" | "orgAuthServerId" | "keyId" | "entrance">

/** How long a retry key stands for its stay. */
export const RETRY_KEY_LIFETIME = 24 * 60 * 60_000

/**
 * The stays: who is inside, and who was (spec: stays#states). Each operation is atomic, and answers after its effect is
 * durable.
 *
 * A reading applies the rule of who may read to the reader in that moment, and reveals nothing to a reader whom it refuses.
 * It includes every movement that was answered before it was requested; concurrent readings may share an answer. Laws: the
 * folder `stays/StayLog`, whose `histories.ts` compares any history with a model.
 */
export class StayLog extends Context.Service<
  StayLog,
  {
    /**
     * Writes an entrance, and answers the stay that it opened or found open.
     * It applies the rule `admit` to the organization's mode and the caller's link in that moment. A retry key that was used
     * at these premises within 24 hours answers the stay it opened, open or not; a person who is inside answers the open
     * stay. Everything else opens a stay, with an id that no stay had before.
     * Open stays of `leaves` end at the entrance by the rule `settle`, in the same step; where one does not, it fails with its refusal or
     * `ExitNotMatched`, and nothing is written. Where the policy says `exclusivePlaces`, so do the person's stays that `isLeftBehind` says so
     * of, by `endOfLeftBehind`. An entrance that its retry key repeats ends nothing.
     * Fails with `PremisesNotFound`, or as `admit` does.
     * Racing entrances of one person, or with one retry key, open one stay.
     * Laws: `stays/StayLog/races.ts` "50 entrances of one person into ... race: one stay"; `stays/StayLog/movements.ts` "50
     * entrances of ... race with one retry key: one stay".
     */
    readonly open: (
      opening: Opening
    ) => Effect.Effect<
      Opened,
      | PremisesNotFound
      | NotLinked
      | IdentityNotOwn
      | TimestampInFuture
      | TimestampTooOld
      | ExitNotMatched
      | ExitBeforeEntrance
      | StoreError
    >
    /**
     * Writes an exit, and answers the closed stay.
     * It applies the rule `settle` to the stay in that moment. A stay that is not there, was abandoned, or is of other
     * premises is `ExitNotMatched`. A refusal changes nothing.
     * Of racing exits with different times one closes the stay, and the others are `ExitNotMatched`.
     * Law: `stays/StayLog/races.ts` "50 exits race for one stay of ... with different times: one wins, and its time is
     * listed".
     */
    readonly close: (
      closing: Closing
    ) => Effect.Effect<
      ClosedStay,
      | PremisesNotFound
      | IdentityNotOwn
      | ExitNotMatched
      | TimestampInFuture
      | TimestampTooOld
      | ExitBeforeEntrance
      | StoreError
    >
    /**
     * For viewers and displays: counts the open stays of premises.
     * With a publishing interval it answers the count of the last event.
     * Laws: `stays/StayLog/races.ts` "a counter of ... includes every movement that was answered before it was asked for";
     * `stays/StayLog/movements.ts` "a display counts the people of its organization alone".
     */
    readonly countOpen: (
      reader: Reader,
      premises: Premises
    ) => Effect.Effect<number, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * Lists anonymous closed stays of the premises by id, for any caller who knows the ids.
     * The order is `ClosedStayOrder`, each stay once. Ids without such a stay are left out.
     * Laws: `stays/StayLog/readings.ts` "closed stays are listed by entrance and then by id, each once, however they are asked
     * for"; `stays/StayLog/races.ts` "lists that are asked for at one moment are answered each with its own stays".
     */
    readonly closedByIds: (
      organizationId: OrganizationId,
      premises: Premises,
      ids: ReadonlyArray<StayId>
    ) => Effect.Effect<ReadonlyArray<ClosedStay>, StoreError>
    /**
     * For viewers: lists the closed stays of people.
     * The order is `ClosedStayOrder`, each stay once. People without a stay are left out.
     * Laws: `stays/StayLog/readings.ts` "an administrator who lost their level reads nothing any more";
     * `stays/StayLog/readings.ts` "people are found by their very ids, whatever characters they hold".
     */
    readonly closedByPeople: (
      administratorId: AdministratorId,
      premises: Premises,
      people: ReadonlyArray<OrgAuthServerId>
    ) => Effect.Effect<ReadonlyArray<ClosedStay>, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * Lists the closed stays of the one person that the rule `ownAccesses` admits for the user.
     * The order is `ClosedStayOrder`. It fails with `AccessesOfAnother` where there are no such premises, too.
     * Law: `stays/StayLog/readings.ts` "a user reads the stays of the one person they are linked to at ..., asked for alone".
     */
    readonly closedByUser: (
      userId: UserId,
      premises: Premises,
      people: ReadonlyArray<OrgAuthServerId>
    ) => Effect.Effect<ReadonlyArray<ClosedStay>, AccessesOfAnother | StoreError>
    /**
     * For viewers: sums the closed stays of each person at a place, ordered by person.
     * Law: `stays/StayLog/readings.ts` "the time per person sums a place's closed stays of people, ordered by person".
     */
    readonly timePerPerson: (
      administratorId: AdministratorId,
      placeId: PlaceId
    ) => Effect.Effect<ReadonlyArray<PersonMilliseconds>, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * For viewers: sums `timeInside` of the closed stays of each person at the premises, ordered by person. People without any are left out.
     * Law: `stays/StayLog/windows.ts` "the time per person inside a window is that of the stays as they are cut at its ends".
     */
    readonly timePerPersonInside: (
      administratorId: AdministratorId,
      premises: Premises,
      window: TimeWindow
    ) => Effect.Effect<ReadonlyArray<PersonMilliseconds>, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * For viewers of authenticated organizations: lists closed stays of people by their entrances, of an organization those of its places as
     * well, by `mayListInside`. The order is `ClosedStayOrder`; less than `most` means that there are no more.
     * Laws: `stays/StayLog/windows.ts` "parts of a window hold each stay of a person once, in their order, whatever is added meanwhile",
     * "a window is for viewers of authenticated organizations".
     */
    readonly closedInWindow: (
      administratorId: AdministratorId,
      window: StayWindow
    ) => Effect.Effect<ReadonlyArray<ClosedStay>, PremisesNotFound | PermissionTooLow | PeopleNotTracked | StoreError>
  }
>()("@sojourn/core/StayLog") {}
