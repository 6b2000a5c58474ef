/** Stores over three cells, for tests. */
import { layerStoresOf } from "@sojourn/adapter-memory"
import { layer as layerPostgres } from "@sojourn/adapter-postgres"
import { CellNumber, type CellStore, type Stores } from "@sojourn/core"
import { layerCells, storesOverCells } from "@sojourn/service"
import { Effect, Layer } from "effect"
import { aDatabase } from "./database.ts"

/** The cells of tests: new organizations go to each of them. */
export const NUMBERS = [0, 1, 200].map((number) => CellNumber.make(number))

/** Stores over cells that are made one by one. */
export const layerOverCells = <E>(
  layerOf: (cell: CellNumber) => Layer.Layer<Stores | CellStore, E>
): Layer.Layer<Stores, E> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const cells = yield* Effect.forEach(NUMBERS, (number) =>
        Effect.map(Layer.build(Layer.fresh(layerOf(number))), (stores) => ({ number, weight: 1, stores }))
      )
      const [home, ...others] = cells
      return storesOverCells([home!, ...others])
    })
  )

export const layerMemoryCells = layerOverCells(layerStoresOf)

/** The storage of a server over cells: two schemas of one database, and another database. */
export const layerServerCells: Layer.Layer<Stores> = Layer.unwrap(
  Effect.gen(function* () {
    const [address, other] = [yield* aDatabase, yield* aDatabase]
    const [home, beside, elsewhere] = NUMBERS.map((number) => ({ number, weight: 1, maxConnections: 4 }))
    const cells = [
      { ...home!, address },
      { ...beside!, address, schema: "sojourn_cell_1" },
      { ...elsewhere!, address: other }
    ] as const
    return layerCells(cells, { keys: [], migrate: true })
  })
).pipe(Layer.orDie)

/** The stores of one home cell. */
export const layerPostgresHome = Layer.unwrap(
  Effect.map(aDatabase, (address) => layerPostgres(address, { cell: NUMBERS[0] }))
).pipe(Layer.orDie)
