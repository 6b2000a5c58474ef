/** Creates, drops and finds the databases of a running server. */
import { randomUUID } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Schedule, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlError } from "effect/sql/SqlError"
import type { Connection } from "./Connection.ts"
import { DatabaseFailed } from "./Errors.ts"
import type { ResolvedOptions } from "./Options.ts"

/** How a database is made. */
export interface CreateOptions {
  /** The database to copy, with its contents. It must have no connections; creation waits up to 5 seconds for that. */
  readonly template?: string | undefined
}

/** The databases of a server. */
export interface Databases {
  /** Creates a database. Fails when there is one of this name, or no such template. */
  readonly createDatabase: (name: string, options?: CreateOptions) => Effect.Effect<void, DatabaseFailed>
  /** Drops a database and ends the connections to it. To drop one that does not exist does nothing. */
  readonly dropDatabase: (name: string) => Effect.Effect<void, DatabaseFailed>
  readonly databaseExists: (name: string) => Effect.Effect<boolean, DatabaseFailed>
  /** Creates a database of a new name for the time of the scope, and gives the name. */
  readonly temporaryDatabase: (options?: CreateOptions) => Effect.Effect<string, DatabaseFailed, Scope.Scope>
}

/** `source database is being accessed by other users`: a connection that was closed a moment ago still counts. */
const IN_USE = "55006"

const codeOf = ({ reason }: SqlError): string | undefined => {
  const cause: unknown = reason.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
}

const textOf = ({ reason }: SqlError): string => (reason.cause instanceof Error ? reason.cause.message : reason.message)

/** PostgreSQL cuts a longer name off in silence. */
const LONGEST_NAME = 63

/** How often, at 50 milliseconds, a template is tried that is in use. */
const TRIES = 100

export const make = (connection: Connection, durability: ResolvedOptions["durability"]): Databases => {
  const run = <A>(
    action: DatabaseFailed["action"],
    database: string,
    f: (sql: PgClient.PgClient) => Effect.Effect<A, SqlError>
  ): Effect.Effect<A, DatabaseFailed> => {
    const fail = (reason: string, code?: string) => new DatabaseFailed({ database, action, reason, code })
    if (database === "" || database.includes("\0") || Buffer.byteLength(database) > LONGEST_NAME) {
      return Effect.fail(fail(`a name has 1 to ${LONGEST_NAME} bytes and no NUL character`))
    }
    return PgClient.make({ ...connection, maxConnections: 1 }).pipe(
      Effect.flatMap(f),
      Effect.scoped,
      Effect.provide(Reactivity.layer),
      Effect.mapError((error) => fail(textOf(error), codeOf(error)))
    )
  }

  // A copy of files is several times quicker than one through the log, if it does not have to wait for the disk.
  const strategy = durability === "fast" ? "file_copy" : "wal_log"

  const createDatabase: Databases["createDatabase"] = (name, { template = "template1" } = {}) =>
    run("create", name, (sql) =>
      sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY ${sql.literal(strategy)}`.pipe(
        Effect.retry({
          while: (error) => codeOf(error) === IN_USE,
          times: TRIES,
          schedule: Schedule.spaced("50 millis")
        })
      )
    ).pipe(Effect.asVoid)

  const dropDatabase: Databases["dropDatabase"] = (name) =>
    Effect.asVoid(run("drop", name, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`))

  const databaseExists: Databases["databaseExists"] = (name) =>
    run("find", name, (sql) => sql`SELECT FROM pg_database WHERE datname = ${name}`).pipe(
      Effect.map((rows) => rows.length > 0)
    )

  const temporaryDatabase: Databases["temporaryDatabase"] = (options) =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        const name = `temporary_${randomUUID().replaceAll("-", "")}`
        return Effect.as(createDatabase(name, options), name)
      }),
      // Without its server there is no database to drop.
      (name) => Effect.ignore(dropDatabase(name))
    )

  return { createDatabase, dropDatabase, databaseExists, temporaryDatabase }
}
