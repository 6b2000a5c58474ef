import { closeSync, fchownSync, lchownSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isRoot } from "./Account.ts"
import { type DirectoryUnusable, useDirectory } from "./Errors.ts"
import type { Directory } from "./Directory.ts"

/** SQLite's result code for a lock that somebody else holds. */
const BUSY = 5

/** Exclusive creation only: to open and close a file that is locked would drop this process's own locks on it. */
const create = ({ lock, owner }: Directory) => {
  try {
    const descriptor = openSync(lock, "wx", 0o600)
    if (isRoot()) fchownSync(descriptor, owner.uid, owner.gid)
    closeSync(descriptor)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** For the message to whom the lock is refused. It says something only while the lock is held. */
const sign = ({ holder, owner }: Directory) => {
  rmSync(holder, { force: true })
  writeFileSync(holder, `${process.pid}\n`, { flag: "wx", mode: 0o600 })
  if (isRoot()) lchownSync(holder, owner.uid, owner.gid)
}

/** The process that holds the lock, where it could be found out. */
export const holder = (directory: Directory): number | undefined => {
  try {
    return Number(readFileSync(directory.holder, "utf8")) || undefined
  } catch {
    return undefined
  }
}

/** Asked for when it is needed: who bundles this package may also run where there is none. */
const sqlite = () => {
  const found = process.getBuiltinModule?.("node:sqlite")
  if (found === undefined) throw new Error(`Node 22.13 or newer is needed, and this is ${process.version}`)
  return found
}

const tryToHold = (directory: Directory): DatabaseSync | undefined => {
  create(directory)
  const database = new (sqlite().DatabaseSync)(directory.lock)
  try {
    // Nothing is ever written: there is nothing to keep a journal of.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE")
    sign(directory)
    return database
  } catch (error) {
    database.close()
    if ((error as { readonly errcode?: number }).errcode === BUSY) return undefined
    throw error
  }
}

/**
 * Holds the directory for this process until the scope ends, or gives `false` at once when another one holds it.
 *
 * The lock is the kernel's, on an empty file, and SQLite is Node's way to it: it ends with its process whatever way that
 * ends, is blind to process ids that are used again or belong to another container, and leaves nothing to clean up.
 */
export const hold = (directory: Directory): Effect.Effect<boolean, DirectoryUnusable, Scope.Scope> =>
  Effect.acquireRelease(
    useDirectory(directory.path, () => tryToHold(directory)),
    (held) => Effect.sync(() => held?.close())
  ).pipe(Effect.map((held) => held !== undefined))
