import type { ClosedStay, Opened, PermissionTooLow, PremisesNotFound, StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Latch from "effect/Latch"
import type { SqlError } from "effect/sql/SqlError"
import { type BulkStatement, recoverSingle } from "../database/BulkStatement.ts"
import { type Database, isOfItsRows, type Storing, type WriteConflict } from "../database/Database.ts"
import type { Settled } from "./closings.ts"
import { type CounterReading, counters } from "./counters.ts"
import { type Listing, listings } from "./listings.ts"
import { type Moving, movements } from "./movements.ts"
import type { OpeningRefusal } from "./openings.ts"
import type { TrackingModeCache } from "./TrackingModeCache.ts"

/** The frequent statements of the stay log. Each does for many items at once what it does for one. */
export interface StayStatements {
  readonly move: BulkStatement<Moving, Opened | Settled, OpeningRefusal>
  readonly count: BulkStatement<CounterReading, number, PremisesNotFound | PermissionTooLow>
  readonly list: BulkStatement<Listing, ReadonlyArray<ClosedStay>, never>
}

export const makeStayStatements = (db: Database, modes: TrackingModeCache, recorded: Latch.Latch): StayStatements => ({
  move: movements(db, modes, recorded),
  count: counters(db),
  list: listings(db)
})

type Operation<Statement> =
  Statement extends BulkStatement<infer Item, infer A, infer E>
    ? (item: Item) => Effect.Effect<A, E | StoreError>
    : never

/** The operations of the stay log on one item each; of movements and readings at the same moment, some may share a statement. */
export type StayOperations = { readonly [Name in keyof StayStatements]: Operation<StayStatements[Name]> }

/** Runs each item by a statement of its own. */
export const oneByOne = ({ move, count, list }: StayStatements, storing: Storing): StayOperations => {
  const single =
    <Item, A, E>(statement: BulkStatement<Item, A, E>) =>
    (item: Item) => {
      // Made anew for each attempt: a statement may have another variant after a write conflict.
      const outcomes: Effect.Effect<
        ReadonlyArray<Exit.Exit<A, E | SqlError | WriteConflict>>,
        SqlError
      > = Effect.catchIf(
        Effect.suspend(() => statement.run([item])),
        isOfItsRows,
        (error) => Effect.map(recoverSingle(statement, item, error), (outcome) => [outcome])
      )
      const answer = Effect.flatMap(outcomes, ([outcome]) => outcome!)
      return storing(statement.operation, answer) as Effect.Effect<A, E | StoreError>
    }
  return { move: single(move), count: single(count), list: single(list) }
}
