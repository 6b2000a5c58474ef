/** Two servers on one database as one adapter, for the model. */
import { layer as layerPostgres } from "@sojourn/adapter-postgres"
import type { Stores } from "@sojourn/core"
import { Random } from "@sojourn/testing"
import { Context, Effect, Layer } from "effect"
import { aDatabase } from "./database.ts"

type Service = Readonly<Record<string, unknown>>

/** A service whose every operation is one of either of two. Whatever is no operation is the first one's. */
const either = (random: Random, one: Service, other: Service): Service => {
  const pick = () => (random.chance(0.5) ? one : other)
  return Object.fromEntries(
    Object.entries(one).map(([name, member]) => [
      name,
      typeof member === "function"
        ? (...operands: ReadonlyArray<unknown>) =>
            Effect.suspend(() =>
              (pick()[name] as (...operands: ReadonlyArray<unknown>) => Effect.Effect<unknown>)(...operands)
            )
        : Effect.isEffect(member)
          ? Effect.suspend(() => pick()[name] as Effect.Effect<unknown>)
          : member
    ])
  )
}

/** The stores of two servers on one new database: which of them does an operation is random. */
export const twoServers = (seed: number): Layer.Layer<Stores> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const address = yield* aDatabase
      const random = new Random(seed)
      const build = Layer.build(Layer.fresh(layerPostgres(address)))
      const [one, other] = [yield* build, yield* build]
      const services = [...one.mapUnsafe].map(
        // What is an effect itself is no store.
        ([key, service]) =>
          [
            key,
            Effect.isEffect(service) ? service : either(random, service as Service, other.mapUnsafe.get(key) as Service)
          ] as const
      )
      return Context.makeUnsafe<Stores>(new Map(services))
    })
  ).pipe(Layer.orDie)
