/** The use cases of counting: devices send readings, and managers correct what was counted. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator, DeviceCaller } from "../../domain/accounts/Caller.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Reading, ReadingRefusal } from "../../domain/devices/Counting.ts"
import type { DeviceNotFound } from "../../domain/devices/Device.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { CountStore, type CountedPeople } from "../../ports/devices/CountStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { now } from "../shared/now.ts"
import { byCaller } from "../audit/byCaller.ts"

/** Counts people by the readings of devices (spec: devices#counting). */
export class Counting extends Context.Service<
  Counting,
  {
    /** Counts the readings, all or none, and answers how many changed anything. */
    readonly count: (
      device: DeviceCaller,
      readings: ReadonlyArray<Reading>
    ) => Effect.Effect<number, DeviceNotFound | ReadingRefusal | StoreError>
    /** How many people are counted inside. For administrators of any level. */
    readonly get: (
      administrator: Administrator,
      premises: Premises
    ) => Effect.Effect<CountedPeople, PremisesNotFound | PermissionTooLow | StoreError>
    /** Corrects how many people are counted inside. For managers. */
    readonly correct: (
      administrator: Administrator,
      premises: Premises,
      counted: number
    ) => Effect.Effect<CountedPeople, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Counting") {
  static readonly layer: Layer.Layer<Counting, never, CountStore> = Layer.effect(
    Counting,
    Effect.gen(function* () {
      const store = yield* CountStore
      return Counting.of(
        byCaller({
          count: ({ deviceId }, readings) => Effect.flatMap(now, (at) => store.count({ deviceId, readings, now: at })),
          get: ({ administratorId }, premises) => store.get({ premises, administratorId }),
          correct: ({ administratorId }, premises, counted) =>
            Effect.flatMap(now, (at) => store.set({ premises, administratorId, counted, now: at }))
        })
      )
    })
  )
}
