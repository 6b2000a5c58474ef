/** PostgreSQL's log file: its end, and the reason of a failure in it. */
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statfsSync,
  statSync
} from "node:fs"
import { Effect, type Scope } from "effect"
import { isRoot } from "./Account.ts"
import type { Directory } from "./Directory.ts"
import { type DirectoryUnusable, useDirectory } from "./Errors.ts"

/** The size above which a start moves the log to `postgres.log.1`, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024

/** The length of the end in which a reason is searched, in bytes. */
const TAIL = 4000

/** The open log file, for a child process to append to. */
export interface Log {
  readonly descriptor: number
  /** Returns the text that was appended since the log was opened, at most its last 4000 bytes. */
  readonly end: () => string
}

const openLog = (directory: Directory): Log => {
  const { log } = directory
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(log, `${log}.1`)
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  const descriptor = openSync(log, flags, 0o600)
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

/** Opens the log for a start; the end of the scope closes it. */
export const open = (directory: Directory): Effect.Effect<Log, DirectoryUnusable, Scope.Scope> =>
  Effect.acquireRelease(
    useDirectory(directory.path, () => openLog(directory)),
    ({ descriptor }) => Effect.sync(() => closeSync(descriptor))
  )

const PREFIX = /^\S+ \S+ \S+ \[\d+\] /

/** What systems say of a full disk, and PostgreSQL when the disk is full in the middle of a page. */
const NO_SPACE = /:? *(no space left on device|wrote only \d+ of \d+ bytes\b.*)/i

const GRAVE = /\b(PANIC|FATAL): |(^|: )(fatal|error|could not)\b/
const SEVERITY = /^(.*(PANIC|FATAL|ERROR)|initdb: error): +/

const linesOf = (end: string) => end.split("\n").map((line) => line.replace(PREFIX, "").trim())

/** The first line of a log that states that the disk is full, or `otherwise` when there is none. */
export const fullDiskIn = (end: string, otherwise: string): string => {
  const line = linesOf(end).find((line) => NO_SPACE.test(line))
  if (line === undefined) return otherwise
  return `no space left on the disk: ${line.replace(SEVERITY, "").replace(NO_SPACE, "")}`
}

/** The size of the files of the write-ahead log, in bytes. */
const SEGMENT = 16 * 1024 * 1024

/**
 * `otherwise`, unless the disk has no space for the next file of the write-ahead log: then that is the likely reason, which the log misses
 * when it is on the same disk.
 */
export const unlessFull = ({ path }: Directory, otherwise: string): string => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < SEGMENT ? "no space left on the disk" : otherwise
}

/** The last line of a log that states an error, or `otherwise` when there is none. A full disk comes before errors that follow from it. */
export const reasonIn = (end: string, otherwise: string): string =>
  fullDiskIn(
    end,
    linesOf(end)
      .findLast((line) => GRAVE.test(line))
      ?.replace(SEVERITY, "") ?? otherwise
  )
