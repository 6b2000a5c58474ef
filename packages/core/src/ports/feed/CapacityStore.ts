import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { Capacity, CapacityReading } from "../../domain/feed/Capacity.ts"
import type { AdministratorId } from "../../domain/shared/Ids.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/**
 * The capacities of organizations and places. They end with their premises.
 *
 * - `set` decides on the administrator's level, and writes, as one step. It publishes what is recorded of the premises first if that is
 *   due, so that the level is that of all people inside, and changes the capacity by the rule `setCapacity`. It answers as `get`.
 * - `get` answers administrators whom `requireLevel` admits as viewers. `inside` counts every movement that was answered before, and `level` is by
 *   `nextLevel` of it.
 */
export class CapacityStore extends Context.Service<
  CapacityStore,
  {
    readonly set: <E>(change: {
      readonly premises: Premises
      readonly administratorId: AdministratorId
      /** None lifts the capacity. */
      readonly capacity: Capacity | undefined
      readonly now: Timestamp
      readonly decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
    }) => Effect.Effect<CapacityReading, E | PremisesNotFound | StoreError>
    readonly get: <E>(reading: {
      readonly premises: Premises
      readonly administratorId: AdministratorId
      readonly decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
    }) => Effect.Effect<CapacityReading, E | PremisesNotFound | StoreError>
  }
>()("@sojourn/core/CapacityStore") {}
