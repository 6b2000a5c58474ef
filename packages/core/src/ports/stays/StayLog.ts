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
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type {
  ClosedStay,
  ExitBeforeEntrance,
  ExitNotMatched,
  MovementClaim,
  OpenStay,
  PremisesNotFound,
  TimestampInFuture
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
}

/** An exit to be written down, with where its token says the stay is. `userId` finds the caller's link. */
export interface Closing {
  readonly premises: Premises
  readonly stay: StayLocator
  readonly userId: UserId
  readonly claim: MovementClaim
}

/** The stay that an entrance opened, now or when it was first reported. */
export type Opened = Pick<OpenStay, "id" | "organizationId" | "premises" | "orgAuthServerId" | "keyId" | "entrance">

/** How long a retry key stands for its stay. */
export const RETRY_KEY_LIFETIME = 24 * 60 * 60_000

/**
 * The stays: who is inside, and who was (contract, section 4). Each operation is atomic and answers after its effect is
 * durable; of operations at the same moment each sees the others wholly or not at all.
 *
 * - `open` applies the rule `admit` to the organization's mode and the caller's link as they are in that moment. A retry
 *   key that was used at these premises within 24 hours answers the stay it opened, open or not. A person who is inside
 *   already answers the stay that is open. Everything else opens a new stay, with an id above all earlier ones.
 * - `close` applies the rule `settle` to the stay as it is in that moment: of closings at one moment with different
 *   times one wins. A stay that is not there, was abandoned, or is of other premises is not matched.
 *
 * A reading applies the rule of who may read to the reader as they are in that moment, and tells nothing to whom it refuses.
 * It sees every movement that was answered before it was asked for; those who ask at the same moment may share an answer.
 *
 * - `countOpen`, `closedByPeople` and `timePerPerson` are for an administrator whom `requireLevel` admits as a viewer of
 *   the premises; `closedByUser` is for a user and the one person that `ownAccesses` admits, and refuses where there are no
 *   premises. `closedByIds` is for any caller who knows the ids.
 * - `countOpen` is the number of open stays. `closedByIds`, `closedByPeople` and `closedByUser` answer closed stays of the
 *   premises in the order `ClosedStayOrder`, each once, ids and people that have none left out; the first lists
 *   anonymous stays alone. `timePerPerson` sums the closed stays of each person, ordered by person.
 */
export class StayLog extends Context.Service<
  StayLog,
  {
    readonly open: (
      opening: Opening
    ) => Effect.Effect<Opened, PremisesNotFound | NotLinked | IdentityNotOwn | TimestampInFuture | StoreError>
    readonly close: (
      closing: Closing
    ) => Effect.Effect<
      ClosedStay,
      PremisesNotFound | IdentityNotOwn | ExitNotMatched | TimestampInFuture | ExitBeforeEntrance | StoreError
    >
    readonly countOpen: (
      administratorId: AdministratorId,
      premises: Premises
    ) => Effect.Effect<number, PremisesNotFound | PermissionTooLow | StoreError>
    readonly closedByIds: (
      organizationId: OrganizationId,
      premises: Premises,
      ids: ReadonlyArray<StayId>
    ) => Effect.Effect<ReadonlyArray<ClosedStay>, StoreError>
    readonly closedByPeople: (
      administratorId: AdministratorId,
      premises: Premises,
      people: ReadonlyArray<OrgAuthServerId>
    ) => Effect.Effect<ReadonlyArray<ClosedStay>, PremisesNotFound | PermissionTooLow | StoreError>
    readonly closedByUser: (
      userId: UserId,
      premises: Premises,
      asked: ReadonlyArray<OrgAuthServerId>
    ) => Effect.Effect<ReadonlyArray<ClosedStay>, AccessesOfAnother | StoreError>
    readonly timePerPerson: (
      administratorId: AdministratorId,
      placeId: PlaceId
    ) => Effect.Effect<
      ReadonlyArray<{ readonly orgAuthServerId: OrgAuthServerId; readonly milliseconds: number }>,
      PremisesNotFound | PermissionTooLow | StoreError
    >
  }
>()("@sojourn/core/StayLog") {}
