import { Duration, Option, Result } from "effect"
import { InvalidOptions } from "./Errors.ts"

/** The options of servers in temporary and in persistent directories. */
export interface ServerOptions {
  /**
   * The transport of connections.
   *
   * - `socket` (the default except on Windows): a Unix socket in the directory, for this user and root only.
   * - `tcp` (the default on Windows, and on macOS when the directory's path is too long for a socket): a free port of
   *   127.0.0.1, with a random password.
   */
  readonly transport?: "socket" | "tcp" | undefined
  /** Settings of PostgreSQL by name, such as `{ work_mem: "16MB" }`. They override those that this package chooses. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** The timeout of a start, including crash recovery, which starts over when it is interrupted (default 10 minutes). */
  readonly startTimeout?: Duration.Input | undefined
  /** The folder for PostgreSQL's programs, 60 MB per version (default: the cache of the user or of the machine). */
  readonly cacheDirectory?: string | undefined
}

/** The options of a server in a persistent directory. */
export interface Options extends ServerOptions {
  /** The server's own directory. It is created when it does not exist, and must contain nothing else. */
  readonly directory: string
  /** `durable` (the default) survives a power failure. `fast` never waits for the disk: a power failure destroys the data. */
  readonly durability?: "durable" | "fast" | undefined
  /**
   * What to do when another live process runs a server on the directory.
   *
   * - `refuse` (the default): fail with `DirectoryInUse`.
   * - `share`: use that server, which ends with that process.
   */
  readonly whenRunning?: "refuse" | "share" | undefined
}

/** Options with all defaults applied. */
export interface ResolvedOptions {
  readonly durability: "durable" | "fast"
  readonly whenRunning: "refuse" | "share"
  /** `undefined` selects the transport by the length of the directory's path. */
  readonly transport: "socket" | "tcp" | undefined
  readonly settings: Readonly<Record<string, string>>
  readonly startTimeout: Duration.Duration
  readonly cacheDirectory: string | undefined
}

/** Settings that only this package may set: with other values it could not connect to or manage its server. */
const DECIDED = new Set([
  "config_file",
  "data_directory",
  "embedded_postgres.owner",
  "external_pid_file",
  "hba_file",
  "ident_file",
  "listen_addresses",
  "log_destination",
  "logging_collector",
  "port",
  "restart_after_crash",
  "unix_socket_directories",
  "unix_socket_group",
  "unix_socket_permissions"
])

const refuse = (reason: string) => Result.fail(new InvalidOptions({ reason }))

const refusedSetting = ([name, value]: readonly [string, string]): string | undefined => {
  if (!/^[a-z_]\w*(\.[a-z_]\w*)?$/i.test(name)) return `${JSON.stringify(name)} is not the name of a setting`
  if (DECIDED.has(name.toLowerCase())) return `the setting ${name} is decided by this package`
  if (value.includes("\0")) return `the setting ${name} holds a NUL character`
  return undefined
}

/** Validates options and applies defaults. Fails with `InvalidOptions`. */
export const resolveOptions = (options: Partial<Options>): Result.Result<ResolvedOptions, InvalidOptions> => {
  const settings = options.settings ?? {}
  const refused = Object.entries(settings)
    .map(refusedSetting)
    .find((reason) => reason !== undefined)
  if (refused !== undefined) return refuse(refused)
  const startTimeout = Duration.fromInput(options.startTimeout ?? "10 minutes")
  if (Option.isNone(startTimeout) || !Duration.isGreaterThan(startTimeout.value, Duration.zero)) {
    return refuse("startTimeout must be more than zero")
  }
  const transport = options.transport ?? (process.platform === "win32" ? "tcp" : undefined)
  if (transport === "socket" && process.platform === "win32") return refuse("there are no sockets in files on Windows")
  return Result.succeed({
    durability: options.durability ?? "durable",
    whenRunning: options.whenRunning ?? "refuse",
    transport,
    settings,
    startTimeout: startTimeout.value,
    cacheDirectory: options.cacheDirectory
  })
}
