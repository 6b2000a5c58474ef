import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type * as SqlError from "effect/sql/SqlError"
import { isOfItsRows, isRolledBack, Overtaken } from "../database/Database.ts"

/** What came of each item. Who was overtaken runs again, with another batch. */
export type Outcomes<A, E> = ReadonlyArray<Exit.Exit<A, E | Overtaken>>

/** A statement that does for many at once what it would do for each. */
export interface Batched<Item, A, E> {
  /** What it does, as an operator reads it. */
  readonly operation: string
  /** What came of each item, in their order. It fails when nothing was done for any, or nobody knows. */
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<Outcomes<A, E>, SqlError.SqlError>
  /** How long the database works at most on an item that is answered so, in milliseconds; 0.03 when left out. */
  readonly work?: (item: Item, answer: A) => number
  /** Can what went wrong with an item that ran alone be put right? Then it was, and the item runs again. */
  readonly mend?: (item: Item, error: SqlError.SqlError) => Effect.Effect<boolean, SqlError.SqlError>
}

const AGAIN = Exit.fail(new Overtaken())

type Exits<A, E> = ReadonlyArray<Exit.Exit<A, E | Overtaken | SqlError.SqlError>>

/**
 * Runs a batch. Where some of its items break it, nothing of it was written: it is split until they stand by themselves,
 * and the others are done without them. Once a part fails for another reason, as when the connection is lost, the parts
 * after it are not tried, and fail as it did; those before it are done, and keep their outcomes.
 */
export const runBatch = <Item, A, E>(
  batched: Batched<Item, A, E>,
  items: ReadonlyArray<Item>
): Effect.Effect<Exits<A, E>, SqlError.SqlError> => runOr(batched, items, () => runParts(batched, halves(items)))

const halves = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> => {
  const middle = items.length >> 1
  return [items.slice(0, middle), items.slice(middle)]
}

/** Runs items as one statement; several that break it go on as `split` says. */
const runOr = <Item, A, E>(
  batched: Batched<Item, A, E>,
  items: ReadonlyArray<Item>,
  split: () => Effect.Effect<Exits<A, E>, SqlError.SqlError>
): Effect.Effect<Exits<A, E>, SqlError.SqlError> =>
  Effect.catchIf(batched.run(items), isOfItsRows, (error) => {
    const [first, ...others] = items
    return first !== undefined && others.length === 0
      ? Effect.map(alone(batched, first, error), (exit) => [exit])
      : split()
  })

const runParts = Effect.fnUntraced(function* <Item, A, E>(
  batched: Batched<Item, A, E>,
  parts: ReadonlyArray<ReadonlyArray<Item>>
): Effect.fn.Return<Exits<A, E>> {
  const exits: Array<Exits<A, E>[number]> = []
  const waiting = [...parts]
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const items = part
    const ran = yield* Effect.result(
      runOr(batched, items, () => {
        waiting.unshift(...halves(items))
        return Effect.succeed([])
      })
    )
    if (Result.isSuccess(ran)) exits.push(...ran.success)
    else return [...exits, ...[items, ...waiting].flat().map(() => Exit.fail(ran.failure))]
  }
  return exits
})

/** What becomes of an item that broke its statement with nobody else in it. */
const alone = <Item, A, E>(batched: Batched<Item, A, E>, item: Item, error: SqlError.SqlError) =>
  Effect.map(
    isRolledBack(error) ? Effect.succeed(true) : (batched.mend?.(item, error) ?? Effect.succeed(false)),
    (isMended): Exit.Exit<never, Overtaken | SqlError.SqlError> => (isMended ? AGAIN : Exit.fail(error))
  )
