/** The use case of counters. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator, DisplayCaller } from "../../domain/accounts/Caller.ts"
import { readerOf } from "../../domain/accounts/Reader.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { StayLog } from "../../ports/stays/StayLog.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"

/** The number of people inside some premises now (spec: stays#counter). */
export interface PresenceCounter {
  readonly premises: Premises
  readonly counter: number
}

/** Reads how many people are inside (spec: stays#readers). */
export class Presence extends Context.Service<
  Presence,
  {
    /** The number of open stays of the premises. Any level may read it, and displays of the organization. */
    readonly counter: (
      caller: Administrator | DisplayCaller,
      premises: Premises
    ) => Effect.Effect<PresenceCounter, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Presence") {
  static readonly layer: Layer.Layer<Presence, never, StayLog> = Layer.effect(
    Presence,
    Effect.gen(function* () {
      const stays = yield* StayLog
      return Presence.of({
        counter: (caller, premises) =>
          Effect.map(stays.countOpen(readerOf(caller), premises), (counter) => ({ premises, counter }))
      })
    })
  )
}
