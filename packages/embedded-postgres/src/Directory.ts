import { readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { type Account, isRoot } from "./Account.ts"
import { DirectoryUnusable, OtherMajorVersion, useDirectory } from "./Errors.ts"
import { makeDirectory } from "./makeDirectory.ts"

/**
 * A server's own directory.
 *
 * When this process is root, the directory stays root's, and `data` alone belongs to the account that PostgreSQL runs as:
 * root never writes where an unprivileged user could have put a symlink.
 */
export interface Directory {
  /** The real path: no symlinks, no relative parts. */
  readonly path: string
  /** PostgreSQL's data directory, and where its socket is. It exists only when it is complete. */
  readonly data: string
  /** What PostgreSQL writes. */
  readonly log: string
  /** An empty file, which the process that runs the server holds locked. */
  readonly lock: string
  /** The process id of the lock's holder. */
  readonly holder: string
  /** The password for TCP. */
  readonly password: string
  /** Whose the directory is. */
  readonly owner: Account
}

/** The files that a killed start may leave in a directory without data, and what a newly mounted disk contains. */
const OURS = /^(data\.new-.*|lock|holder|password|postgres\.log|postgres\.log\.1|programs|lost\+found)$/

const prepare = (input: string): Directory | DirectoryUnusable => {
  // Root's directory can be traversed by other users, so that they can run programs in it. Each entry has its own mode.
  makeDirectory(resolve(input), isRoot() ? 0o711 : 0o700)
  const path = realpathSync(input)
  const { gid, uid } = statSync(path)
  const at = (name: string) => join(path, name)
  const data = at("data")
  const entries = readdirSync(path)
  const foreign = entries.includes("data") ? undefined : entries.find((name) => !OURS.test(name))
  if (foreign !== undefined) {
    const reason = `it holds other files (${foreign}), and a server needs a directory of its own`
    return new DirectoryUnusable({ directory: path, reason })
  }
  const names = { log: at("postgres.log"), lock: at("lock"), holder: at("holder"), password: at("password") }
  return { path, data, ...names, owner: { uid, gid } }
}

/**
 * Makes the directory where it is absent, for this user alone. Fails with `DirectoryUnusable` when that cannot be done, or
 * when it holds something else.
 */
export const open = (input: string): Effect.Effect<Directory, DirectoryUnusable> =>
  useDirectory(resolve(input), () => prepare(input)).pipe(
    Effect.flatMap((opened) => (opened instanceof DirectoryUnusable ? Effect.fail(opened) : Effect.succeed(opened)))
  )

/** The major version that made the data, such as `18`; `undefined` when there is no data yet. */
const versionOf = (directory: Directory): string | undefined => {
  if (statSync(directory.data, { throwIfNoEntry: false }) === undefined) return undefined
  return readFileSync(join(directory.data, "PG_VERSION"), "utf8").trim()
}

/**
 * Whether the directory has data already, which this major version can read.
 *
 * Fails with `OtherMajorVersion` when another one made it, and with `DirectoryUnusable` when `data` is something else.
 */
export const hasData = (
  directory: Directory,
  supported: string
): Effect.Effect<boolean, DirectoryUnusable | OtherMajorVersion> =>
  useDirectory(directory.path, () => versionOf(directory)).pipe(
    Effect.flatMap((found) =>
      found === undefined || found === supported
        ? Effect.succeed(found !== undefined)
        : Effect.fail(new OtherMajorVersion({ directory: directory.path, found, supported }))
    )
  )

/**
 * Removes the incomplete data of starts that were killed. The lock must be held. A killed process may still be writing:
 * files that cannot be removed now do no harm and are removed by the next start.
 */
export const sweep = (directory: Directory): void => {
  for (const name of readdirSync(directory.path).filter((entry) => entry.startsWith("data.new-"))) {
    try {
      rmSync(join(directory.path, name), { recursive: true, force: true })
    } catch {
      // The next start tries again.
    }
  }
}
