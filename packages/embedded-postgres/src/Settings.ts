/** The postmaster's settings, by durability and transport. */
import type { ResolvedOptions } from "./Options.ts"

/** Settings of every server: small, equal on all machines, and without values of rows in the log. */
const COMMON = {
  max_connections: "100",
  jit: "off",
  // In a container that sees huge pages but may not use them, PostgreSQL would crash.
  huge_pages: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  log_line_prefix: "%m [%p] ",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  // Errors of statements are the client's to report, and many of them would fill the disk.
  log_min_messages: "log",
  log_checkpoints: "off"
}

/** Settings for durable commits. They are set explicitly, so that a changed postgresql.conf cannot disable them. */
const DURABLE = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  checkpoint_timeout: "10min"
}

/** Settings for speed: no waiting for the disk, and few processes. Data still survives a crash of PostgreSQL or Node. */
const FAST = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  io_method: "sync"
}

/** The transport and port on which the postmaster listens. */
export interface Listening {
  readonly transport: "socket" | "tcp"
  readonly port: number
}

/**
 * The setting that marks a postmaster as started by this package; its value is the id of the process that started it.
 * PostgreSQL accepts any name with a dot, and the postmaster's command line contains it.
 */
export const OWNER = "embedded_postgres.owner"

/** The postmaster's settings as command line arguments. The user's settings override the chosen ones. */
export const settingArguments = (options: ResolvedOptions, listening: Listening): ReadonlyArray<string> => {
  const decided = {
    restart_after_crash: "on",
    logging_collector: "off",
    log_destination: "stderr",
    port: String(listening.port),
    listen_addresses: listening.transport === "tcp" ? "127.0.0.1" : "",
    // Relative to the data directory, the postmaster's working directory: short and without characters to quote.
    unix_socket_directories: process.platform === "win32" ? "" : ".",
    unix_socket_permissions: "0700",
    [OWNER]: String(process.pid)
  }
  const chosen = { ...COMMON, ...(options.durability === "durable" ? DURABLE : FAST) }
  return Object.entries({ ...chosen, ...options.settings, ...decided }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`
  ])
}
