/** Use cases that end stays which no exit ended. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator } from "../../domain/accounts/Caller.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { PeopleNotTracked } from "../../domain/musters/Muster.ts"
import type { OrgAuthServerId } from "../../domain/shared/Ids.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { PremisesNotFound, TimestampInFuture, TimestampTooOld } from "../../domain/stays/Stay.ts"
import { type Cleared, StayEndingStore } from "../../ports/stays/StayEndingStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { byCaller } from "../audit/byCaller.ts"
import { now } from "../shared/now.ts"

/** The premises whose stays end. */
export interface EndedPremises {
  readonly premises: Premises
  /** Whether the places of an organization are meant as well. */
  readonly withPlaces: boolean
}

/** Ends stays that no exit ended (spec: stays#end, stays#clear). */
export class StayEndings extends Context.Service<
  StayEndings,
  {
    /** Ends the open stays of people as accesses, and answers how many. For managers of authenticated organizations. */
    readonly end: (
      manager: Administrator,
      ending: EndedPremises & {
        readonly people: ReadonlyArray<OrgAuthServerId>
        /** None: now. */
        readonly exit: Timestamp | undefined
      }
    ) => Effect.Effect<
      number,
      PremisesNotFound | PermissionTooLow | PeopleNotTracked | TimestampInFuture | TimestampTooOld | StoreError
    >
    /** Abandons all open stays, and corrects the people counted to 0. For managers. */
    readonly clear: (
      manager: Administrator,
      clearing: EndedPremises
    ) => Effect.Effect<Cleared, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/StayEndings") {
  static readonly layer: Layer.Layer<StayEndings, never, StayEndingStore> = Layer.effect(
    StayEndings,
    Effect.gen(function* () {
      const store = yield* StayEndingStore
      return StayEndings.of(
        byCaller({
          end: ({ administratorId }, { exit: timestamp, ...ending }) =>
            Effect.flatMap(now, (at) => store.end({ ...ending, administratorId, claim: { timestamp, now: at } })),
          clear: ({ administratorId }, clearing) =>
            Effect.flatMap(now, (at) => store.clear({ ...clearing, administratorId, now: at }))
        })
      )
    })
  )
}
