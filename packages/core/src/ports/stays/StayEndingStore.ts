/** The port for ends of stays that no exit ended. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { PeopleNotTracked } from "../../domain/musters/Muster.ts"
import type { AdministratorId, OrgAuthServerId } from "../../domain/shared/Ids.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { PremisesNotFound, TimestampInFuture, TimestampTooOld } from "../../domain/stays/Stay.ts"
import type { EndClaim } from "../../domain/stays/StayEnding.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** Premises whose stays end, and who ends them. */
export interface EndingPremises {
  readonly premises: Premises
  /** Whether the places of an organization are meant as well. Of a place it means nothing. */
  readonly withPlaces: boolean
  readonly administratorId: AdministratorId
}

/** What a clear took off. With a publishing interval both are as published. */
export interface Cleared {
  readonly ended: number
  readonly counted: number
}

/**
 * Ends open stays without an exit of their own (spec: stays#end, stays#clear).
 *
 * A movement that races with an end is before or after it. `clear` and `endDue` work in batches, each of which delays a movement of one of
 * its stays; movements between batches are kept.
 */
export class StayEndingStore extends Context.Service<
  StayEndingStore,
  {
    /**
     * For managers: ends the open stays of people by the rules `mayEndStays` and `endedStay`, and answers how many.
     * The accesses have ids that no stay had before, so that the exit tokens are unknown.
     * Of an exit and an end of one stay one wins.
     * Laws: `stays/StayEndingStore.ts` "the stays of people end as accesses, and their exit tokens are unknown", "of an exit and an end of one
     * stay at the same moment one wins".
     */
    readonly end: (
      ending: EndingPremises & { readonly people: ReadonlyArray<OrgAuthServerId>; readonly claim: EndClaim }
    ) => Effect.Effect<
      number,
      PremisesNotFound | PermissionTooLow | PeopleNotTracked | TimestampInFuture | TimestampTooOld | StoreError
    >
    /**
     * For managers: abandons the stays that are open when it begins, and corrects the people counted to 0. It answers when all is done.
     * With a publishing interval it answers what was published: it reveals no movement since.
     * Laws: `stays/StayEndingStore.ts` "a clear abandons all open stays and takes off the people counted", "entrances and exits that race with a
     * clear are before or after it", "clears at the same moment end each stay once".
     */
    readonly clear: (
      clearing: EndingPremises & { readonly now: Timestamp }
    ) => Effect.Effect<Cleared, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * Abandons the stays `isEndedDaily` of the organizations whose `staysEndAt` is due, and answers of how many this call ended the day.
     * A moment that `isMomentAhead` is computed anew. A policy that is lifted meanwhile has no effect from then on.
     * Of concurrent calls one ends the day of an organization, and each stay is ended once.
     * Laws: `stays/StayEndingStore.ts` "the stays of an organization end once at the time of its policy", "a clock that was ahead by a year, and
     * is right again, puts off no end".
     */
    readonly endDue: (now: Timestamp) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/StayEndingStore") {}
