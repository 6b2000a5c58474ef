/**
 * How the stores run the operations of ports: with retries after conflicts, bounds of time, and errors without values of rows. An operation in a
 * transaction of the application is part of it, or fails.
 */
import { type OrganizationId, type Recorded, StoreError } from "@sojourn/core"
import { type Context, type Duration, Effect, Schedule } from "effect"
import * as SqlError from "effect/sql/SqlError"
import { appendActs } from "./auditEntries.ts"
import type { QueueKeys } from "../queueing/PendingQueue.ts"
import {
  CurrentWriter,
  type Database,
  describe,
  isRolledBack,
  MAX_ATTEMPTS,
  notInTransaction,
  OVERLOADED,
  WriteConflict
} from "./Database.ts"
import { type JoinedTransactions, NO_TRANSACTIONS } from "./JoinedTransaction.ts"
import { countRetries } from "./metrics.ts"

/** How long an operation may take, including the wait for a connection, before its outcome counts as unknown. */
const TIMEOUT = "15 seconds"

/** How long an operation may take that reads or deletes very many rows. */
export const LONG_TIMEOUT = "30 minutes"

type Stored<A, E> = Effect.Effect<A, Exclude<E, SqlError.SqlError | WriteConflict> | StoreError>

/** Runs the steps of an operation, which are those of `Effect.gen`. */
type RunSteps = <Step extends Effect.Effect<any, any>, A>(
  operation: string,
  steps: () => Generator<Step, A, never>
) => Stored<A, [Step] extends [Effect.Effect<any, infer E>] ? E : never>

interface Operations {
  <A, E>(operation: string, effect: Effect.Effect<A, E>): Stored<A, E>
  readonly gen: RunSteps
}

/** {@link RunSteps}, whose transaction adds the acts that the steps return to the audit. */
type RunRecorded = <Step extends Effect.Effect<any, any>, A>(
  operation: string,
  steps: () => Generator<Step, Recorded<A>, never>
) => Stored<A, [Step] extends [Effect.Effect<any, infer E>] ? E : never>

/** The changes that administrators and operators make. */
export interface Changes {
  readonly transaction: RunRecorded
}

/** The operations of a writer that leave no entry in the audit. */
export interface Writes extends Operations {
  readonly transaction: RunSteps
}

type Writer = OrganizationId | string | QueueKeys

interface Reads extends Operations {
  /** Runs the steps as of one moment. */
  readonly snapshot: RunSteps
  /**
   * The changes of administrators and operators: in an organization, or of another writer. Those with `isLong` wait for each other; by default these are the
   * operations that may take {@link LONG_TIMEOUT}.
   */
  readonly by: (writer: Writer, options?: { readonly isLong: boolean }) => Changes
  /** What users and devices write, sign-ins, and the audit itself: no change of an administrator or an operator. */
  readonly unaudited: (writer: Writer) => Writes
  /** The operations that write of the server itself. */
  readonly byServer: Writes
}

/**
 * Runs an operation of a port on the database, which only reads: one that writes names its writer (`by`), whose writes wait for each other. It retries
 * write conflicts, bounds the time, and maps failures of the database to a `StoreError` that holds no value of a row.
 */
export interface Storing extends Reads {
  /** The same for an operation that may take {@link LONG_TIMEOUT}. Its writes wait for those of others that may. */
  readonly long: Reads
  /** Whether an operation of a fiber would be part of a transaction of the application. */
  readonly isJoining: JoinedTransactions["isAround"]
}

const countRolledBack = (error: unknown) => (isRolledBack(error) ? Effect.sync(() => countRetries(1)) : Effect.void)

/** The pauses before an operation runs again after a conflict: each half as long again. */
const RETRY_PAUSES = Schedule.exponential("1 millis", 1.5).pipe(Schedule.jittered)

/**
 * How often a part of the application's transaction runs again after write conflicts: the transaction holds locks meanwhile. What the database
 * rolls back does not run again, as it would meet the same locks.
 */
const MAX_JOINED_RETRIES = 5

/** Why operations are no part of the application's transactions. */
const REFUSED = {
  long: "it may take long",
  server: "it is work of the server itself"
}

/** The failure of an operation in a transaction of the application. */
const joinedFailureOf = (operation: string, error: unknown): unknown => {
  const failure = failureOf(operation, error)
  return isRolledBack(error)
    ? new StoreError({
        operation,
        cause: `${(failure as StoreError).cause}: the application's transaction has to run again`
      })
    : failure
}

/** The failure of an operation without any value of a row. */
const failureOf = (operation: string, error: unknown): unknown => {
  if (error === OVERLOADED) return new StoreError({ operation, cause: "too many are waiting", isOverload: true })
  if (SqlError.isSqlError(error)) return new StoreError({ operation, cause: describe(error) })
  if (error instanceof WriteConflict) return new StoreError({ operation, cause: "too many write conflicts" })
  return error
}

/** Makes the runner of the ports' operations. It waits until the stores are `ready`. */
export const makeStoring = (
  db: Database,
  ready: Effect.Effect<void, StoreError>,
  transactions: JoinedTransactions = NO_TRANSACTIONS
): Storing => {
  /** Adds the acts that steps return to the audit, and answers their value. */
  const addingActs = (steps: Effect.Effect<unknown, any>) =>
    Effect.flatMap(steps as Effect.Effect<Recorded<unknown>, any>, ({ value, acts }) =>
      Effect.as(appendActs(db, acts), value)
    )

  const operations = (timeout: string & Duration.Input): Reads => {
    const as = (writer: Context.Service.Shape<typeof CurrentWriter>) => {
      const refusal = timeout === LONG_TIMEOUT ? REFUSED.long : writer === "server" ? REFUSED.server : undefined
      const joined = (operation: string, effect: Effect.Effect<unknown, unknown>) => {
        if (refusal !== undefined) return Effect.fail(failureOf(operation, notInTransaction(refusal)))
        const part = Effect.retry(Effect.tapError(effect, countRolledBack), {
          while: (error) => error instanceof WriteConflict,
          times: MAX_JOINED_RETRIES,
          schedule: RETRY_PAUSES
        })
        return transactions
          .join(operation, Effect.provideService(part, CurrentWriter, writer))
          .pipe(Effect.mapError((error) => joinedFailureOf(operation, error)))
      }
      const run = (operation: string, effect: Effect.Effect<unknown, unknown>) => {
        const stored = Effect.retry(Effect.tapError(effect, countRolledBack), {
          while: isRolledBack,
          times: MAX_ATTEMPTS,
          schedule: RETRY_PAUSES
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new StoreError({ operation, cause: `no answer within ${timeout}` }))
          }),
          Effect.mapError((error) => failureOf(operation, error)),
          Effect.provideService(CurrentWriter, writer)
        )
        return Effect.andThen(
          ready,
          Effect.withFiber(({ context }) => (transactions.isAround(context) ? joined(operation, effect) : stored))
        ).pipe(Effect.withSpan(operation, {}, { captureStackTrace: false }))
      }
      const running =
        (within: (steps: Effect.Effect<unknown, any>) => Effect.Effect<unknown, unknown>) =>
        (operation: string, steps: () => Generator<Effect.Effect<any, any>, unknown, never>) =>
          run(operation, within(Effect.gen(steps)))
      return Object.assign(run, {
        gen: running((steps) => steps),
        transaction: running(db.transaction),
        recording: running((steps) => db.transaction(addingActs(steps))),
        snapshot: running(db.snapshot)
      })
    }
    const isLongByDefault = timeout === LONG_TIMEOUT
    const writing = (writer: Writer, isLong: boolean) => {
      const keys =
        typeof writer === "object" ? writer : { fairnessKey: writer, orderingKey: `${typeof writer} ${writer}` }
      return as({ ...keys, isLong })
    }
    return Object.assign(as("reader"), {
      by: (writer: Writer, { isLong } = { isLong: isLongByDefault }) => ({
        transaction: writing(writer, isLong).recording
      }),
      unaudited: (writer: Writer) => writing(writer, isLongByDefault),
      byServer: as("server")
    }) as Reads
  }
  return Object.assign(operations(TIMEOUT), { long: operations(LONG_TIMEOUT), isJoining: transactions.isAround })
}
