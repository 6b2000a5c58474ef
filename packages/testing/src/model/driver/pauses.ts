import {
  AccountLinkStore,
  AdministratorAccounts,
  CapacityStore,
  DeletionRequestStore,
  FavoriteStore,
  OpenStayStatistics,
  OrganizationStore,
  PermissionStore,
  PersonalDataStore,
  PlaceStore,
  PresenceFeed,
  StayLog,
  StayPolicyStore,
  type Stores
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Random } from "../Random.ts"

type Operation = (...operands: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** A service whose every operation waits for `pause` before and after. */
const pausing = <S extends object>(service: S, pause: Effect.Effect<void>): S => {
  const around = (operation: Effect.Effect<unknown, unknown>) =>
    Effect.andThen(
      pause,
      Effect.onExit(operation, () => pause)
    )
  return Object.fromEntries(
    Object.entries(service).map(([name, member]) => [
      name,
      typeof member === "function"
        ? (...operands: ReadonlyArray<unknown>) => around((member as Operation)(...operands))
        : around(member)
    ])
  ) as S
}

/**
 * The stores with pauses of any length around each operation while `isContended`, so that requests at one moment come
 * between each other's operations, in an order that the seed decides. Stores in memory never pause by themselves.
 */
export const layerPauses = (seed: number, isContended: () => boolean): Layer.Layer<Stores, never, Stores> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const random = new Random(seed)
      const pause = Effect.suspend(() =>
        isContended()
          ? Effect.forEach(Array.from({ length: random.below(4) }), () => Effect.yieldNow, { discard: true })
          : Effect.void
      )
      return Context.empty().pipe(
        Context.add(AccountLinkStore, pausing(yield* AccountLinkStore, pause)),
        Context.add(AdministratorAccounts, pausing(yield* AdministratorAccounts, pause)),
        Context.add(CapacityStore, pausing(yield* CapacityStore, pause)),
        Context.add(DeletionRequestStore, pausing(yield* DeletionRequestStore, pause)),
        Context.add(FavoriteStore, pausing(yield* FavoriteStore, pause)),
        Context.add(OpenStayStatistics, pausing(yield* OpenStayStatistics, pause)),
        Context.add(OrganizationStore, pausing(yield* OrganizationStore, pause)),
        Context.add(PermissionStore, pausing(yield* PermissionStore, pause)),
        Context.add(PersonalDataStore, pausing(yield* PersonalDataStore, pause)),
        Context.add(PlaceStore, pausing(yield* PlaceStore, pause)),
        Context.add(PresenceFeed, yield* PresenceFeed),
        Context.add(StayLog, pausing(yield* StayLog, pause)),
        Context.add(StayPolicyStore, pausing(yield* StayPolicyStore, pause))
      )
    })
  )
