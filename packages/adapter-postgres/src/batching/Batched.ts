import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type * as SqlError from "effect/sql/SqlError"
import { isOfItsRows, isRolledBack, WriteConflict } from "../database/Database.ts"

/** The outcome of each item. An item with a write conflict runs again, in another batch. */
export type Outcomes<A, E> = ReadonlyArray<Exit.Exit<A, E | WriteConflict>>

/** A statement that does for many items at once what it would do for each. */
export interface Batched<Item, A, E> {
  /** The name of the operation in logs and traces. */
  readonly operation: string
  /** The outcomes of the items, in their order. It fails when nothing was done for any item, or when that is unknown. */
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<Outcomes<A, E>, SqlError.SqlError>
  /** The longest time that the database works on an item with this answer, in milliseconds; 0.03 when left out. */
  readonly work?: (item: Item, answer: A) => number
  /** Removes the cause of an error of an item that ran in a statement of its own. True: it was removed, and the item runs again. */
  readonly recover?: (item: Item, error: SqlError.SqlError) => Effect.Effect<boolean, SqlError.SqlError>
}

const RUN_AGAIN = Exit.fail(new WriteConflict())

type Exits<A, E> = ReadonlyArray<Exit.Exit<A, E | WriteConflict | SqlError.SqlError>>

/**
 * Runs a batch as one statement, and bisects it where rows of it break the statement. Nothing of a broken statement was
 * written: items that break it fail by themselves, and the others are done without them. Once a part fails for another reason,
 * such as a lost connection, the parts after it are not tried and fail with the same error; those before it keep their outcomes.
 */
export const runBatch = <Item, A, E>(
  batched: Batched<Item, A, E>,
  items: ReadonlyArray<Item>
): Effect.Effect<Exits<A, E>, SqlError.SqlError> => runOr(batched, items, () => runParts(batched, halves(items)))

const halves = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> => {
  const middle = items.length >> 1
  return [items.slice(0, middle), items.slice(middle)]
}

/** Runs items as one statement; where several of them break it, continues with `split`. */
const runOr = <Item, A, E>(
  batched: Batched<Item, A, E>,
  items: ReadonlyArray<Item>,
  split: () => Effect.Effect<Exits<A, E>, SqlError.SqlError>
): Effect.Effect<Exits<A, E>, SqlError.SqlError> =>
  Effect.catchIf(batched.run(items), isOfItsRows, (error) => {
    const [first, ...others] = items
    return first !== undefined && others.length === 0
      ? Effect.map(recoverSingle(batched, first, error), (exit) => [exit])
      : split()
  })

const runParts = Effect.fnUntraced(function* <Item, A, E>(
  batched: Batched<Item, A, E>,
  parts: ReadonlyArray<ReadonlyArray<Item>>
): Effect.fn.Return<Exits<A, E>> {
  const exits: Array<Exits<A, E>[number]> = []
  const remaining = [...parts]
  for (let part = remaining.shift(); part !== undefined; part = remaining.shift()) {
    const items = part
    const ran = yield* Effect.result(
      runOr(batched, items, () => {
        remaining.unshift(...halves(items))
        return Effect.succeed([])
      })
    )
    if (Result.isSuccess(ran)) exits.push(...ran.success)
    else return [...exits, ...[items, ...remaining].flat().map(() => Exit.fail(ran.failure))]
  }
  return exits
})

/** The outcome of an item that broke a statement of its own. */
const recoverSingle = <Item, A, E>(batched: Batched<Item, A, E>, item: Item, error: SqlError.SqlError) =>
  Effect.map(
    isRolledBack(error) ? Effect.succeed(true) : (batched.recover?.(item, error) ?? Effect.succeed(false)),
    (isRecovered): Exit.Exit<never, WriteConflict | SqlError.SqlError> => (isRecovered ? RUN_AGAIN : Exit.fail(error))
  )
