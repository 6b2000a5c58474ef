import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Capacity, CapacityReading } from "../../domain/feed/Capacity.ts"
import type { AdministratorId } from "../../domain/shared/Ids.ts"
import type { Reader } from "../../domain/accounts/Reader.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** The capacities of organizations and places (spec: feed#capacities). They end with their premises. */
export class CapacityStore extends Context.Service<
  CapacityStore,
  {
    /**
     * For managers: sets or lifts the capacity by the rule `setCapacity`, as one step.
     * It publishes first what is recorded of the premises and due, so that the level counts all people inside. It answers as
     * `get`.
     * Racing settings follow each other, and each movement counts once. One that races with the end of its place comes before
     * it, or finds no place.
     * Laws: `feed/CapacityStore.ts` "concurrent settings of a capacity follow each other, and the last one is kept",
     * "concurrent settings of a capacity and movements count each movement once", "setting a capacity that races with the end
     * of its place comes before it, or finds no place".
     */
    readonly set: (change: {
      readonly premises: Premises
      readonly administratorId: AdministratorId
      /** None lifts the capacity. */
      readonly capacity: Capacity | undefined
      readonly now: Timestamp
    }) => Effect.Effect<CapacityReading, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * For viewers and displays: reads the capacity.
     * `inside` counts every movement that was answered before, and `level` is by `nextLevel` of it.
     * Law: `feed/CapacityStore.ts` "managers of ... set its capacity, viewers and displays read it, and a refusal changes nothing".
     */
    readonly get: (reading: {
      readonly premises: Premises
      readonly reader: Reader
    }) => Effect.Effect<CapacityReading, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/CapacityStore") {}
