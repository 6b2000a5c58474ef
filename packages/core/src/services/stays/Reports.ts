import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator } from "../../domain/accounts/Caller.ts"
import { requireWindow, type TimeWindow, type TimeWindowInvalid } from "../../domain/shared/TimeWindow.ts"
import type { PlaceId } from "../../domain/shared/Ids.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import { type PersonTime, type TimePerUser, wholeSeconds } from "../../domain/stays/Report.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { PlacePremises, type Premises } from "../../domain/shared/Premises.ts"
import type { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { AuditLog } from "../../ports/audit/AuditLog.ts"
import { StayLog } from "../../ports/stays/StayLog.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { Readings } from "../audit/Readings.ts"

/** Sums up how people spend their time (spec: stays#report). */
export class Reports extends Context.Service<
  Reports,
  {
    /** The total time per person inside a place, ordered by person. Any level may read it; anonymous stays are left out. */
    readonly timePerUser: (
      administrator: Administrator,
      placeId: PlaceId
    ) => Effect.Effect<ReadonlyArray<TimePerUser>, PremisesNotFound | PermissionTooLow | StoreError>
    /** The time per person inside the premises and a window, ordered by person. People without any are left out. */
    readonly timePerUserInside: (
      administrator: Administrator,
      premises: Premises,
      window: TimeWindow
    ) => Effect.Effect<ReadonlyArray<PersonTime>, TimeWindowInvalid | PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Reports") {
  static readonly layer: Layer.Layer<Reports, never, StayLog | AuditLog | PermissionStore> = Layer.effect(
    Reports,
    Effect.gen(function* () {
      const stays = yield* StayLog
      const readings = yield* Readings
      return Reports.of({
        timePerUser: Effect.fnUntraced(function* (administrator, placeId) {
          const times = yield* stays.timePerPerson(administrator.administratorId, placeId)
          yield* readings.record(administrator, { premises: PlacePremises(placeId), count: times.length })
          return times.map(({ orgAuthServerId, milliseconds }) => ({
            placeId,
            orgAuthServerId,
            totalTime: wholeSeconds(milliseconds)
          }))
        }),

        timePerUserInside: Effect.fnUntraced(function* (administrator, premises, window) {
          yield* Effect.fromResult(requireWindow(window))
          const times = yield* stays.timePerPersonInside(administrator.administratorId, premises, window)
          yield* readings.record(administrator, { premises, count: times.length })
          return times.map(({ orgAuthServerId, milliseconds }) => ({
            orgAuthServerId,
            totalTime: wholeSeconds(milliseconds)
          }))
        })
      })
    })
  ).pipe(Layer.provide(Readings.layer))
}
