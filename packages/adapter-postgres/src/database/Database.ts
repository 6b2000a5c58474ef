/** How the stores run statements and transactions, and what the errors of the database mean. */
import type { StoreError } from "@sojourn/core"
import { Context, Data, Effect } from "effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"
import { type AnySpan, ParentSpan } from "effect/Tracer"
import type { QueueKeys } from "../queueing/PendingQueue.ts"
import { makeConcurrencyLimiter } from "../queueing/ConcurrencyLimiter.ts"
import { foreignUse } from "./metrics.ts"
import { DEFAULT_CONNECTIONS, sessionsOf, writes } from "./Sessions.ts"

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

/** Who writes: the keys in the queue of the limiter, and whether it is the limiter of writes that may take long. */
export interface Writer extends QueueKeys {
  readonly isLong: boolean
}

/**
 * Whose statements a fiber runs. One of an operation that only reads writes nothing. The `server` itself, of which one loop does a work at a
 * time, is not limited, nor is a batch queue: its fibers have none of these.
 */
export const CurrentWriter = Context.Reference<Writer | "server" | "reader" | undefined>(
  "@sojourn/adapter-postgres/CurrentWriter",
  { defaultValue: () => undefined }
)

/** The transaction of the application that an operation is part of. */
export interface Joined {
  /** The client whose transaction it is, without transformations of names. */
  readonly client: SqlClient.SqlClient
  /** Whether the statements are part of one savepoint. Otherwise one that writes has its own, as it would be a transaction by itself. */
  readonly isAtomic: boolean
}

/** The transaction of the application that the operation of a fiber is part of; undefined where it has connections of its own. */
export const CurrentJoined = Context.Reference<Joined | undefined>("@sojourn/adapter-postgres/CurrentJoined", {
  defaultValue: () => undefined
})

/** Runs statements and transactions of the stores. */
export interface Database {
  /** Runs a statement of fixed text, which each connection prepares once. */
  readonly run: <Row extends object>(
    text: string,
    parameters: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /** Runs statements atomically, in `read committed`: rows that must not change until the end are locked. */
  readonly transaction: <A, E>(body: Effect.Effect<A, E | SqlError.SqlError>) => Effect.Effect<A, E | SqlError.SqlError>
  /** Runs statements that only read, as of one moment. */
  readonly snapshot: <A, E>(body: Effect.Effect<A, E | SqlError.SqlError>) => Effect.Effect<A, E | SqlError.SqlError>
}

/** Makes all statements of a transaction see one moment. */
const ONE_MOMENT = "set transaction isolation level repeatable read, read only"

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

/** Marks the errors of {@link notInTransaction}. */
const NOT_IN_TRANSACTION = new Error("not possible in a transaction of the application")

/** The error of an operation that cannot be part of a transaction of the application. */
export const notInTransaction = (why: string): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: NOT_IN_TRANSACTION, message: why, operation: "join a transaction" })
  })

/**
 * Describes an error without any value of a row. PostgreSQL's messages may hold values; those of connections hold the address
 * only.
 */
export const describe = (error: SqlError.SqlError): string => {
  const { reason } = error
  if (reason.cause === NOT_IN_TRANSACTION) return `${NOT_IN_TRANSACTION.message}: ${reason.message}`
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

/**
 * Runs statements in a transaction of a client, or in a savepoint of it. Where a connection breaks, the rollback fails too: Effect makes that a
 * defect, which hides the failure of the transaction.
 */
export const transactionOf = <A, E>(
  client: SqlClient.SqlClient,
  body: Effect.Effect<A, E | SqlError.SqlError>
): Effect.Effect<A, E | SqlError.SqlError> =>
  Effect.catchDefect(client.withTransaction(body), (defect) =>
    SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
  )

/** Runs statements in a savepoint of the application's transaction. */
const inSavepoint = <A, E>({ client }: Joined, body: Effect.Effect<A, E | SqlError.SqlError>) =>
  transactionOf(client, Effect.provideService(body, CurrentJoined, { client, isAtomic: true }))

const runJoined = (joined: Joined, text: string, parameters: ReadonlyArray<unknown>) => {
  const statement = joined.client.unsafe<never>(text, parameters)
  return joined.isAtomic || !writes(text) ? statement : inSavepoint(joined, statement)
}

/** The span of the current fiber; undefined where it is not recorded. */
export const sampledSpan = (context: Context.Context<never>): AnySpan | undefined => {
  const span = Context.getOrUndefined(context, ParentSpan)
  return span?.sampled === true ? span : undefined
}

/** A write that was refused a place in the queue of its limiter: too many wait. */
export const OVERLOADED = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: undefined, message: "too many are waiting", operation: "write" })
})

/**
 * The limiters of writes that share no batch, of so many connections. The others are for readings and batches, however many organizations write.
 * Writes that may take long have a limiter of their own.
 */
const limitersOf = (connections: number) => ({
  short: makeConcurrencyLimiter(Math.max(1, Math.floor(connections * 0.4)), OVERLOADED),
  long: makeConcurrencyLimiter(Math.max(1, Math.floor(connections * 0.2)), OVERLOADED)
})

/** Makes the statements and transactions of a client. */
export const makeDatabase = (sql: SqlClient.SqlClient): Database => {
  const sessions = sessionsOf(sql)
  const connections = sessions?.connections ?? foreignUse
  const releaseConnection = () => Effect.sync(() => connections.wanted--)
  const limiters = limitersOf(sessions?.maxConnections ?? DEFAULT_CONNECTIONS)
  const isInTransaction = (context: Context.Context<never>) =>
    Context.getOrUndefined(context, sql.transactionService) !== undefined
  /** Counts the use of a connection. */
  const connected = <A, E>(use: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    connections.wanted++
    return Effect.onExit(use, releaseConnection)
  }
  /** Runs a write once the limiter admits the writer of the fiber. */
  const limited = <A, E>(context: Context.Context<never>, write: Effect.Effect<A, E>) => {
    const writer = Context.get(context, CurrentWriter)
    if (writer === "reader") return Effect.die(new Error("an operation that only reads wrote: its writer is not named"))
    return writer === undefined || writer === "server"
      ? write
      : limiters[writer.isLong ? "long" : "short"](writer, write)
  }
  const connectedRun = (context: Context.Context<never>, text: string, parameters: ReadonlyArray<unknown>) => {
    if (sampledSpan(context) !== undefined) return connected(sql.unsafe<never>(text, parameters))
    if (sessions !== undefined) return connected(sessions.run<never>(text, parameters))
    // A statement of untraced requests would begin a trace of its own.
    return connected(Effect.withTracerEnabled(sql.unsafe<never>(text, parameters), false))
  }
  return {
    run: (text, parameters) =>
      Effect.withFiber(({ context }) => {
        const joined = Context.get(context, CurrentJoined)
        if (joined !== undefined) return runJoined(joined, text, parameters)
        if (isInTransaction(context)) return sql.unsafe<never>(text, parameters)
        if (!writes(text)) return connectedRun(context, text, parameters)
        return limited(
          context,
          Effect.suspend(() => connectedRun(context, text, parameters))
        )
      }),
    transaction: (body) =>
      Effect.withFiber(({ context }) => {
        const joined = Context.get(context, CurrentJoined)
        if (joined !== undefined) return inSavepoint(joined, body)
        return isInTransaction(context)
          ? transactionOf(sql, body)
          : limited(
              context,
              Effect.suspend(() => connected(transactionOf(sql, body)))
            )
      }),
    snapshot: (body) =>
      Effect.withFiber(({ context }) =>
        Context.get(context, CurrentJoined) === undefined
          ? connected(transactionOf(sql, Effect.andThen(sql.unsafe(ONE_MOMENT), body)))
          : Effect.fail(notInTransaction("it reads as of one moment"))
      )
  }
}
