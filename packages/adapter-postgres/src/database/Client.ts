/** Makes the client of the stores. It sets the session parameters that all statements of the stores rely on. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgPool from "@effect/sql-pg/PgPool"
import { Effect, Layer, Metric, Option, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { readDatabaseUrl } from "./databaseUrl.ts"
import type { HostsConfig } from "./Hosts.ts"
import { showConnections } from "./metrics.ts"
import { type ApplicationClient, DEFAULT_CONNECTIONS, makeClient, sessionsOf } from "./Sessions.ts"
import { placedSchemaOf } from "./placement.sql.ts"
import {
  DEFAULT_SCHEMA,
  requireSchemaName,
  type SchemaNameRefused,
  settingsOf,
  type SettingsOptions
} from "./settings.ts"

/** The address of a database: a URL, a socket with a user, or a client of the application. */
export type DatabaseAddress =
  | { readonly url: Redacted.Redacted<string> }
  /**
   * A client whose database, user and TLS settings are used. The stores open sessions of their own there; operations in a transaction of the
   * client are part of it.
   */
  | { readonly client: PgClient.PgClient }
  | {
      /** The file of a Unix socket; without it `host` and `port`. */
      readonly path?: string | undefined
      readonly host?: string | undefined
      readonly port?: number | undefined
      readonly username: string
      readonly password?: Redacted.Redacted<string> | undefined
      readonly database: string
    }

/** The schema of the stores in a database, and the limits of a process on it. */
export interface DatabaseOptions extends SettingsOptions {
  /** How many connections at most; 10 when left out. Two processes on one database add up. */
  readonly maxConnections?: number | undefined
  /**
   * Whether a pooler stands before the database that gives a session to each transaction, as PgBouncer with `pool_mode = transaction`
   * does. Then nothing is prepared, and the user of the database has the settings of sessions ({@link requireSettings}).
   */
  readonly pooled?: boolean | undefined
  /**
   * Where the notifications of other processes are received, past a pooler. Left out: at the address; with `pooled` nowhere, and what
   * others publish is seen within a second.
   */
  readonly notifications?: DatabaseAddress | undefined
  /**
   * Whether Citus, of version 13 or newer, distributes the schema ({@link distributeSchema}). The address is the coordinator's; the sessions
   * are opened on the node that has the schema, with the same user, and follow it when it moves. No pooler may stand before the nodes.
   */
  readonly citus?: boolean | undefined
}

/** What connects to the hosts of an address. The names and types of an application's own statements are not taken over. */
const connectionsTo = (address: DatabaseAddress, options: PgPool.Config): HostsConfig => {
  const { url, ...rest } = "client" in address ? ownOf(address.client) : { url: undefined, ...address }
  const read = url === undefined ? Option.none() : readDatabaseUrl(Redacted.value(url))
  return Option.match(read, {
    // The driver says what is wrong with a URL that cannot be read.
    onNone: () => ({ hosts: [{ ...rest, url, ...options }], allowsStandby: false }),
    onSome: ({ hosts, allowsStandby }) => ({
      hosts: hosts.map((host) => ({ ...rest, ...host, ...options })),
      allowsStandby
    })
  })
}

/** The settings of sessions of Citus's coordinator, which change the schema: generic plans do not fit its statements. */
const coordinatorSettingsOf = (settings: SettingsOptions) => ({ ...settingsOf(settings), plan_cache_mode: "auto" })

/** The settings of sessions of a node: they use shards, and make views of them, on that node alone. */
const nodeSettingsOf = ({ schema = DEFAULT_SCHEMA, ...settings }: SettingsOptions) => ({
  ...settingsOf({ ...settings, schema: placedSchemaOf(schema) }),
  "citus.enable_manual_changes_to_shards": "on",
  "citus.override_table_visibility": "off",
  "citus.enable_ddl_propagation": "off"
})

/** The client of an address, and why operations are not part of its transactions. */
const applicationOf = (address: DatabaseAddress, refusal?: string): ApplicationClient | undefined => {
  if (!("client" in address)) return undefined
  const { client } = address
  const hasTypes = client.config.types !== undefined
  return { client, refusal: refusal ?? (hasTypes ? "its client decodes values by types of its own" : undefined) }
}

/** Has the metrics show the connections of a client as long as the scope is open. */
const shown = <E, R>(making: Effect.Effect<SqlClient.SqlClient, E, R>) =>
  Effect.gen(function* () {
    const client = yield* making
    const { connections, maxConnections } = sessionsOf(client)!
    const hide = showConnections(connections, maxConnections, yield* Metric.CurrentMetricAttributes)
    yield* Effect.addFinalizer(() => Effect.sync(hide))
    return client
  })

const ownOf = ({ config }: PgClient.PgClient) => {
  const { url, host, port, path, ssl, database, username, password, keepAlive, stream } = config
  return { url, host, port, path, ssl, database, username, password, keepAlive, stream }
}

/**
 * A client with the sessions that the stores need. It connects at the first use: it can be built while the database is
 * unreachable, and reconnects when the database is back.
 *
 * Statements do not share connections (`multiplex`), although that saves work: movements that commit on one connection wait for
 * each other's commit, and a silent connection would stay in use, where an exclusive one is closed with its statement.
 */
export const layerClient = (
  address: DatabaseAddress,
  options: DatabaseOptions = {}
): Layer.Layer<SqlClient.SqlClient, SqlError | SchemaNameRefused> =>
  Layer.unwrap(
    Effect.as(
      requireSchemaName(options.schema ?? DEFAULT_SCHEMA, options.citus === true ? placedSchemaOf("") : ""),
      clientOf(address, options)
    )
  )

const clientOf = (
  address: DatabaseAddress,
  { maxConnections = DEFAULT_CONNECTIONS, pooled = false, notifications, citus = false, ...settings }: DatabaseOptions
): Layer.Layer<SqlClient.SqlClient, SqlError> => {
  const options = { maxConnections, applicationName: "sojourn", connectTimeout: "5 seconds" } as const
  const direct = { ...options, startupParameters: settingsOf(settings) }
  const schema = settings.schema ?? DEFAULT_SCHEMA
  if (citus) {
    return Layer.effect(
      SqlClient.SqlClient,
      Effect.gen(function* () {
        const coordinator = yield* makeClient({
          schema,
          settings: coordinatorSettingsOf(settings),
          application: undefined,
          database: connectionsTo(address, {
            ...direct,
            maxConnections: 2,
            startupParameters: coordinatorSettingsOf(settings)
          }),
          notifications: undefined
        })
        const database = connectionsTo(address, { ...direct, startupParameters: nodeSettingsOf(settings) })
        return yield* shown(
          makeClient({
            schema,
            settings: nodeSettingsOf(settings),
            application: applicationOf(address, "Citus has its tables on another node"),
            database,
            placement: { schema, coordinator },
            notifications: "database"
          })
        )
      })
    ).pipe(Layer.provide(Reactivity.layer))
  }
  const listening = notifications ?? (pooled ? undefined : address)
  const client = makeClient({
    schema,
    settings: settingsOf(settings),
    application: applicationOf(address),
    database: connectionsTo(address, pooled ? { ...options, prepare: false } : direct),
    notifications: listening === address ? "database" : listening && connectionsTo(listening, direct)
  })
  return Layer.effect(SqlClient.SqlClient, shown(client)).pipe(Layer.provide(Reactivity.layer))
}
