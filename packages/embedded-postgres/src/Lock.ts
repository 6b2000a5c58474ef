/** Keeps two processes from running a server on one directory. */
import { closeSync, fchownSync, lchownSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { Effect, type Scope } from "effect"
import { isRoot } from "./Account.ts"
import { type DirectoryUnusable, useDirectory } from "./Errors.ts"
import type { Directory } from "./Directory.ts"

/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5

/** Creates the file exclusively: opening and closing a locked file would drop this process's own locks on it. */
const create = ({ lock, owner }: Directory) => {
  try {
    const descriptor = openSync(lock, "wx", 0o600)
    if (isRoot()) fchownSync(descriptor, owner.uid, owner.gid)
    closeSync(descriptor)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** Writes the process id of the holder, for the error of other processes. It is valid only while the lock is held. */
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

/** Loads SQLite on first use: a bundle of this package may also run on a Node version without it. */
const sqlite = () => {
  const found = process.getBuiltinModule?.("node:sqlite")
  if (found === undefined) throw new Error(`Node 22.19 or newer is needed, and this is ${process.version}`)
  return found
}

const tryToHold = (directory: Directory): DatabaseSync | undefined => {
  create(directory)
  const database = new (sqlite().DatabaseSync)(directory.lock)
  try {
    // Nothing is ever written, so no journal file is needed.
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
 * Locks the directory for this process until the scope ends. Returns `false` at once when another process holds the lock.
 *
 * It is a kernel lock on an empty file, taken through SQLite because Node has no other interface to it. The kernel releases
 * it when the process ends in any way, reused process ids and those of other containers do not matter, and nothing is left.
 */
export const hold = (directory: Directory): Effect.Effect<boolean, DirectoryUnusable, Scope.Scope> =>
  Effect.acquireRelease(
    useDirectory(directory.path, () => tryToHold(directory)),
    (held) => Effect.sync(() => held?.close())
  ).pipe(Effect.map((held) => held !== undefined))
