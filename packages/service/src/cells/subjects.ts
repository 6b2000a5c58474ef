/** Which cells may have something of an administrator or a user, by the home cell: others are not asked, and may be away. */
import { type CellNumber, CellStore, type CellSubject, StoreError } from "@sojourn/core"
import { Effect } from "effect"
import type { Cells, OfCells } from "./Cells.ts"

/** The store of a cell by its number, which the home cell named. */
export const storeOf = <S>(cells: Cells, stores: OfCells<S>, number: CellNumber): Effect.Effect<S, StoreError> => {
  const store = stores.all[cells.all.findIndex((cell) => cell.number === number)]
  // Servers that were started before the cell was added.
  return store === undefined
    ? Effect.fail(new StoreError({ operation: "find a cell", cause: `this server does not know cell ${number}` }))
    : Effect.succeed(store)
}

/** The stores that may have something of a subject, of which the first is the home cell's. */
export const storesOfSubject = <S>(cells: Cells, stores: OfCells<S>, subject: CellSubject) =>
  Effect.gen(function* () {
    const numbers = yield* cells.ports(CellStore).home.listCells(subject)
    const others = yield* Effect.forEach(numbers, (number) => storeOf(cells, stores, number))
    return [stores.home, ...others] as const
  })
