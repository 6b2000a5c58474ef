/** Reads the rows of accesses from the text of a body, in portions. */
import {
  ACCESS_COLUMNS,
  type AccessColumn,
  type AccessDraft,
  type CsvRecord,
  makeCsvReader,
  NEEDED_ACCESS_COLUMNS,
  readAccess,
  type RefusedRow
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { BadRequest } from "../../api/shared/refusals.ts"

/** How many characters are read before the event loop serves other requests. */
const PORTION = 32_768

/** The longest line of JSON, in characters. */
const LONGEST_LINE = 65_536

/** A row that was read: a draft, or why there is none; undefined for an empty line. */
type Read = Result.Result<AccessDraft, string> | undefined

/** The rows of a file. */
export interface FileRows {
  readonly drafts: ReadonlyArray<AccessDraft>
  readonly refused: ReadonlyArray<RefusedRow>
}

const isEmpty = (record: CsvRecord): boolean => Array.isArray(record) && record.length === 1 && record[0] === ""

/** Makes the reader of a record by the names of the first row. */
const makeRecordReader = (names: ReadonlyArray<string>) => {
  const positions = new Map(ACCESS_COLUMNS.map((column) => [column, names.indexOf(column)]))
  return (line: number, record: CsvRecord): Read => {
    if (isEmpty(record)) return undefined
    if ("fault" in record) return Result.fail(record.fault)
    if (record.length > names.length) return Result.fail(`it has more fields than the first row`)
    return readAccess(line, (column) => record[positions.get(column)!])
  }
}

/** Makes the reader of pieces of CSV, whose first record names the columns. */
const makeCsvRows = () => {
  const read = makeCsvReader()
  let readRecord: ReturnType<typeof makeRecordReader> | undefined
  let line = 0
  return function* (piece: string, isLast: boolean): Generator<readonly [number, Read] | BadRequest> {
    for (const record of read(piece, isLast)) {
      if (readRecord !== undefined) {
        yield [++line, readRecord(line, record)] as const
        continue
      }
      const names = "fault" in record ? [] : record.map((name) => name.trim())
      const missing = NEEDED_ACCESS_COLUMNS.filter((column) => !names.includes(column))
      if (missing.length > 0)
        return yield new BadRequest({ detail: `The first row names no ${missing.join(" and no ")}.` })
      readRecord = makeRecordReader(names)
    }
    if (isLast && readRecord === undefined) yield new BadRequest({ detail: "The body has no first row." })
  }
}

const readJson = (line: number, text: string): Read => {
  if (text.length > LONGEST_LINE) return Result.fail(`it is longer than ${LONGEST_LINE} characters`)
  const trimmed = text.trim()
  if (trimmed === "") return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(trimmed)
  } catch {
    return Result.fail("it is no JSON")
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return Result.fail("it is no object")
  const row = parsed as { readonly [column in AccessColumn]?: unknown }
  return readAccess(line, (column) => (Object.hasOwn(row, column) ? row[column] : undefined))
}

/** Makes the reader of pieces of lines of JSON. */
const makeJsonRows = () => {
  let rest = ""
  let line = 0
  return function* (piece: string, isLast: boolean): Generator<readonly [number, Read]> {
    const lines = (rest + piece).split("\n")
    rest = isLast ? "" : lines.pop()!
    for (const text of lines) yield [++line, readJson(line, text)] as const
    // What is longer is refused all the same: so much shows it.
    rest = rest.slice(0, LONGEST_LINE + 1)
  }
}

/** Reads all rows of a body. Between portions of it the event loop serves other requests. */
export const readRows = Effect.fnUntraced(function* (
  text: string,
  mediaType: string
): Effect.fn.Return<FileRows, BadRequest> {
  const read = mediaType === "text/csv" ? makeCsvRows() : makeJsonRows()
  const drafts: Array<AccessDraft> = []
  const refused: Array<RefusedRow> = []
  for (let at = 0; at === 0 || at < text.length; at += PORTION) {
    if (at > 0) yield* Effect.yieldNow
    for (const row of read(text.slice(at, at + PORTION), at + PORTION >= text.length)) {
      if (row instanceof BadRequest) return yield* row
      const [line, found] = row
      if (found === undefined) continue
      if (Result.isFailure(found)) refused.push({ line, reason: found.failure })
      else drafts.push(found.success)
    }
  }
  return { drafts, refused }
})
