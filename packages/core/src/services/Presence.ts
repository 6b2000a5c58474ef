import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator } from "../domain/Caller.ts"
import type { PermissionTooLow } from "../domain/Permission.ts"
import type { Premises } from "../domain/Premises.ts"
import type { PremisesNotFound } from "../domain/Stay.ts"
import { PermissionStore } from "../ports/PermissionStore.ts"
import { StayLog } from "../ports/StayLog.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { authorize } from "./authority.ts"

/** The number of people inside some premises now (interface, section 2). */
export interface PresenceCounter {
  readonly premises: Premises
  readonly counter: number
}

/** Tells administrators how many people are inside (interface, section 4.7). */
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
  static readonly layer: Layer.Layer<Presence, never, StayLog | PermissionStore> = Layer.effect(
    Presence,
    Effect.gen(function* () {
      const stays = yield* StayLog
      const permissions = yield* PermissionStore
      return Presence.of({
        counter: Effect.fnUntraced(function* (administrator, premises) {
          const organizationId = yield* authorize(permissions, administrator, premises, "viewer")
          return { premises, counter: yield* stays.countOpen(organizationId, premises) }
        })
      })
    })
  )
}
