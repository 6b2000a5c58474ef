/** The rows of a file of accesses, in requests of bounded size. */
import { ACCESS_COLUMNS, makeCsvReader, NEEDED_ACCESS_COLUMNS } from "@sojourn/core"
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

/** The first row of the file does not name the columns that are needed. */
export class FirstRowMissing extends Error {}

type Row = Readonly<Record<string, unknown>>

/** A row of the file: its text with everything that it holds, and its columns; or why it cannot be read. */
type Read = { readonly text: string; readonly row: Row } | { readonly reason: string } | undefined

/** Reads pieces of CSV, whose first record names the columns. */
const makeReadCsv = () => {
  const read = makeCsvReader()
  let names: ReadonlyArray<string> | undefined
  return function* (piece: string, isLast: boolean): Generator<Read> {
    for (const record of read(piece, isLast)) {
      if (names === undefined) {
        names = "fault" in record ? [] : record.map((name) => name.trim())
        const missing = NEEDED_ACCESS_COLUMNS.filter((column) => !names!.includes(column))
        if (missing.length > 0) throw new FirstRowMissing(`the first row names no ${missing.join(" and no ")}`)
      } else if ("fault" in record) yield { reason: record.fault }
      else if (record.length > names.length) yield { reason: "it has more fields than the first row" }
      else if (record.length === 1 && record[0] === "") yield undefined
      else {
        const row: Record<string, unknown> = {}
        for (const column of ACCESS_COLUMNS) {
          const value = record[names.indexOf(column)]
          if (value !== undefined && value !== "") row[column] = value
        }
        yield { text: JSON.stringify(record), row }
      }
    }
  }
}

/** Reads pieces of lines of JSON. */
const makeReadJson = () => {
  let rest = ""
  return function* (piece: string, isLast: boolean): Generator<Read> {
    const lines = (rest + piece).split("\n")
    rest = isLast ? "" : lines.pop()!
    for (const line of lines) {
      const text = line.trim()
      if (text === "") {
        yield undefined
        continue
      }
      let row: unknown
      try {
        row = JSON.parse(text)
      } catch {
        yield { reason: "it is no JSON" }
        continue
      }
      if (typeof row === "object" && row !== null && !Array.isArray(row)) yield { text, row: row as Row }
      else yield { reason: "it is no object" }
    }
  }
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
  let read: ReturnType<typeof makeReadCsv> | undefined
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
  const add = (found: Read) => {
    line++
    if (found === undefined) return
    if ("reason" in found) {
      unread.push({ line, reason: found.reason })
      return
    }
    let { row } = found
    if (row["key"] === undefined || row["key"] === null || row["key"] === "") {
      const hash = hashOf(found.text, 0)
      const occurrence = counts.count(numberOf(hash))
      row = { ...row, key: (occurrence === 0 ? hash : hashOf(found.text, occurrence)).toString("base64url") }
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
    read ??= piece.trimStart().startsWith("{") ? makeReadJson() : makeReadCsv()
    for (const found of read(piece, isLast)) {
      add(found)
      if (lines.length >= MOST_ROWS || text >= MOST_TEXT) yield take()
    }
  }
  yield take()
}
