/** Stores over three cells, for tests. */
import { layerStoresOf } from "@sojourn/adapter-memory"
import { CellNumber, type CellStore, type Stores } from "@sojourn/core"
import { storesOverCells } from "@sojourn/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

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
