/** How the stores run the operations of ports: with retries after conflicts, bounds of time, and errors without values of rows. */
import { StoreError } from "@sojourn/core"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as SqlError from "effect/sql/SqlError"
import { type Database, describe, isRolledBack, MAX_ATTEMPTS, WriteConflict } from "./Database.ts"
import { countRetries } from "./metrics.ts"

/** How long an operation may take, including the wait for a connection, before its outcome counts as unknown. */
const TIMEOUT = "15 seconds"

/** How long an operation may take that reads or deletes very many rows. */
export const LONG_TIMEOUT = "30 minutes"

/** Makes all statements of a transaction see one moment. */
const ONE_MOMENT = "set transaction isolation level repeatable read, read only"

type Stored<A, E> = Effect.Effect<A, Exclude<E, SqlError.SqlError | WriteConflict> | StoreError>

/** Runs the steps of an operation, which are those of `Effect.gen`. */
type RunSteps = <Step extends Effect.Effect<any, any>, A>(
  operation: string,
  steps: () => Generator<Step, A, never>
) => Stored<A, [Step] extends [Effect.Effect<any, infer E>] ? E : never>

interface Operations {
  <A, E>(operation: string, effect: Effect.Effect<A, E>): Stored<A, E>
  readonly gen: RunSteps
  readonly transaction: RunSteps
  /** Runs the steps, which only read, as of one moment. */
  readonly snapshot: RunSteps
}

/**
 * Runs an operation of a port on the database. It retries write conflicts, bounds the time, and maps failures of the database to a
 * `StoreError` that holds no value of a row.
 */
export interface Storing extends Operations {
  /** The same for an operation that may take {@link LONG_TIMEOUT}. */
  readonly long: Operations
}

const countRolledBack = (error: unknown) => (isRolledBack(error) ? Effect.sync(() => countRetries(1)) : Effect.void)

const again = Schedule.exponential("1 millis", 1.5).pipe(Schedule.jittered)

/** The failure of an operation without any value of a row. */
const failureOf = (operation: string, error: unknown): unknown => {
  if (SqlError.isSqlError(error)) return new StoreError({ operation, cause: describe(error) })
  if (error instanceof WriteConflict) return new StoreError({ operation, cause: `${MAX_ATTEMPTS} write conflicts` })
  return error
}

/** Makes what runs the operations of ports, once the stores are `ready`. */
export const makeStoring = (db: Database, ready: Effect.Effect<void, StoreError>): Storing => {
  const operations = (timeout: string & Duration.Input) => {
    const run = (operation: string, effect: Effect.Effect<unknown, unknown>) => {
      const stored = Effect.retry(Effect.tapError(effect, countRolledBack), {
        while: isRolledBack,
        times: MAX_ATTEMPTS,
        schedule: again
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.fail(new StoreError({ operation, cause: `no answer within ${timeout}` }))
        }),
        Effect.mapError((error) => failureOf(operation, error))
      )
      return Effect.andThen(ready, stored).pipe(Effect.withSpan(operation, {}, { captureStackTrace: false }))
    }
    const running =
      (within: (steps: Effect.Effect<unknown, any>) => Effect.Effect<unknown, unknown>) =>
      (operation: string, steps: () => Generator<Effect.Effect<any, any>, unknown, never>) =>
        run(operation, within(Effect.gen(steps)))
    return Object.assign(run, {
      gen: running((steps) => steps),
      transaction: running((steps) => db.transaction(steps)),
      snapshot: running((steps) => db.transaction(Effect.andThen(db.run(ONE_MOMENT, []), steps)))
    }) as Operations
  }
  return Object.assign(operations(TIMEOUT), { long: operations(LONG_TIMEOUT) })
}
