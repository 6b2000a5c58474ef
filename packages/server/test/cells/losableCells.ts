/** Stores over three cells in memory that a test can lose one by one: the ports of a lost cell fail, or do not answer before it is back. */
import { layerStoresOf } from "@sojourn/adapter-memory"
import { BackgroundStores, type CellNumber, type CellStore, StoreError, type Stores } from "@sojourn/core"
import { Context, Deferred, Effect, Layer, Stream } from "effect"
import { layerOverCells } from "../stores/cells.ts"

/** What becomes of calls to a lost cell. */
export type Loss = "fails" | "does not answer"

interface LosableCell {
  /** The stores as they are, which another server reaches all the time. */
  readonly stores: Context.Context<Stores | CellStore>
  loss: Loss | undefined
  back: Deferred.Deferred<void>
  /** Added to the generation of the feeds. */
  restored: string
}

/** A port that is as its cell is. */
const losablePort = (cell: LosableCell, port: Record<string, unknown>): object => {
  const whileThere = <A, E, R>(effect: () => Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | StoreError, R> => {
      if (cell.loss === undefined) return effect()
      if (cell.loss === "fails") return Effect.fail(new StoreError({ operation: "reach the cell", cause: "lost" }))
      return Effect.andThen(Deferred.await(cell.back), Effect.suspend(effect))
    })
  const losable = ([name, part]: [string, unknown]): [string, unknown] => {
    // It asks this process alone.
    if (name === "appended") return [name, part]
    if (name === "generation") {
      const generation = part as Effect.Effect<string>
      return [name, whileThere(() => Effect.map(generation, (text) => text + cell.restored))]
    }
    if (Effect.isEffect(part)) return [name, whileThere(() => part)]
    if (Stream.isStream(part)) return [name, Stream.unwrap(whileThere(() => Effect.succeed(part)))]
    const call = part as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>
    return [name, (...args: ReadonlyArray<unknown>) => whileThere(() => call(...args))]
  }
  return Object.fromEntries(Object.entries(port).map(losable))
}

/** Makes the stores over three new cells, and what a test does to the cells. */
export const makeLosableCells = () => {
  const cells = new Map<CellNumber, LosableCell>()
  const losable = new Map<CellNumber, Context.Context<Stores>>()
  const layerOf = (number: CellNumber): Layer.Layer<Stores | CellStore> =>
    Layer.effectContext(
      Effect.map(Layer.build(layerStoresOf(number)), (stores) => {
        const cell: LosableCell = { stores, loss: undefined, back: Deferred.makeUnsafe(), restored: "" }
        cells.set(number, cell)
        const ports = Array.from(stores.mapUnsafe, ([key, port]) => [key, losablePort(cell, port)] as const)
        const context = Context.makeUnsafe<Stores | CellStore>(new Map(ports))
        losable.set(number, context)
        return context
      })
    )
  const cellOf = (number: number) => cells.get(number as CellNumber)!
  return {
    layer: layerOverCells(layerOf).pipe(Layer.provideMerge(Layer.succeed(BackgroundStores, losable))),
    storesOf: (number: number) => cellOf(number).stores,
    lose: (number: number, loss: Loss) => {
      Object.assign(cellOf(number), { loss, back: Deferred.makeUnsafe() })
    },
    /** Has a cell be there again with all that was written meanwhile. */
    regain: async (number: number) => {
      const cell = cellOf(number)
      cell.loss = undefined
      await Effect.runPromise(Deferred.succeed(cell.back, undefined))
    },
    /** Gives the feeds of a cell a new generation, as a restore of its backup does. */
    restore: (number: number) => void (cellOf(number).restored += "+")
  }
}
