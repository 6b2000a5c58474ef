/** A client over a pool of sessions, with a fast path for single statements. */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import type * as PgPool from "@effect/sql-pg/PgPool"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { connectionError, type HostsConfig, makeHosts } from "./Hosts.ts"
import { makePlaced, type Placement } from "./Placement.ts"
import type { ConnectionUse } from "./metrics.ts"
import { neverCancelled } from "./neverCancelled.ts"

/** A client whose transactions may be around operations. */
export interface ApplicationClient {
  readonly client: SqlClient.SqlClient
  /** Why operations refuse to be part of its transactions; undefined: they are part of them. */
  readonly refusal?: string | undefined
}

/** The use of a client's sessions beside `SqlClient`. */
export interface Sessions {
  /** The schema that the sessions work in. */
  readonly schema: string
  /** The settings of the sessions. */
  readonly settings: Readonly<Record<string, string>>
  /** The client of the application whose database it is. */
  readonly application: ApplicationClient | undefined
  readonly connections: ConnectionUse
  /** How many sessions there are at most. */
  readonly maxConnections: number
  /** The client that changes the schema, where that is another one: the coordinator's. */
  readonly owner: SqlClient.SqlClient | undefined
  /** Runs one statement of fixed text, without a span. Transactions are left to `SqlClient`. */
  readonly run: <Row extends object>(
    text: string,
    parameters: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  /** Subscribes to a channel, on a session of its own; undefined where a pooler has none to give. */
  readonly listen: PgClient.PgClient["listen"] | undefined
}

/** How many sessions a client has at most, unless its options say otherwise. */
export const DEFAULT_CONNECTIONS = 10

const sessionsByClient = new WeakMap<SqlClient.SqlClient, Sessions>()

/** The sessions of a client; undefined where the client was not made by {@link makeClient}. */
export const sessionsOf = (client: SqlClient.SqlClient): Sessions | undefined => sessionsByClient.get(client)

/** The client that changes the schema of a client. */
export const ownerOf = (client: SqlClient.SqlClient): SqlClient.SqlClient => sessionsOf(client)?.owner ?? client

/** Runs an effect on the client that changes the schema. */
export const onOwner = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  SqlClient.SqlClient.use((client) => Effect.provideService(effect, SqlClient.SqlClient, ownerOf(client)))

const rowsOf = ({ rows }: PgConnection.Result) => rows

const WRITES = /\b(?:insert|update|delete)\b/i

/** How many texts are known at most. Those of the stores are few, and fixed. */
const MAX_TEXTS = 1_000

/** Whether the statements of these texts may write. */
const writing = new Map<string, boolean>()

/** Whether a statement of the stores may write. */
export const writes = (text: string): boolean => {
  const known = writing.get(text)
  if (known !== undefined) return known
  const found = WRITES.test(text)
  if (writing.size >= MAX_TEXTS) writing.clear()
  writing.set(text, found)
  return found
}

/** Whether a session is of a standby, and whether commits wait for one. */
const STATE = `
select pg_is_in_recovery() as is_standby,
  current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local')
    as is_synchronous`

/** Writes nothing but a record of the log, so that its commit waits until a synchronous standby has all commits before it. */
const AWAIT_STANDBY = "select pg_logical_emit_message(true, 'sojourn', '')::text"

/** The sessions that were checked, and whether the first write of each has yet to wait for the standby. */
const awaitsStandby = new WeakMap<PgConnection.PgConnection, boolean>()

/** Checks a session at its first use: the stores write, and read what they wrote. */
const check = (pool: PgPool.PgPool, session: PgConnection.PgConnection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(session.query(STATE), ({ rows }) => {
    const { is_standby, is_synchronous } = rows[0] as { readonly is_standby: boolean; readonly is_synchronous: boolean }
    if (is_standby) return Effect.andThen(pool.invalidate(session), Effect.fail(connectionError("it is a standby")))
    awaitsStandby.set(session, is_synchronous)
    return Effect.void
  })

/**
 * Waits, before the first statement of a session that may write, until a synchronous standby has what was committed before the
 * session began: a primary that was restarted shows commits that it never had the time to send. `on` is the session, or its reservation.
 */
const awaitStandby = (session: PgConnection.PgConnection, on = session): Effect.Effect<void, SqlError> =>
  awaitsStandby.get(session) === true
    ? Effect.map(neverCancelled(on.query(AWAIT_STANDBY)), () => void awaitsStandby.set(session, false))
    : Effect.void

/** Reserves a session for a transaction. */
const reserve = ({ session }: Lent) => Effect.tap(session.pin, (reserved) => awaitStandby(session, reserved))

/** A session, and the pool that lends it. */
interface Lent {
  readonly session: PgConnection.PgConnection
  readonly pool: PgPool.PgPool
}

/** Runs a statement with this text on the session that has it. */
type Run = <A>(text: string, statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>

/** Runs a statement of a session. One that may write is not cancelled: where it is interrupted, the pool closes the session. */
const runOn =
  ({ session, pool }: Lent): Run =>
  (text, statement) => {
    if (!writes(text)) return statement
    const write = awaitsStandby.get(session) === true ? Effect.andThen(awaitStandby(session), statement) : statement
    return Effect.onInterrupt(neverCancelled(write), () => pool.invalidate(session))
  }

/** A session as a connection of `SqlClient`. Rows are not transformed: the stores rename no columns. */
const connectionOf = (session: PgConnection.PgConnection, run: Run): Connection => ({
  execute: (text, parameters) => run(text, Effect.map(session.query(text, parameters), rowsOf)),
  executeRaw: (text, parameters) => run(text, session.query(text, parameters)),
  executeValues: (text, parameters) => run(text, session.queryValues(text, parameters)),
  executeUnprepared: (text, parameters) => run(text, Effect.map(session.query(text, parameters, false), rowsOf)),
  executeValuesUnprepared: (text, parameters) => run(text, session.queryValues(text, parameters, false)),
  executeStream: (text, parameters) => session.stream(text, parameters)
})

const lentConnection = (lent: Lent) => connectionOf(lent.session, runOn(lent))

/** How long the statements that control a transaction may take. */
const CONTROL_TIMEOUT = "15 seconds"

const CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/

/**
 * Runs a statement, and bounds the time of one that controls a transaction: a half-open connection never answers, and `SqlClient`
 * runs these statements uninterruptibly.
 */
const bounded: Run = (text, statement) =>
  CONTROL.test(text)
    ? Effect.timeoutOrElse(text === "COMMIT" ? neverCancelled(statement) : statement, {
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
const transactionConnection = (session: PgConnection.PgConnection): Connection => connectionOf(session, bounded)

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

/** What a client is made of. */
export interface ClientConfig extends Pick<Sessions, "schema" | "settings" | "application"> {
  readonly database: HostsConfig
  /** The schema's placement, where Citus distributes it; then the hosts' settings are those of the nodes. */
  readonly placement?: Placement | undefined
  /** Where channels are subscribed to; undefined: nowhere. */
  readonly notifications: "database" | HostsConfig | undefined
}

/** Lends sessions of hosts, which are checked at their first use. */
const makeLender = Effect.fnUntraced(function* (config: HostsConfig, placement?: Placement) {
  const hosts = yield* placement === undefined ? makeHosts(config) : makePlaced(config.hosts[0]!, placement)
  const isChecked = (session: PgConnection.PgConnection) => config.allowsStandby || awaitsStandby.has(session)
  return {
    /** Lends a session for one effect. */
    use: <A, E, R>(run: (lent: Lent) => Effect.Effect<A, E, R>) =>
      Effect.flatMap(hosts.pool, (pool) =>
        pool.use((session) => {
          const used = Effect.suspend(() => run({ session, pool }))
          return isChecked(session) ? used : Effect.andThen(check(pool, session), used)
        })
      ),
    /** Lends a session until the scope ends. */
    get: Effect.flatMap(hosts.pool, (pool) =>
      Effect.map(
        Effect.tap(pool.get, (session) => (isChecked(session) ? Effect.void : check(pool, session))),
        (session): Lent => ({ session, pool })
      )
    )
  }
})

/**
 * Makes a client over pools of sessions. `PgClient.make` does not expose its pool, which the fast path needs: `SqlClient` allocates
 * nearly as much for a statement as the session does.
 */
export const makeClient = Effect.fnUntraced(function* ({
  schema,
  settings,
  application,
  database: config,
  placement,
  notifications
}: ClientConfig) {
  const { use, get } = yield* makeLender(config, placement)
  const listener =
    notifications === undefined || notifications === "database" ? notifications : yield* makeLender(notifications)
  const { database } = config.hosts[0]!

  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.map(get, lentConnection),
    borrower: (run) => use((lent) => run(lentConnection(lent))),
    transactionAcquirer: Effect.map(Effect.flatMap(get, reserve), transactionConnection),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [
      ["db.system.name", "postgresql"],
      ...(database === undefined ? [] : [["db.namespace", database] as const])
    ]
  })
  const maxConnections = config.hosts[0]!.maxConnections ?? DEFAULT_CONNECTIONS
  const connections: ConnectionUse = { wanted: 0 }
  sessionsByClient.set(client, {
    schema,
    settings,
    application,
    connections,
    maxConnections,
    owner: placement?.coordinator,
    run: (text, parameters) =>
      Effect.map(
        use((lent) => runOn(lent)(text, lent.session.query(text, parameters))),
        rowsOf as never
      ),
    listen:
      listener === undefined
        ? undefined
        : (channel) =>
            Effect.flatMap(listener === "database" ? get : listener.get, ({ session }) =>
              Effect.flatMap(session.pin, (reserved) => reserved.listen(channel))
            )
  })
  return client
})
