/** A client over a pool of sessions, with a fast path for single statements. */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"

/** The use of a client's sessions beside `SqlClient`. */
export interface Sessions {
  /** The schema that the sessions work in. */
  readonly schema: string
  /** Runs one statement of fixed text, without a span. Transactions are left to `SqlClient`. */
  readonly run: <Row extends object>(
    text: string,
    parameters: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  /** Subscribes to a channel, on a session of its own. */
  readonly listen: PgClient.PgClient["listen"]
}

const known = new WeakMap<SqlClient.SqlClient, Sessions>()

/** The sessions of a client; undefined where the client was not made by {@link makeClient}. */
export const sessionsOf = (client: SqlClient.SqlClient): Sessions | undefined => known.get(client)

const rowsOf = ({ rows }: PgConnection.Result) => rows

/** A session as a connection of `SqlClient`. Rows are not transformed: the stores rename no columns. */
const connectionOf = (session: PgConnection.PgConnection): Connection => ({
  execute: (text, parameters) => Effect.map(session.query(text, parameters), rowsOf),
  executeRaw: (text, parameters) => session.query(text, parameters),
  executeValues: (text, parameters) => session.queryValues(text, parameters),
  executeUnprepared: (text, parameters) => Effect.map(session.query(text, parameters, false), rowsOf),
  executeValuesUnprepared: (text, parameters) => session.queryValues(text, parameters, false),
  executeStream: (text, parameters) => session.stream(text, parameters)
})

/** How long the statements that control a transaction may take. */
const CONTROL_TIMEOUT = "15 seconds"

const CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/

/** A half-open connection never answers, and `SqlClient` runs the statements that control a transaction uninterruptibly. */
const bounded = <A>(text: string, statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  CONTROL.test(text)
    ? Effect.timeoutOrElse(statement, {
        duration: CONTROL_TIMEOUT,
        orElse: () =>
          Effect.fail(
            new SqlError({
              reason: new ConnectionError({
                cause: new Error("no answer"),
                message: `${text} was not answered within ${CONTROL_TIMEOUT}`,
                operation: "transaction"
              })
            })
          )
      })
    : statement

/** A session that is reserved for a transaction. */
const transactionConnectionOf = (session: PgConnection.PgConnection): Connection => {
  const connection = connectionOf(session)
  return {
    ...connection,
    execute: (text, ...rest) => bounded(text, connection.execute(text, ...rest)),
    executeRaw: (text, ...rest) => bounded(text, connection.executeRaw(text, ...rest)),
    executeUnprepared: (text, ...rest) => bounded(text, connection.executeUnprepared(text, ...rest))
  }
}

/** Commits. PostgreSQL answers ROLLBACK, without an error, where a statement of the transaction failed: that fails here. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(
          new SqlError({
            reason: new UnknownError({
              cause: new Error("a statement of the transaction had failed"),
              message: "COMMIT was answered with ROLLBACK",
              operation: "commit"
            })
          })
        )
      : Effect.void
  )

/**
 * Makes a client over a pool of sessions. `PgClient.make` does not expose its pool, which the fast path needs: `SqlClient` allocates
 * nearly as much for a statement as the session does.
 */
export const makeClient = Effect.fnUntraced(function* (schema: string, config: PgPool.Config) {
  const pool = yield* PgPool.make(config)
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.map(pool.get, connectionOf),
    borrower: (use) => pool.use((session) => use(connectionOf(session))),
    transactionAcquirer: Effect.map(pool.reserve, transactionConnectionOf),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [
      ["db.system.name", "postgresql"],
      ...(config.database === undefined ? [] : [["db.namespace", config.database] as const])
    ]
  })
  known.set(client, {
    schema,
    run: (text, parameters) =>
      Effect.map(
        pool.use((session) => session.query(text, parameters)),
        rowsOf as never
      ),
    listen: (channel) => Effect.flatMap(pool.reserve, (session) => session.listen(channel))
  })
  return client
})
