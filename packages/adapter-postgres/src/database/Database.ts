/** How the stores run statements and transactions, and what the errors of the database mean. */
import type { StoreError } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"
import { type AnySpan, ParentSpan } from "effect/Tracer"
import { showConnections, wantConnection } from "./metrics.ts"
import { sessionsOf } from "./Sessions.ts"

/** A concurrent transaction wrote between the read and the write: nothing was written, and the operation has to run again. */
export class WriteConflict extends Data.TaggedError("WriteConflict")<{}> {}

/** How often an operation runs at most that meets write conflicts, or that the database rolls back for others. */
export const MAX_ATTEMPTS = 20

/**
 * Succeeds once the stores may be used, and fails until then. A server that starts before its database fails with this until
 * the schema was checked.
 */
export const StoreReadiness = Context.Reference<Effect.Effect<void, StoreError>>(
  "@sojourn/adapter-postgres/StoreReadiness",
  { defaultValue: () => Effect.void }
)

/** Runs statements and transactions of the stores. */
export interface Database {
  /** Runs a statement of fixed text, which each connection prepares once. */
  readonly run: <Row extends object>(
    text: string,
    parameters: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /** Runs statements atomically, in `read committed`: rows that must not change until the end are locked. */
  readonly transaction: <A, E>(body: Effect.Effect<A, E | SqlError.SqlError>) => Effect.Effect<A, E | SqlError.SqlError>
}

/** The SQLSTATE of an error that PostgreSQL answered. */
const stateOf = ({ reason }: SqlError.SqlError): string | undefined => {
  const code = (reason.cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === "string" ? code : undefined
}

/** The unique key that a statement violated; undefined for other errors. Citus adds the number of the shard to its name. */
export const brokenKey = ({ reason }: SqlError.SqlError): string | undefined =>
  reason._tag === "UniqueViolation" ? reason.constraint?.replace(/_\d+$/, "") : undefined

/** Does the row miss one that it refers to (foreign_key_violation)? */
export const missesReference = (error: SqlError.SqlError): boolean => stateOf(error) === "23503"

/** The SQLSTATE of a full disk (disk_full). */
const DISK_FULL = "53100"

/**
 * Describes an error without any value of a row. PostgreSQL's messages may hold values; those of connections hold the address
 * only.
 */
export const describe = (error: SqlError.SqlError): string => {
  const { reason } = error
  if (reason._tag === "ConnectionError") return `ConnectionError: ${reason.message}`
  const state = stateOf(error)
  if (state === DISK_FULL) return "no space left on the disk of PostgreSQL"
  return [reason._tag, state, brokenKey(error)].filter((part) => part !== undefined).join(" ")
}

/** Did a lock time out (lock_not_available)? */
export const isLockTimeout = (error: SqlError.SqlError): boolean => stateOf(error) === "55P03"

/**
 * Does the statement name a table, column or constraint that does not exist, or make one that does, or has the user no right to it (as one who did
 * not migrate the database)?
 */
export const isOfSchema = (error: SqlError.SqlError): boolean =>
  /^42(P0[17]|70[14]|710|501)$/.test(stateOf(error) ?? "")

/** Does the operation have to run again, after a write conflict, a deadlock or a serialization failure? */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof WriteConflict ||
  (SqlError.isSqlError(error) && (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError"))

/** Whether the database refused values or a violated constraint (SQLSTATE classes 22 and 23): it will again. */
export const isOfValues = (error: SqlError.SqlError): boolean => /^2[23]/.test(stateOf(error) ?? "")

/**
 * Is the error caused by rows of the statement? Nothing of the statement was written then. The SQLSTATE classes are cardinality
 * violation, data exception, integrity constraint violation and transaction rollback.
 */
export const isOfItsRows = (error: SqlError.SqlError): boolean => /^(21|22|23|40)/.test(stateOf(error) ?? "")

/** Where a connection breaks, the rollback fails too: Effect makes that a defect, which hides the failure of the transaction. */
const failOfRollback = (defect: unknown) => (SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))

const releaseConnection = () => Effect.sync(() => wantConnection(-1))

/** The span of the current fiber; undefined where it is not recorded. */
export const sampledSpan = (context: Context.Context<never>): AnySpan | undefined => {
  const span = Context.getOrUndefined(context, ParentSpan)
  return span?.sampled === true ? span : undefined
}

/** Makes the statements and transactions of a client. */
export const makeDatabase = (sql: SqlClient.SqlClient): Database => {
  showConnections()
  const sessions = sessionsOf(sql)
  const isInTransaction = (context: Context.Context<never>) =>
    Context.getOrUndefined(context, sql.transactionService) !== undefined
  /** Counts the use of a connection. */
  const connected = <A, E>(use: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    wantConnection(1)
    return Effect.onExit(use, releaseConnection)
  }
  return {
    run: (text, parameters) =>
      Effect.withFiber(({ context }) => {
        if (isInTransaction(context)) return sql.unsafe<never>(text, parameters)
        if (sampledSpan(context) !== undefined) return connected(sql.unsafe<never>(text, parameters))
        if (sessions !== undefined) return connected(sessions.run<never>(text, parameters))
        // A statement of untraced requests would begin a trace of its own.
        return connected(Effect.withTracerEnabled(sql.unsafe<never>(text, parameters), false))
      }),
    transaction: (body) =>
      Effect.withFiber(({ context }) => {
        const whole = Effect.catchDefect(sql.withTransaction(body), failOfRollback)
        return isInTransaction(context) ? whole : connected(whole)
      })
  }
}
