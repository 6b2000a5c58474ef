import { PresenceFeed, type Stores } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
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
export const withPauses = (
  stores: Context.Context<Stores>,
  pausing: ReturnType<typeof makePausing>
): Context.Context<Stores> => {
  const paused = [...stores.mapUnsafe].map(([key, store]) => [key, pausing(store as object)] as const)
  const feed = withoutPublishing(Context.get(stores, PresenceFeed))
  return Context.add(Context.makeUnsafe<Stores>(new Map(paused)), PresenceFeed, feed)
}
