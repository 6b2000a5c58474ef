import {
  closeSync,
  constants,
  copyFileSync,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  truncateSync
} from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isRoot } from "./Account.ts"
import type { Directory } from "./Directory.ts"
import { type DirectoryUnusable, useDirectory } from "./Errors.ts"

/** The log is moved to `postgres.log.1` when it is larger, so that the two never take more than some twice of it. */
const LARGEST = 8 * 1024 * 1024

/** How much of the end is looked at for a reason. */
const TAIL = 4000

/** The log, open for a child to append to. */
export interface Log {
  readonly descriptor: number
  /** What was written since it was opened, its end at least. */
  readonly end: () => string
}

/** Starts the log anew when it has grown too large. Writers append, so they go on at the new beginning. */
export const rotate = ({ log }: Directory): void => {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= LARGEST) return
  copyFileSync(log, `${log}.1`)
  truncateSync(log)
}

const openLog = (directory: Directory): Log => {
  rotate(directory)
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  const descriptor = openSync(directory.log, flags, 0o600)
  if (isRoot()) fchownSync(descriptor, directory.owner.uid, directory.owner.gid)
  const from = fstatSync(descriptor).size
  const end = () => {
    const { size } = fstatSync(descriptor)
    const start = Math.max(Math.min(from, size), size - TAIL)
    const bytes = Buffer.alloc(size - start)
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, start))
  }
  return { descriptor, end }
}

/** The log until the end of the scope. */
export const open = (directory: Directory): Effect.Effect<Log, DirectoryUnusable, Scope.Scope> =>
  Effect.acquireRelease(
    useDirectory(directory.path, () => openLog(directory)),
    ({ descriptor }) => Effect.sync(() => closeSync(descriptor))
  )

const PREFIX = /^\S+ \S+ \S+ \[\d+\] /

/** The line of a log that says why, or what is known without one. */
export const reasonIn = (end: string, otherwise: string): string => {
  const lines = end.split("\n").map((line) => line.replace(PREFIX, "").trim())
  const grave = lines.findLast((line) => /\b(PANIC|FATAL): |(^|: )(fatal|error|could not)\b/.test(line))
  return grave?.replace(/^(.*(PANIC|FATAL)|initdb: error): +/, "") ?? otherwise
}
