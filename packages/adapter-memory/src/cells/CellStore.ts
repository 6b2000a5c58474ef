/** What cells need of stores in memory. */
import type { CellNumber, CellStore } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { changeAccounts } from "../accounts/accountChanges.ts"
import { findAccounts, type State } from "../state/State.ts"

export const makeCellStore = (state: State): CellStore["Service"] => {
  const { cellByName } = state
  return {
    findAccounts: (name) => Effect.sync(() => findAccounts(state, name)),
    listAccounts: (ids) => Effect.sync(() => ids.flatMap((id) => state.accounts.get(id) ?? [])),
    changeAccounts: (change) => Effect.sync(() => changeAccounts(state, change)),
    findName: (name) => Effect.sync(() => Option.fromUndefinedOr(cellByName.get(name))),
    putName: (name, cell) => Effect.sync(() => void cellByName.set(name, cell)),
    removeName: (name) => Effect.sync(() => void cellByName.delete(name)),
    countNames: Effect.sync(() => {
      const counts = new Map<CellNumber, number>()
      for (const cell of cellByName.values()) counts.set(cell, (counts.get(cell) ?? 0) + 1)
      return counts
    }),
    locked: Semaphore.makeUnsafe(1).withPermit
  }
}
