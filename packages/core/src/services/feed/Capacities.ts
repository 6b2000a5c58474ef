import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Capacity, CapacityReading } from "../../domain/feed/Capacity.ts"
import type { Administrator, DisplayCaller } from "../../domain/accounts/Caller.ts"
import { readerOf } from "../../domain/accounts/Reader.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { CapacityStore } from "../../ports/feed/CapacityStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { now } from "../shared/now.ts"
import { byCaller } from "../audit/byCaller.ts"

/** Sets and reads how many people premises hold, and publishes how full they are. No entrance is refused for it. */
export class Capacities extends Context.Service<
  Capacities,
  {
    /** Replaces the capacity; none lifts it. For managers. */
    readonly set: (
      administrator: Administrator,
      premises: Premises,
      capacity: Capacity | undefined
    ) => Effect.Effect<CapacityReading, PremisesNotFound | PermissionTooLow | StoreError>
    /** The capacity, the number of people inside and the level now. Any level may read them, and displays of the organization. */
    readonly get: (
      caller: Administrator | DisplayCaller,
      premises: Premises
    ) => Effect.Effect<CapacityReading, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Capacities") {
  static readonly layer: Layer.Layer<Capacities, never, CapacityStore> = Layer.effect(
    Capacities,
    Effect.gen(function* () {
      const store = yield* CapacityStore
      return Capacities.of(
        byCaller({
          set: ({ administratorId }, premises, capacity) =>
            Effect.flatMap(now, (at) => store.set({ premises, administratorId, capacity, now: at })),
          get: (caller, premises) => store.get({ premises, reader: readerOf(caller) })
        })
      )
    })
  )
}
