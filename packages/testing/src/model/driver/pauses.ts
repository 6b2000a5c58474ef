import {
  AccountLinkStore,
  AdministratorAccounts,
  CapacityStore,
  DeletionRequestStore,
  FavoriteStore,
  HistoryStore,
  MusterStore,
  OpenStayStatistics,
  OrganizationStore,
  PermissionStore,
  PersonalDataStore,
  PlaceStore,
  PresenceFeed,
  StayLog,
  StayPolicyStore,
  type Stores,
  WebhookStore
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Random } from "../Random.ts"

type Operation = (...operands: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/**
 * Makes services whose every operation has pauses of any length around it while `isContended`, so that requests at one moment come
 * between each other's operations, in an order that the seed decides. Stores in memory never pause by themselves.
 */
export const makePausing = (seed: number, isContended: () => boolean) => {
  const random = new Random(seed)
  const pause = Effect.suspend(() =>
    isContended()
      ? Effect.forEach(Array.from({ length: random.below(4) }), () => Effect.yieldNow, { discard: true })
      : Effect.void
  )
  const around = (operation: Effect.Effect<unknown, unknown>) =>
    Effect.andThen(
      pause,
      Effect.onExit(operation, () => pause)
    )
  return <S extends object>(service: S): S =>
    Object.fromEntries(
      Object.entries(service).map(([name, member]) => [
        name,
        typeof member === "function"
          ? (...operands: ReadonlyArray<unknown>) => around((member as Operation)(...operands))
          : Effect.isEffect(member)
            ? around(member as Effect.Effect<unknown, unknown>)
            : member
      ])
    ) as S
}

/** A feed whose use cases publish nothing by themselves: a driver publishes when a command says so. */
export const withoutPublishing = (feed: PresenceFeed["Service"]): PresenceFeed["Service"] => ({
  ...feed,
  publish: () => Effect.succeed({ organizations: [], nextAt: Option.none() }),
  appended: Effect.never
})

/** The stores of the use cases, with pauses, and a feed to which they publish nothing. */
export const layerPauses = (pausing: ReturnType<typeof makePausing>): Layer.Layer<Stores, never, Stores> =>
  Layer.effectContext(
    Effect.gen(function* () {
      return Context.empty().pipe(
        Context.add(AccountLinkStore, pausing(yield* AccountLinkStore)),
        Context.add(AdministratorAccounts, pausing(yield* AdministratorAccounts)),
        Context.add(CapacityStore, pausing(yield* CapacityStore)),
        Context.add(DeletionRequestStore, pausing(yield* DeletionRequestStore)),
        Context.add(FavoriteStore, pausing(yield* FavoriteStore)),
        Context.add(HistoryStore, pausing(yield* HistoryStore)),
        Context.add(MusterStore, pausing(yield* MusterStore)),
        Context.add(OpenStayStatistics, pausing(yield* OpenStayStatistics)),
        Context.add(OrganizationStore, pausing(yield* OrganizationStore)),
        Context.add(PermissionStore, pausing(yield* PermissionStore)),
        Context.add(PersonalDataStore, pausing(yield* PersonalDataStore)),
        Context.add(PlaceStore, pausing(yield* PlaceStore)),
        Context.add(PresenceFeed, withoutPublishing(yield* PresenceFeed)),
        Context.add(StayLog, pausing(yield* StayLog)),
        Context.add(StayPolicyStore, pausing(yield* StayPolicyStore)),
        Context.add(WebhookStore, pausing(yield* WebhookStore))
      )
    })
  )
