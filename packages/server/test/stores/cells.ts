/** Stores over three cells, for tests. */
import { layerStoresOf } from "@sojourn/adapter-memory"
import { layer as layerPostgres } from "@sojourn/adapter-postgres"
import { CellNumber, type CellStore, type Stores } from "@sojourn/core"
import { storesOverCells } from "@sojourn/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { aDatabase } from "./database.ts"

/** The cells of tests: new organizations go to each of them. */
const NUMBERS = [0, 1, 200].map((number) => CellNumber.make(number))

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

/** Three schemas of one database. */
export const layerPostgresCells: Layer.Layer<Stores> = Layer.unwrap(
  Effect.map(aDatabase, (address) =>
    layerOverCells((cell) => layerPostgres(address, { cell, schema: cell === 0 ? undefined : `cell_${cell}` }))
  )
).pipe(Layer.orDie)

/** Three databases. */
export const layerPostgresDatabases: Layer.Layer<Stores> = layerOverCells((cell) =>
  Layer.unwrap(Effect.map(aDatabase, (address) => layerPostgres(address, { cell })))
).pipe(Layer.orDie)

/** The stores of one home cell. */
export const layerPostgresHome = Layer.unwrap(
  Effect.map(aDatabase, (address) => layerPostgres(address, { cell: NUMBERS[0] }))
).pipe(Layer.orDie)
