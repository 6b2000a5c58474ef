import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { setMostConnections } from "./metrics.ts"
import { makeClient } from "./Sessions.ts"

/** Where a database is: a URL, or a socket with a user of it. */
export type DatabaseAddress =
  | { readonly url: Redacted.Redacted<string> }
  | {
      /** The file of a Unix socket; without it `host` and `port`. */
      readonly path?: string | undefined
      readonly host?: string | undefined
      readonly port?: number | undefined
      readonly username: string
      readonly password?: Redacted.Redacted<string> | undefined
      readonly database: string
    }

/** How much of a database a process may use. */
export interface DatabaseBounds {
  /** How many connections at most; 10 when left out. Two processes on one database add up. */
  readonly maxConnections?: number | undefined
  /** How long one statement may run; 10 seconds when left out. */
  readonly statementTimeout?: Duration.Input | undefined
  /** Whether connections keep prepared statements, as some poolers cannot; they do when left out. */
  readonly prepare?: boolean | undefined
}

/**
 * What every session is started with. Each statement of the stores is right for any size of the tables: it has an index for
 * every row that it looks for, and is planned once, whatever its arrays hold. Left to itself the planner would read all of
 * a table that was empty when it looked, and go on doing so while the table grows; and it would plan a batch anew each time.
 *
 * The stores count on `read committed`: a statement sees what was committed before it began, also after it waited for a
 * lock. Nobody may hold a lock that others wait for longer than they are patient.
 */
const session = (statementTimeout: string) => ({
  default_transaction_isolation: "read committed",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
  statement_timeout: statementTimeout,
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "15s",
  timezone: "UTC"
})

/**
 * A client with the sessions that the stores need. It connects when it is first used, so it is built also while the
 * database is away, and goes on when it comes back.
 *
 * Statements do not share connections (`multiplex`), although that saves some of the work of each: movements that commit on
 * one connection wait for each other's disk, and a connection that went silent would be shared on and on, where one that is
 * had alone is given up with its statement.
 */
export const layerClient = (
  address: DatabaseAddress,
  { maxConnections = 10, statementTimeout = "10 seconds", prepare = true }: DatabaseBounds = {}
): Layer.Layer<SqlClient.SqlClient, SqlError> => {
  setMostConnections(maxConnections)
  const config = {
    ...address,
    maxConnections,
    prepare,
    applicationName: "sojourn",
    connectTimeout: "5 seconds",
    startupParameters: session(`${Duration.toMillis(Duration.fromInputUnsafe(statementTimeout))}ms`)
  } as const
  return Layer.effect(SqlClient.SqlClient, makeClient(config)).pipe(Layer.provide(Reactivity.layer))
}
