/** A real PgBouncer, with the settings of the documentation, between servers and a PostgreSQL. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { findProgram, freePorts, runServer, unlessMissing } from "../../../adapter-ldap/test/programs.ts"

const found = findProgram("pgbouncer", process.env.SOJOURN_PGBOUNCER)

/** Why the tests with PgBouncer do not run, or undefined when they do. */
export const missing = unlessMissing(
  found,
  "no pgbouncer: install it (Debian: apt-get install pgbouncer), or name it in SOJOURN_PGBOUNCER"
)

export interface PgBouncer {
  /** The URL of a database through it. */
  readonly url: string
  readonly stop: () => Promise<void>
}

const start = Effect.fnUntraced(function* (database: URL) {
  if (found === undefined) return yield* Effect.die(new Error(missing))
  const directory = mkdtempSync(join(tmpdir(), "sojourn-pgbouncer-"))
  chmodSync(directory, 0o755)
  const [port = 0] = yield* freePorts(1)
  const file = join(directory, "pgbouncer.ini")
  const { hostname, port: behind, username, password } = database
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${behind} user=${username} password=${decodeURIComponent(password)}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 10",
    "max_client_conn = 200"
  ]
  writeFileSync(file, lines.join("\n"))
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  yield* runServer(directory, [found, "-q", ...user, file], port)
  const through = new URL(database)
  through.port = String(port)
  return { url: through.href }
})

/** Starts PgBouncer before the database of a URL. */
export const startPgBouncer = async (database: string): Promise<PgBouncer> => {
  const scope = await Effect.runPromise(Scope.make())
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return { ...(await Effect.runPromise(Scope.provide(start(new URL(database)), scope))), stop }
}
