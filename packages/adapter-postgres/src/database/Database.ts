import { StoreError } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"
import { type AnySpan, ParentSpan } from "effect/Tracer"
import { countRetries, showConnections, wantConnection } from "./metrics.ts"
import { directOf } from "./Sessions.ts"

/** Somebody else wrote between our read and our write: nothing was written, and the operation is to be run again. */
export class Overtaken extends Data.TaggedError("Overtaken")<{}> {}

/** How often an operation that others overtook, or that the database rolled back for them, is run again. */
export const MOST_ATTEMPTS = 20

/** How long an operation may take, waiting for a connection included, before its outcome counts as unknown. */
const PATIENCE = "15 seconds"

/** How long one may take that ends a whole history. */
export const LONG_PATIENCE = "30 minutes"

/**
 * Whether the stores may be used yet. A server that starts before its database refuses with this until the schema is
 * known to be right.
 */
export const StoreReadiness = Context.Reference<Effect.Effect<void, StoreError>>(
  "@sojourn/adapter-postgres/StoreReadiness",
  { defaultValue: () => Effect.void }
)

/** How the stores speak to PostgreSQL. */
export interface Database {
  /** One statement of fixed text, which each connection prepares once. */
  readonly run: <Row extends object>(
    text: string,
    parameters: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /** Statements that happen together or not at all. Reads in it are not repeatable: what must stay is locked. */
  readonly transaction: <A, E>(body: Effect.Effect<A, E | SqlError.SqlError>) => Effect.Effect<A, E | SqlError.SqlError>
}

/** An operation of a port on the database: what goes wrong there is a `StoreError`, told without any value. */
export interface Storing {
  <A, E>(
    operation: string,
    effect: Effect.Effect<A, E>,
    patience?: Duration.Input
  ): Effect.Effect<A, Exclude<E, SqlError.SqlError | Overtaken> | StoreError>
}

/** The SQLSTATE of an error that PostgreSQL answered. */
const stateOf = ({ reason }: SqlError.SqlError): string | undefined => {
  const code = (reason.cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === "string" ? code : undefined
}

/** Which unique key a statement would have broken, if that is what was wrong. */
export const brokenKey = ({ reason }: SqlError.SqlError): string | undefined =>
  reason._tag === "UniqueViolation" ? reason.constraint : undefined

/** A row that another refers to is not there: foreign_key_violation. */
export const missesReference = (error: SqlError.SqlError): boolean => stateOf(error) === "23503"

/** PostgreSQL's messages may hold values, a connection's only where it leads. */
export const describe = (error: SqlError.SqlError): string => {
  const { reason } = error
  if (reason._tag === "ConnectionError") return `ConnectionError: ${reason.message}`
  const key = brokenKey(error)
  return [reason._tag, stateOf(error), key].filter((part) => part !== undefined).join(" ")
}

/** Was a lock not had in time? */
export const isLockTimeout = (error: SqlError.SqlError): boolean => stateOf(error) === "55P03"

/** What the database rolled back for others' sake, or others overtook: it is to be run again. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof Overtaken ||
  (SqlError.isSqlError(error) && (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError"))

/**
 * Did rows of the statement break it? PostgreSQL answered so, and nothing of it was written: SQLSTATE classes cardinality
 * violation, data exception, integrity constraint violation and transaction rollback.
 */
export const isOfItsRows = (error: SqlError.SqlError): boolean => /^(21|22|23|40)/.test(stateOf(error) ?? "")

const countRolledBack = (error: unknown) => (isRolledBack(error) ? Effect.sync(() => countRetries(1)) : Effect.void)

const giveBack = () => Effect.sync(() => wantConnection(-1))

/** The span that what runs here is recorded under; none where it is not traced. */
export const sampledSpan = (context: Context.Context<never>): AnySpan | undefined => {
  const span = Context.getOrUndefined(context, ParentSpan)
  return span?.sampled === true ? span : undefined
}

const again = Schedule.exponential("1 millis", 1.5).pipe(Schedule.jittered)

export const makeDatabase = (
  sql: SqlClient.SqlClient,
  ready: Effect.Effect<void, StoreError>
): { readonly db: Database; readonly storing: Storing } => {
  showConnections()
  const storing = <A, E>(operation: string, effect: Effect.Effect<A, E>, patience: Duration.Input = PATIENCE) => {
    const stored = Effect.retry(Effect.tapError(effect, countRolledBack), {
      while: isRolledBack,
      times: MOST_ATTEMPTS,
      schedule: again
    }).pipe(
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => Effect.fail(new StoreError({ operation, cause: `no answer within ${String(patience)}` }))
      }),
      Effect.catch((error) =>
        Effect.fail(
          SqlError.isSqlError(error)
            ? new StoreError({ operation, cause: describe(error) })
            : error instanceof Overtaken
              ? new StoreError({ operation, cause: `overtaken ${MOST_ATTEMPTS} times` })
              : error
        )
      )
    )
    return Effect.andThen(ready, stored).pipe(
      Effect.withSpan(operation, {}, { captureStackTrace: false })
    ) as Effect.Effect<A, never>
  }
  const direct = directOf(sql)
  const isInTransaction = (context: Context.Context<never>) =>
    Context.getOrUndefined(context, sql.transactionService) !== undefined
  /** Counts whoever takes a connection of their own. */
  const connected = <A, E>(use: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    wantConnection(1)
    return Effect.onExit(use, giveBack)
  }
  return {
    db: {
      run: (text, parameters) =>
        Effect.withFiber(({ context }) => {
          if (isInTransaction(context)) return sql.unsafe<never>(text, parameters)
          return connected(
            direct === undefined || sampledSpan(context) !== undefined
              ? sql.unsafe<never>(text, parameters)
              : direct(text, parameters)
          )
        }),
      transaction: (body) =>
        Effect.withFiber(({ context }) => {
          const whole = sql.withTransaction(body)
          return isInTransaction(context) ? whole : connected(whole)
        })
    },
    storing: storing as Storing
  }
}
