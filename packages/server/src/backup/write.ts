/** Writes a backup file, which has its name only once it is complete and on the disk. */
import type { Rows } from "@sojourn/adapter-postgres"
import { Effect, Exit } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { pipeline } from "node:stream/promises"
import { constants, createGzip } from "node:zlib"
import type { StartupError } from "@sojourn/service"
import { io } from "../shared/io.ts"
import { type Head, type Mark, markLine } from "./format.ts"

/** A temporary file that was not written to for so long, in milliseconds, is of a backup that was killed. */
const ABANDONED_AFTER_MS = 60 * 60_000

/** Removes the temporary files of earlier backups to the same file that were killed. */
const removeAbandoned = async (file: string) => {
  const directory = path.dirname(file)
  for (const name of await fs.readdir(directory)) {
    if (!name.startsWith(`${path.basename(file)}.`) || !name.endsWith(".part")) continue
    const aside = path.join(directory, name)
    const { mtimeMs } = await fs.stat(aside)
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await fs.rm(aside, { force: true })
  }
}

/** Opens a temporary file beside the final name. */
const open = async (file: string) => {
  await removeAbandoned(file)
  // In a container the next process may have the number of one that was killed, and left its part.
  const aside = `${file}.${process.pid}.${randomUUID()}.part`
  const handle = await fs.open(aside, "wx", 0o600)
  const onDisk = handle.createWriteStream({ flush: true })
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  const written = pipeline(gzip, onDisk)
  // Ends a write that waits for the stream to drain, and fails the next one.
  const failed = new AbortController()
  written.catch((error) => failed.abort(error))
  const hash = createHash("sha256")
  let table: string | undefined
  let rows = 0

  const write = async (lines: ReadonlyArray<string>) => {
    const text = `${lines.join("\n")}\n`
    hash.update(text)
    if (!gzip.write(text)) await once(gzip, "drain", { signal: failed.signal }).catch(() => written)
  }
  const mark = (mark: Mark) => write([markLine(mark)])

  return {
    head: mark,
    rows: async (part: Rows) => {
      if (part.table !== table) await mark({ table: part.table })
      table = part.table
      rows += part.rows.length
      await write(part.rows)
    },
    /** Gives the whole file its name, once it is on the disk. */
    finish: async () => {
      gzip.end(`${markLine({ rows, sha256: hash.digest("hex") })}\n`)
      await written
      await fs.rename(aside, file)
      const directory = await fs.open(path.dirname(file))
      await directory.sync().finally(() => directory.close())
      return rows
    },
    abandon: async () => {
      gzip.destroy()
      await written.catch(() => {})
      await fs.rm(aside, { force: true })
    }
  }
}

/** What is written into a backup. */
export interface BackupWriter {
  readonly head: (head: Head) => Effect.Effect<void, StartupError>
  readonly rows: (rows: Rows) => Effect.Effect<void, StartupError>
}

/**
 * Writes a backup to a file, readable by its owner alone, in the place of an older one of that name. A file that could not be
 * finished is never there. Answers how many rows it holds.
 */
export const writeBackup = <A, E, R>(file: string, fill: (writer: BackupWriter) => Effect.Effect<A, E, R>) => {
  const writing = <A>(run: () => Promise<A>) => io(`${file} cannot be written`, run)
  return Effect.acquireUseRelease(
    writing(() => open(file)),
    (backup) =>
      fill({
        head: (head) => writing(() => backup.head(head)),
        rows: (rows) => writing(() => backup.rows(rows))
      }).pipe(Effect.andThen(writing(backup.finish))),
    (backup, exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.promise(backup.abandon))
  )
}
