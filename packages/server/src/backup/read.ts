/** Reads the rows of a backup file, and refuses a file that is none or is not whole. */
import type { Rows } from "@sojourn/adapter-postgres"
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"
import { StartupError } from "@sojourn/service"
import { type Head, markOf } from "./format.ts"

/** The file is no backup, or not all of one. */
class Damaged extends Error {}

/** How many characters of rows are handed on at once, and how many rows. */
const AT_ONCE = { characters: 256 * 1024, rows: 2000 }

/** The longest line, in characters: a row with an area of a mebibyte, all of which is escaped. */
const LONGEST_LINE = 8 * 1024 * 1024

/** The lines of a file, many at once. */
async function* linesOf(file: string): AsyncGenerator<ReadonlyArray<string>> {
  const gunzip = createGunzip()
  const source = createReadStream(file)
  source.on("error", (error) => gunzip.destroy(error))
  let rest = ""
  try {
    for await (const chunk of source.pipe(gunzip).setEncoding("utf8")) {
      const lines: Array<string> = chunk.split("\n")
      lines[0] = rest + lines[0]!
      rest = lines.pop()!
      if (rest.length > LONGEST_LINE) throw new Damaged("it has a line that is too long")
      yield lines
    }
  } finally {
    source.destroy()
  }
  if (rest !== "") throw new Damaged("it is cut short")
}

/** Reads all of a file, and answers its head if the file is whole. */
const check = async (file: string): Promise<Head> => {
  const hash = createHash("sha256")
  let head: Head | undefined
  let rows = 0
  let isEnded = false
  let isInTable = false
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      if (isEnded) throw new Damaged("something follows its end")
      const mark = markOf(line)
      if (head === undefined) {
        if (mark === undefined || !("sojournBackup" in mark)) throw new Damaged("it has no head")
        head = mark
      } else if (mark === undefined) {
        if (!isInTable || !line.startsWith("{")) throw new Damaged("it has a line that is no row")
        rows++
      } else if ("table" in mark) isInTable = true
      else if ("sojournBackup" in mark) throw new Damaged("it has two heads")
      else if ("sha256" in mark) {
        isEnded = true
        if (mark.sha256 !== hash.digest("hex") || mark.rows !== rows) throw new Damaged("its checksum is wrong")
        continue
      }
      hash.update(`${line}\n`)
    }
  }
  if (head === undefined || !isEnded) throw new Damaged("it is cut short")
  return head
}

/** The rows of a file that was checked. */
async function* rowsOf(file: string): AsyncGenerator<Rows> {
  let table = ""
  let rows: Array<string> = []
  let characters = 0
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      const mark = markOf(line)
      if (mark === undefined) {
        rows.push(line)
        characters += line.length
      }
      if (rows.length > 0 && (mark !== undefined || characters > AT_ONCE.characters || rows.length >= AT_ONCE.rows)) {
        yield { table, rows }
        rows = []
        characters = 0
      }
      if (mark !== undefined && "table" in mark) table = mark.table
    }
  }
}

const refused = (file: string) => (error: unknown) => {
  const isMissing = (error as { readonly code?: unknown }).code === "ENOENT"
  const reason = isMissing ? "there is no such file" : error instanceof Damaged ? error.message : "it is damaged"
  return new StartupError({ message: `${file} is no backup that can be restored: ${reason}` })
}

/** The head of a backup, all of which was read: a file that is damaged or cut short is refused. */
export const checkBackup = (file: string): Effect.Effect<Head, StartupError> =>
  Effect.tryPromise({ try: () => check(file), catch: refused(file) })

/** The rows of a backup that was checked, table by table. */
export const backupRows = (file: string): Stream.Stream<Rows, StartupError> =>
  Stream.fromAsyncIterable(rowsOf(file), refused(file))
