/** The rows of a file of accesses, which comes in pieces: CSV whose first row names the columns, or an object of JSON in each line. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { type CsvRecord, makeCsvReader } from "../shared/Csv.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import { ACCESS_COLUMNS, type AccessRow, NEEDED_ACCESS_COLUMNS } from "./AccessImport.ts"

/** The longest line of JSON, in characters. */
const MAX_LINE = 65_536

/** The first row of CSV does not name the columns that every row needs, so that none can be read. */
export class FirstRowInvalid extends TaggedError("FirstRowInvalid", "the first row does not name the needed columns")<{
  readonly missing: ReadonlyArray<string>
}> {}

/** A row with what it holds beside its columns: the fields of CSV, or the line of JSON. */
export interface RowOfFile {
  readonly row: AccessRow
  readonly whole: ReadonlyArray<string> | string
}

/** A row, or why it cannot be read; undefined for an empty one. */
export type RowRead = Result.Result<RowOfFile, string> | undefined

/** Reads a piece of a file, and yields each row that it completes. `isLast` says that nothing follows the piece. */
export type RowsReader = (piece: string, isLast: boolean) => Generator<RowRead | FirstRowInvalid>

const readRecord = (names: ReadonlyArray<string>, record: CsvRecord): RowRead => {
  if ("fault" in record) return Result.fail(record.fault)
  if (record.length === 1 && record[0] === "") return undefined
  if (record.length > names.length) return Result.fail("it has more fields than the first row")
  const row: Record<string, string> = {}
  for (const column of ACCESS_COLUMNS) {
    const value = record[names.indexOf(column)]
    if (value !== undefined && value !== "") row[column] = value
  }
  return Result.succeed({ row, whole: record })
}

/** Makes the reader of a file of CSV. After {@link FirstRowInvalid} it is not to be used. */
export const makeCsvRows = (): RowsReader => {
  const read = makeCsvReader()
  let names: ReadonlyArray<string> | undefined
  return function* (piece, isLast) {
    for (const record of read(piece, isLast)) {
      if (names !== undefined) {
        yield readRecord(names, record)
        continue
      }
      const first = "fault" in record ? [] : record.map((name) => name.trim())
      const missing = NEEDED_ACCESS_COLUMNS.filter((column) => !first.includes(column))
      if (missing.length > 0) return yield new FirstRowInvalid({ missing })
      names = first
    }
    if (isLast && names === undefined) yield new FirstRowInvalid({ missing: NEEDED_ACCESS_COLUMNS })
  }
}

const readLine = (line: string): RowRead => {
  if (line.length > MAX_LINE) return Result.fail(`it is longer than ${MAX_LINE} characters`)
  const whole = line.trim()
  if (whole === "") return undefined
  try {
    const row: unknown = JSON.parse(whole)
    return Predicate.isObject(row) ? Result.succeed({ row, whole }) : Result.fail("it is no object")
  } catch {
    return Result.fail("it is no JSON")
  }
}

/** Makes the reader of a file of lines of JSON. */
export const makeJsonRows = (): RowsReader => {
  let rest = ""
  return function* (piece, isLast) {
    const lines = (rest + piece).split("\n")
    rest = isLast ? "" : lines.pop()!
    for (const line of lines) yield readLine(line)
    // What is longer is refused all the same: so much shows it.
    rest = rest.slice(0, MAX_LINE + 1)
  }
}
