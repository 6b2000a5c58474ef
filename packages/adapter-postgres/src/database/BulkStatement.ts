import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as SqlError from "effect/sql/SqlError"
import { isRolledBack, WriteConflict } from "./Database.ts"

/** The outcome of each item. An item with a write conflict has to run again. */
export type Outcomes<A, E> = ReadonlyArray<Exit.Exit<A, E | WriteConflict>>

/** A statement that does for many items at once what it does for one. */
export interface BulkStatement<Item, A, E> {
  /** The name of the operation in logs and traces. */
  readonly operation: string
  /** The outcomes of the items, in their order. It fails when nothing was done for any item, or when that is unknown. */
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<Outcomes<A, E>, SqlError.SqlError>
  /** Removes the cause of an error of an item that ran in a statement of its own. True: it was removed, and the item runs again. */
  readonly recover?: (item: Item, error: SqlError.SqlError) => Effect.Effect<boolean, SqlError.SqlError>
}

const RUN_AGAIN = Exit.fail(new WriteConflict())

/** The outcome of an item that broke a statement of its own. */
export const recoverSingle = <Item, A, E>(
  { recover }: BulkStatement<Item, A, E>,
  item: Item,
  error: SqlError.SqlError
): Effect.Effect<Exit.Exit<never, WriteConflict | SqlError.SqlError>, SqlError.SqlError> =>
  Effect.map(
    isRolledBack(error) ? Effect.succeed(true) : (recover?.(item, error) ?? Effect.succeed(false)),
    (isRecovered) => (isRecovered ? RUN_AGAIN : Exit.fail(error))
  )
