/** Makes the client of the stores. It sets the session parameters that all statements of the stores rely on. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { readDatabaseUrl } from "./databaseUrl.ts"
import { setMostConnections } from "./metrics.ts"
import { makeClient } from "./Sessions.ts"

/**
 * The address of a database: a URL, a socket with a user, or a client of the application.
 *
 * @since 0.1.0
 * @category models
 */
export type DatabaseAddress =
  | { readonly url: Redacted.Redacted<string> }
  /** A client whose database, user and TLS settings are used. The stores open sessions of their own there. */
  | { readonly client: Pick<PgClient.PgClient, "config"> }
  | {
      /** The file of a Unix socket; without it `host` and `port`. */
      readonly path?: string | undefined
      readonly host?: string | undefined
      readonly port?: number | undefined
      readonly username: string
      readonly password?: Redacted.Redacted<string> | undefined
      readonly database: string
    }

/**
 * The schema of the stores when none is named.
 *
 * @since 0.1.0
 * @category constants
 */
export const DEFAULT_SCHEMA = "sojourn"

/**
 * The schema of the stores in a database, and the limits of a process on it.
 *
 * @since 0.1.0
 * @category models
 */
export interface DatabaseOptions {
  /** The schema that has the tables, `sojourn` when left out. It is created when it is missing; no other one is touched. */
  readonly schema?: string | undefined
  /** How many connections at most; 10 when left out. Two processes on one database add up. */
  readonly maxConnections?: number | undefined
  /** How long one statement may run; 10 seconds when left out. */
  readonly statementTimeout?: Duration.Input | undefined
  /** Whether connections keep prepared statements, as some poolers cannot; they do when left out. */
  readonly prepare?: boolean | undefined
}

/**
 * The startup parameters of every session. Each statement of the stores is right for any size of the tables: it has an index for
 * every lookup, and is planned once for all parameters. With the defaults the planner would keep a full scan that it chose while a
 * table was empty, and would plan each batch again. Before PostgreSQL 18 a plan that cannot do without what is disabled counts as
 * so costly that it would be compiled (`jit`), which takes seconds and gains nothing.
 *
 * The stores rely on `read committed`: a statement sees what was committed before it began, also after it waited for a lock. The
 * timeouts bound how long a transaction may hold a lock that others wait for.
 */
const session = (schema: string, statementTimeout: string) => ({
  search_path: quoted(schema),
  default_transaction_isolation: "read committed",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
  statement_timeout: statementTimeout,
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "15s",
  timezone: "UTC"
})

/** An identifier as SQL. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** What connects to the hosts of an address. The names and types of an application's own statements are not taken over. */
const connectionsTo = (address: DatabaseAddress) => {
  const { url, ...rest } = "client" in address ? ownOf(address.client) : { url: undefined, ...address }
  const read = url === undefined ? Option.none() : readDatabaseUrl(Redacted.value(url))
  return Option.match(read, {
    // The driver says what is wrong with a URL that cannot be read.
    onNone: () => ({ hosts: [{ ...rest, url }], allowsStandby: false }),
    onSome: ({ hosts, allowsStandby }) => ({ hosts: hosts.map((host) => ({ ...rest, ...host })), allowsStandby })
  })
}

const ownOf = ({ config }: Pick<PgClient.PgClient, "config">) => {
  const { url, host, port, path, ssl, database, username, password, keepAlive, stream } = config
  return { url, host, port, path, ssl, database, username, password, keepAlive, stream }
}

/**
 * A client with the sessions that the stores need. It connects at the first use: it can be built while the database is
 * unreachable, and reconnects when the database is back.
 *
 * Statements do not share connections (`multiplex`), although that saves work: movements that commit on one connection wait for
 * each other's commit, and a silent connection would stay in use, where an exclusive one is closed with its statement.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient = (
  address: DatabaseAddress,
  {
    schema = DEFAULT_SCHEMA,
    maxConnections = 10,
    statementTimeout = "10 seconds",
    prepare = true
  }: DatabaseOptions = {}
): Layer.Layer<SqlClient.SqlClient, SqlError> => {
  setMostConnections(maxConnections)
  const options = {
    maxConnections,
    prepare,
    applicationName: "sojourn",
    connectTimeout: "5 seconds",
    startupParameters: session(schema, `${Duration.toMillis(Duration.fromInputUnsafe(statementTimeout))}ms`)
  } as const
  const { hosts, allowsStandby } = connectionsTo(address)
  const client = makeClient({ schema, allowsStandby, hosts: hosts.map((host) => ({ ...host, ...options })) })
  return Layer.effect(SqlClient.SqlClient, client).pipe(Layer.provide(Reactivity.layer))
}
