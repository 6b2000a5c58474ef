import { readFileSync, statSync } from "node:fs"
import { Effect } from "effect"
import { DirectoryUnusable, PlatformUnsupported, useDirectory } from "./Errors.ts"

/** The user that PostgreSQL runs as. PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Whether this process runs as root. */
export const isRoot = (): boolean => process.getuid?.() === 0

/** Unprivileged users that machines commonly have, by preference. No user is ever created. */
const CANDIDATES = ["postgres", "nobody"]

const unprivileged = (): Account | undefined => {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const [found] = CANDIDATES.flatMap((name) => users.filter(([user, , uid]) => user === name && Number(uid) > 0))
  return found === undefined ? undefined : { uid: Number(found[2]), gid: Number(found[3]) }
}

const NO_UNPRIVILEGED_USER = "PostgreSQL refuses to run as root, and there is neither a user postgres nor a user nobody"

const ownerOf = (path: string): Account | undefined => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

/**
 * The user that PostgreSQL runs as for a data directory: this process's own user (`undefined`). When that is root: the owner
 * of the data, else of the directory that contains it, else an unprivileged user of the machine.
 *
 * Fails with `DirectoryUnusable` when the data belongs to another user, and with `PlatformUnsupported` when this process is
 * root and the machine has no unprivileged user.
 */
export const accountFor = Effect.fnUntraced(function* (
  directory: string,
  data: string
): Effect.fn.Return<Account | undefined, DirectoryUnusable | PlatformUnsupported> {
  const own = process.getuid?.()
  if (own === 0) {
    const account = yield* useDirectory(directory, () => ownerOf(data) ?? ownerOf(directory) ?? unprivileged())
    return account ?? (yield* new PlatformUnsupported({ platform: process.platform, reason: NO_UNPRIVILEGED_USER }))
  }
  const owner = yield* useDirectory(directory, () => statSync(data, { throwIfNoEntry: false })?.uid)
  if (own === undefined || owner === undefined || owner === own) return undefined
  const reason = `its data belongs to the user ${owner}, and this process runs as the user ${own}`
  return yield* new DirectoryUnusable({ directory, reason })
})
