/** The statements that batch queues run: one execution for many items, with an outcome for each of them. */
import type { StoreError } from "@sojourn/core"
import { Effect, Exit } from "effect"
import type * as SqlError from "effect/sql/SqlError"
import { CurrentJoined, isOfItsRows, isRolledBack, WriteConflict } from "./Database.ts"
import type { Storing } from "./Storing.ts"

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

/** A part of the application's transaction would meet the locks again that the transaction holds. */
const mayRunAgain = Effect.map(CurrentJoined, (joined) => joined === undefined)

/** The outcome of an item that broke a statement of its own. */
export const recoverSingle = <Item, A, E>(
  { recover }: BulkStatement<Item, A, E>,
  item: Item,
  error: SqlError.SqlError
): Effect.Effect<Exit.Exit<never, WriteConflict | SqlError.SqlError>, SqlError.SqlError> =>
  Effect.map(isRolledBack(error) ? mayRunAgain : (recover?.(item, error) ?? Effect.succeed(false)), (isRecovered) =>
    isRecovered ? RUN_AGAIN : Exit.fail(error)
  )

/** The operation of a statement on one item; of items at the same moment, some may share a statement. */
export type Operation<Statement> =
  Statement extends BulkStatement<infer Item, infer A, infer E>
    ? (item: Item) => Effect.Effect<A, E | StoreError>
    : never

/** Runs each item by a statement of its own, that of its writer where it writes. */
export const single =
  <Item, A, E>(
    statement: BulkStatement<Item, A, E>,
    storing: Storing,
    writerOf?: (item: Item) => Parameters<Storing["unaudited"]>[0]
  ) =>
  (item: Item) => {
    // Made anew for each attempt: a statement may have another variant after a write conflict.
    const outcomes: Effect.Effect<
      ReadonlyArray<Exit.Exit<A, E | SqlError.SqlError | WriteConflict>>,
      SqlError.SqlError
    > = Effect.catchIf(
      Effect.suspend(() => statement.run([item])),
      isOfItsRows,
      (error) => Effect.map(recoverSingle(statement, item, error), (outcome) => [outcome])
    )
    const answer = Effect.flatMap(outcomes, ([outcome]) => outcome!)
    return (writerOf === undefined ? storing : storing.unaudited(writerOf(item)))(
      statement.operation,
      answer
    ) as Effect.Effect<A, E | StoreError>
  }

/** Runs items by statements of their own for fibers in a transaction of the application: these share no statement with others. */
export interface Apart<Item, A, E> {
  readonly isApart: Storing["isJoining"]
  readonly run: (item: Item) => Effect.Effect<A, E | StoreError>
}

/** Makes what runs items apart. */
export const apartInTransactions = <Item, A, E>(
  statement: BulkStatement<Item, A, E>,
  storing: Storing,
  writerOf?: (item: Item) => Parameters<Storing["by"]>[0]
): Apart<Item, A, E> => ({ isApart: storing.isJoining, run: single(statement, storing, writerOf) })

/** The same statement, which has equal items done once: those of one name. They share their outcome. */
export const unrepeated = <Item, A, E>(
  { run, ...rest }: BulkStatement<Item, A, E>,
  nameOf: (item: Item) => string
): BulkStatement<Item, A, E> => ({
  ...rest,
  run: (items) => {
    const numbers = new Map<string, number>()
    const distinct: Array<Item> = []
    const numberOf = items.map((item) => {
      const name = nameOf(item)
      const number = numbers.get(name) ?? distinct.length
      if (number === distinct.length) {
        numbers.set(name, number)
        distinct.push(item)
      }
      return number
    })
    return Effect.map(run(distinct), (outcomes) => numberOf.map((number) => outcomes[number]!))
  }
})
