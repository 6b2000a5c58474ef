/** The identity of a storage over cells: that of the home cell. */
import { CellStore, StorageIdentity } from "@sojourn/core"
import { Effect } from "effect"
import { ask, type Cells } from "./Cells.ts"

export const makeStorageIdentity = (cells: Cells): StorageIdentity["Service"] => {
  const { home, others } = cells.ports(StorageIdentity)
  const followers = cells.ports(CellStore).others
  return {
    read: home.read.pipe(
      // A cell that is away takes it when a server reads it next.
      Effect.tap((storage) => Effect.forkDetach(ask(followers, (cell) => Effect.ignore(cell.takeIdentity(storage))))),
      Effect.catch((failure) => Effect.firstSuccessOf([...others.map(({ read }) => read), Effect.fail(failure)]))
    )
  }
}
