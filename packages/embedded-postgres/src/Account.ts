import { readFileSync, statSync } from "node:fs"
import * as Effect from "effect/Effect"
import { DirectoryUnusable, PlatformUnsupported } from "./Errors.ts"

/** The user whose processes PostgreSQL's are. It refuses to be root's. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** True where this process may act for every user. */
export const isRoot = (): boolean => process.getuid?.() === 0

/** The unprivileged users that machines have, the better one first. Nothing is ever added to the machine. */
const CANDIDATES = ["postgres", "nobody"]

const unprivileged = Effect.suspend(() => {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  for (const candidate of CANDIDATES) {
    const user = users.find(([name, , uid]) => name === candidate && Number(uid) > 0)
    if (user !== undefined) return Effect.succeed<Account>({ uid: Number(user[2]), gid: Number(user[3]) })
  }
  const reason = "PostgreSQL refuses to run as root, and there is neither a user postgres nor a user nobody"
  return Effect.fail(new PlatformUnsupported({ platform: process.platform, reason }))
})

const ownerOf = (path: string): Account | undefined => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

/**
 * Who PostgreSQL runs as for a data directory: this process's own user (`undefined`); or when that is root, the owner of
 * the data, else of the directory around it, else an unprivileged user of the machine.
 *
 * Fails with `DirectoryUnusable` when the data belongs to somebody else, and with `PlatformUnsupported` when this is root
 * and the machine has nobody else.
 */
export const accountFor = Effect.fnUntraced(function* (directory: string, data: string) {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  if (own === 0) return ownerOf(data) ?? ownerOf(directory) ?? (yield* unprivileged)
  const owner = statSync(data, { throwIfNoEntry: false })?.uid ?? own
  if (owner === own) return undefined
  const reason = `its data belongs to the user ${owner}, and this process runs as the user ${own}`
  return yield* new DirectoryUnusable({ directory, reason })
})
