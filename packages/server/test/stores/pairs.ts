/** The stores and use cases of two servers on one storage. */
import { layerDirectories, layerStores as layerMemory } from "@sojourn/adapter-memory"
import { layer as layerPostgres } from "@sojourn/adapter-postgres"
import { layerServices, type layerSecretKeysEphemeral, type Stores } from "@sojourn/core"
import { type Context, Effect, Layer, type Scope } from "effect"
import { aDatabase } from "./database.ts"

export type Pair = readonly [Context.Context<Stores>, Context.Context<Stores>]

/** One storage as two servers have it: the same memory, or one database with a client of each. */
export const PAIRS: Readonly<Record<string, Effect.Effect<Pair, unknown, Scope.Scope>>> = {
  memory: Effect.map(Layer.build(Layer.fresh(layerMemory)), (stores): Pair => [stores, stores]),
  postgres: Effect.gen(function* (): Effect.fn.Return<Pair, unknown, Scope.Scope> {
    const address = yield* aDatabase
    const build = () => Layer.build(Layer.fresh(layerPostgres(address)))
    return [yield* build(), yield* build()]
  })
}

/** The use cases of a server on some stores. */
export const serverOn = (
  stores: Context.Context<Stores>,
  tokens: Context.Context<Layer.Success<typeof layerSecretKeysEphemeral>>
) =>
  Layer.build(
    Layer.fresh(layerServices).pipe(
      Layer.provide([Layer.succeedContext(stores), Layer.succeedContext(tokens), layerDirectories(new Map())])
    )
  )
