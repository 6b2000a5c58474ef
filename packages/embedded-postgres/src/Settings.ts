import type { ResolvedOptions } from "./Options.ts"

/** Small, the same everywhere, and quiet: what PostgreSQL writes to the log holds no values of anybody's rows. */
const COMMON = {
  max_connections: "100",
  jit: "off",
  // A container may see huge pages that it must not use, and dies of trying.
  huge_pages: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  log_line_prefix: "%m [%p] ",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  log_checkpoints: "off"
}

/** An answered commit is on the disk. Said aloud, so that an edited postgresql.conf cannot take it away in silence. */
const DURABLE = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  checkpoint_timeout: "10min"
}

/** Nothing waits for the disk, and few processes start. A crash of PostgreSQL or Node loses nothing even so. */
const FAST = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  io_method: "sync"
}

/** Where the postmaster listens. */
export interface Listening {
  readonly transport: "socket" | "tcp"
  readonly port: number
}

/**
 * The setting that marks a postmaster as one of this package's, with the process that started it. PostgreSQL takes any
 * name with a dot in it, and the postmaster's command line shows it for as long as it lives.
 */
export const OWNER = "embedded_postgres.owner"

/** The postmaster's settings, as arguments. */
export const settingArguments = (options: ResolvedOptions, listening: Listening): ReadonlyArray<string> => {
  const decided = {
    restart_after_crash: "on",
    logging_collector: "off",
    log_destination: "stderr",
    port: String(listening.port),
    listen_addresses: listening.transport === "tcp" ? "127.0.0.1" : "",
    // The postmaster works in the data directory: a relative path is short wherever that is, and needs no quotes.
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
