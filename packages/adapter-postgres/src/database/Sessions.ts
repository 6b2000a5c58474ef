import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"

/** Runs one statement of fixed text on a session of the pool, and nothing else: no span is made of it. */
export type Direct = <Row extends object>(
  text: string,
  parameters: ReadonlyArray<unknown>
) => Effect.Effect<ReadonlyArray<Row>, SqlError>

const directly = new WeakMap<SqlClient.SqlClient, Direct>()

/** The short way to the sessions of a client; none where somebody else made it. */
export const directOf = (client: SqlClient.SqlClient): Direct | undefined => directly.get(client)

const rowsOf = ({ rows }: PgConnection.Result) => rows

/** A session as `SqlClient` uses it. Rows are taken as they come: no client of ours renames columns. */
const connectionOf = (session: PgConnection.PgConnection): Connection => ({
  execute: (text, parameters) => Effect.map(session.query(text, parameters), rowsOf),
  executeRaw: (text, parameters) => session.query(text, parameters),
  executeValues: (text, parameters) => session.queryValues(text, parameters),
  executeUnprepared: (text, parameters) => Effect.map(session.query(text, parameters, false), rowsOf),
  executeValuesUnprepared: (text, parameters) => session.queryValues(text, parameters, false),
  executeStream: (text, parameters) => session.stream(text, parameters)
})

/** PostgreSQL answers the COMMIT of a transaction in which a statement failed with ROLLBACK, as if all were well. */
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
 * A client over a pool of sessions. It is put together here, and not by `PgClient.make`, because that keeps its pool to itself:
 * of a movement that is alone, what `SqlClient` does for each statement took a twelfth of the server's work.
 */
export const makeClient = Effect.fnUntraced(function* (config: PgPool.Config) {
  const pool = yield* PgPool.make(config)
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.map(pool.get, connectionOf),
    borrower: (use) => pool.use((session) => use(connectionOf(session))),
    transactionAcquirer: Effect.map(pool.reserve, connectionOf),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [
      ["db.system.name", "postgresql"],
      ...(config.database === undefined ? [] : [["db.namespace", config.database] as const])
    ]
  })
  directly.set(client, (text, parameters) =>
    Effect.map(
      pool.use((session) => session.query(text, parameters)),
      rowsOf as never
    )
  )
  return client
})
