/** The use case of counters. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator } from "../../domain/accounts/Caller.ts"
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
    /** The number of open stays of the premises. Any level may read it. */
    readonly counter: (
      administrator: Administrator,
      premises: Premises
    ) => Effect.Effect<PresenceCounter, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Presence") {
  static readonly layer: Layer.Layer<Presence, never, StayLog> = Layer.effect(
    Presence,
    Effect.gen(function* () {
      const stays = yield* StayLog
      return Presence.of({
        counter: ({ administratorId }, premises) =>
          Effect.map(stays.countOpen(administratorId, premises), (counter) => ({ premises, counter }))
      })
    })
  )
}
