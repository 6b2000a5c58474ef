/** The rows of a file of accesses, in requests of bounded size. */
import { FirstRowInvalid, makeCsvRows, makeJsonRows, type RowRead, type RowsReader } from "@sojourn/core"
import { Result } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { RowCounts } from "./RowCounts.ts"

/** The most rows of a request, and the most characters: fewer than 16 MiB of them. */
const MOST_ROWS = 50_000
const MOST_TEXT = 5_000_000

/** A row that cannot be read, and why. */
export interface UnreadRow {
  readonly line: number
  readonly reason: string
}

/** Rows for a request: lines of JSON, and the number of each in the file. */
export interface RowsOfFile {
  readonly lines: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<number>
  readonly unread: ReadonlyArray<UnreadRow>
  /** How much of the file was read, in bytes. */
  readonly bytes: number
}

/** The hash of a row of the file, of which equal ones are distinguished by the number of those before. */
const hashOf = (text: string, occurrence: number): Buffer =>
  createHash("sha256")
    .update(occurrence === 0 ? text : `${text}\n${occurrence}`)
    .digest()

/** A whole number from 1 to 2^53-1 of a hash. */
const numberOf = (hash: Buffer): number => 1 + (hash.readUIntBE(0, 6) % (2 ** 47 - 1))

/**
 * Reads the rows of a file of CSV or of lines of JSON, which it is by its first character. A row without a `key` gets one that is made of all that it
 * holds, and of the number of equal rows before: a file that is read again has the same keys, also when rows were added to it.
 */
export const readAccessFile = async function* (path: string): AsyncGenerator<RowsOfFile> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const counts = new RowCounts()
  let read: RowsReader | undefined
  let line = 0
  let bytes = 0
  let text = 0
  let lines: Array<string> = []
  let numbers: Array<number> = []
  let unread: Array<UnreadRow> = []

  const take = () => {
    const taken = { lines, numbers, unread, bytes }
    lines = []
    numbers = []
    unread = []
    text = 0
    return taken
  }
  const add = (found: RowRead) => {
    line++
    if (found === undefined) return
    if (Result.isFailure(found)) {
      unread.push({ line, reason: found.failure })
      return
    }
    const { whole } = found.success
    let { row } = found.success
    if (row.key === undefined || row.key === null || row.key === "") {
      const content = typeof whole === "string" ? whole : JSON.stringify(whole)
      const hash = hashOf(content, 0)
      const occurrence = counts.count(numberOf(hash))
      row = { ...row, key: (occurrence === 0 ? hash : hashOf(content, occurrence)).toString("base64url") }
    }
    const json = JSON.stringify(row)
    lines.push(json)
    numbers.push(line)
    text += json.length + 1
  }

  const pieces = async function* (): AsyncGenerator<readonly [string, isLast: boolean]> {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
      bytes += (chunk as Buffer).length
      yield [decoder.decode(chunk as Buffer, { stream: true }), false]
    }
    yield [decoder.decode(), true]
  }
  for await (const [piece, isLast] of pieces()) {
    if (read === undefined && piece.trim() === "" && !isLast) continue
    read ??= piece.trimStart().startsWith("{") ? makeJsonRows() : makeCsvRows()
    for (const found of read(piece, isLast)) {
      if (found instanceof FirstRowInvalid) throw new Error(`the first row names no ${found.missing.join(" and no ")}`)
      add(found)
      if (lines.length >= MOST_ROWS || text >= MOST_TEXT) yield take()
    }
  }
  yield take()
}
