import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer, type Redacted, type Scope } from "effect"
import { type Connection, connectionTo, socketFits, urlOf } from "./Connection.ts"
import * as Databases from "./Databases.ts"
import * as Directory from "./Directory.ts"
import { type EmbeddedPostgresError, useDirectory } from "./Errors.ts"
import { type Options, type ServerOptions, resolveOptions } from "./Options.ts"
import { acquireServer } from "./SharedServer.ts"

/** A running PostgreSQL and its databases. */
export interface Server extends Databases.Databases {
  /** How to connect, to the database `postgres`. It stays the same when PostgreSQL is restarted. */
  readonly connection: Connection
  /** The address of a database (default `postgres`) for other programs and drivers: psql, pg_dump, pg. */
  readonly url: (database?: string) => Redacted.Redacted
  /** The data directory, for `pg_ctl` and the like. */
  readonly dataDirectory: string
  /** The data was made by this start: there is nothing in it yet. */
  readonly isFresh: boolean
  /** The process id of PostgreSQL's postmaster, which a restart changes. */
  readonly processId: Effect.Effect<number>
}

/**
 * A PostgreSQL server that runs until its scope ends.
 *
 * Every user of the layer can connect as the superuser. Errors of the layer are {@link EmbeddedPostgresError}.
 */
export class EmbeddedPostgres extends Context.Service<EmbeddedPostgres, Server>()(
  "@sojourn/embedded-postgres/EmbeddedPostgres"
) {
  /** A server in a directory that lasts: durable, unless the options say `fast`. */
  static readonly layer = (options: Options): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresError> =>
    Layer.effect(EmbeddedPostgres, make(options))

  /** A fast server in a new temporary directory, which is removed at the end. */
  static readonly layerTemporary = (
    options: ServerOptions = {}
  ): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresError> =>
    Layer.effect(
      EmbeddedPostgres,
      Effect.flatMap(temporaryDirectory, (directory) => make({ ...options, directory, durability: "fast" }))
    )
}

const temporaryDirectory = Effect.acquireRelease(
  useDirectory(tmpdir(), () => mkdtempSync(join(tmpdir(), "embedded-postgres-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
)

/** Starts a server for the time of the scope; see {@link EmbeddedPostgres.layer}. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Server, EmbeddedPostgresError, Scope.Scope> {
  const resolved = yield* Effect.fromResult(resolveOptions(options))
  const directory = yield* Directory.open(options.directory)
  const transport = resolved.transport ?? (socketFits(directory) ? "socket" : "tcp")
  const { isFresh, listening, processId } = yield* acquireServer(directory, resolved, transport)
  const connection = yield* connectionTo(directory, listening)
  return EmbeddedPostgres.of({
    connection,
    url: (database = connection.database) => urlOf(connection, database),
    dataDirectory: directory.data,
    isFresh,
    processId: Effect.sync(processId),
    ...Databases.make(connection, resolved.durability)
  })
})
