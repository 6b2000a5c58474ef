/** The storage over cells: one complete storage for each, and one decorator over them. */
import { ApplicationClients, type DatabaseAddress, type DatabaseOptions } from "@sojourn/adapter-postgres"
import { BackgroundStores, type CellNumber, IsInTransaction } from "@sojourn/core"
import { Context, Effect, Layer, Metric } from "effect"
import { storesOverCells } from "../cells/layer.ts"
import { StartupError } from "../shared/StartupError.ts"
import { layerPostgres } from "./postgres.ts"
import { type LayerStorage, Storage, type StorageOptions } from "./Storage.ts"

/** A cell: a schema in a database, and how many new organizations it gets in proportion to the others; none with 0. */
export interface CellLocation extends DatabaseOptions {
  readonly number: CellNumber
  readonly weight: number
  readonly address: DatabaseAddress
}

/**
 * Every store over cells in PostgreSQL, of which the first is the home cell. Background work runs on each cell by itself. The storage is ready
 * while any cell answers: what the others hold is refused with `StoreError` until they are back. Each cell needs three connections at least: one
 * listens for events, and one of the home cell holds the lock of changes over cells while others write.
 */
export const layerCells = (
  [home, ...others]: readonly [CellLocation, ...ReadonlyArray<CellLocation>],
  options: Omit<StorageOptions, "cell" | keyof DatabaseOptions> & Pick<DatabaseOptions, "maxConnections">
): LayerStorage =>
  Layer.effectContext(
    Effect.gen(function* () {
      const clients = [home, ...others].flatMap(({ address }) =>
        "client" in address ? [{ client: address.client, refusal: "the organizations are in cells" }] : []
      )
      const build = Effect.fnUntraced(function* ({ number, weight, address, ...location }: CellLocation) {
        const layer = Layer.fresh(layerPostgres(address, { ...options, ...location, cell: number })).pipe(
          Layer.provide(Layer.succeed(ApplicationClients, clients))
        )
        const stores = yield* Effect.mapError(
          Effect.provideService(Layer.build(layer), Metric.CurrentMetricAttributes, { cell: String(number) }),
          ({ message }) => new StartupError({ message: `cell ${number}: ${message}` })
        )
        return { number, weight, stores }
      })
      const first = yield* build(home)
      const rest = yield* Effect.forEach(others, build, { concurrency: "unbounded" })
      const all = [first, ...rest] as const
      const { countRateLimitServers } = Context.get(first.stores, Storage)
      const isAnyReady = Effect.map(
        Effect.forEach(all, ({ stores }) => Context.get(stores, Storage).isReady),
        (ready) => ready.includes(true)
      )
      return storesOverCells(all).pipe(
        Context.add(IsInTransaction, Context.get(first.stores, IsInTransaction)),
        Context.add(BackgroundStores, new Map(all.map(({ number, stores }) => [number, stores] as const))),
        Context.add(Storage, { isReady: isAnyReady, isForgetful: false, countRateLimitServers })
      )
    })
  )
