import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { InvalidOptions } from "./Errors.ts"

/** What a server in a temporary directory and one in a lasting directory have in common. */
export interface ServerOptions {
  /**
   * How programs reach the server.
   *
   * - `socket` (the default but on Windows): a Unix socket in the directory, for this user (and root) alone.
   * - `tcp` (the default on Windows, and on macOS where the directory's path is too long for a socket): a free port of
   *   127.0.0.1, with a random password.
   */
  readonly transport?: "socket" | "tcp" | undefined
  /** Settings of PostgreSQL by name, such as `{ work_mem: "16MB" }`. They win over the ones this package chooses. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** How long the start may take, with the recovery after a crash, which begins anew when it is cut off (default 10 minutes). */
  readonly startTimeout?: Duration.Input | undefined
  /** Where PostgreSQL's programs are kept, 60 MB for each version (default: the user's, or the machine's, cache). */
  readonly cacheDirectory?: string | undefined
}

/** A server in a directory that lasts. */
export interface Options extends ServerOptions {
  /** The server's own directory. It is created when it is absent; nothing else may be kept in it. */
  readonly directory: string
  /** `durable` (the default) survives a power cut. `fast` never waits for the disk: a power cut destroys the data. */
  readonly durability?: "durable" | "fast" | undefined
  /**
   * What to do when another live process runs a server on the directory.
   *
   * - `refuse` (the default): fail with `DirectoryInUse`.
   * - `share`: use that server. When that process ends, this one starts the server again and goes on.
   */
  readonly whenRunning?: "refuse" | "share" | undefined
}

/** Options with every choice made. */
export interface ResolvedOptions {
  readonly durability: "durable" | "fast"
  readonly whenRunning: "refuse" | "share"
  /** `undefined` for what suits the directory. */
  readonly transport: "socket" | "tcp" | undefined
  readonly settings: Readonly<Record<string, string>>
  readonly startTimeout: Duration.Duration
  readonly cacheDirectory: string | undefined
}

/** What this package decides: another value would cut it off from its own server. */
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

/** Checks options and fills in what they leave open. */
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
