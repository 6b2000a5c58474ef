/** What cells need of stores in memory. */
import { type CellNumber, type CellStore, type CellSubject, subjectId } from "@sojourn/core"
import { Effect, Option, Result, Semaphore } from "effect"
import { changeAccounts } from "../accounts/accountChanges.ts"
import { recording } from "../state/atomically.ts"
import { findAccounts, type State } from "../state/State.ts"

const keyOf = (subject: CellSubject) => `${subject._tag} ${subjectId(subject)}`

export const makeCellStore = (state: State): CellStore["Service"] => {
  const { cellByName, cellsBySubject } = state
  return {
    findAccounts: (name) => Effect.sync(() => findAccounts(state, name)),
    listAccounts: (ids) => Effect.sync(() => ids.flatMap((id) => state.accounts.get(id) ?? [])),
    changeAccounts: (change, acts = []) =>
      recording(state, function* () {
        return { value: yield* Result.succeed(changeAccounts(state, change)), acts }
      }),
    findName: (name) => Effect.sync(() => Option.fromUndefinedOr(cellByName.get(name))),
    putName: (name, cell) => Effect.sync(() => void cellByName.set(name, cell)),
    removeName: (name) => Effect.sync(() => void cellByName.delete(name)),
    countNames: Effect.sync(() => {
      const counts = new Map<CellNumber, number>()
      for (const cell of cellByName.values()) counts.set(cell, (counts.get(cell) ?? 0) + 1)
      return counts
    }),
    listCells: (subject) => Effect.sync(() => [...(cellsBySubject.get(keyOf(subject)) ?? [])]),
    addCell: (subject, cell) =>
      Effect.sync(() => {
        const key = keyOf(subject)
        cellsBySubject.set(key, (cellsBySubject.get(key) ?? new Set<CellNumber>()).add(cell))
      }),
    removeSubject: (subject) => Effect.sync(() => void cellsBySubject.delete(keyOf(subject))),
    takeIdentity: (storageId) => Effect.sync(() => void (state.identity = storageId)),
    locked: Semaphore.makeUnsafe(1).withPermit
  }
}
