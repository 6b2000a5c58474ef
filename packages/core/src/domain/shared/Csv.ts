/** Lines of CSV (RFC 4180). This module imports nothing, so that the page has it too. */

// Constants, as a literal makes an object each time that it is evaluated.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const TO_QUOTE = /[",;\t\r\n]/

/** Prefixes a text that a spreadsheet would take for a formula, in its full-width forms as well, with `'`. */
const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/**
 * A field: in quotes, which are doubled inside, where it holds a quote, an end of line or a separator. Where a spreadsheet separates by
 * semicolons or tabs, what follows one would else be a field of its own, without a guard.
 */
const quoted = (text: string): string => (TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A text of any kind as a field. */
export const csvField = (text: string): string => quoted(guarded(text))

/** A line of fields, with its end. */
export const csvLine = (fields: ReadonlyArray<string>): string => `${fields.map(csvField).join(",")}\r\n`

/** The byte order mark, without which some spreadsheets read another encoding than UTF-8. */
export const CSV_MARK = "\ufeff"

/** The beginning of a file: the mark, and the names of the columns. */
export const csvHeader = (names: ReadonlyArray<string>): string => CSV_MARK + csvLine(names)
/** Takes back what {@link csvLine} prefixes to a text that begins as a formula. */
const unguarded = (text: string): string =>
  /^'[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? text.slice(1) : text

/** A record of CSV: its fields, or why they cannot be read. */
export type CsvRecord = ReadonlyArray<string> | CsvFault

/** Why a record cannot be read. */
export interface CsvFault {
  readonly fault: string
}

/** The most characters of a record. One with quotes that is longer has a quote that is not closed. */
const MAX_RECORD = 65_536

const NOT_CLOSED: CsvFault = { fault: "a quote is not closed" }
const TOO_LONG: CsvFault = { fault: `it is longer than ${MAX_RECORD} characters` }

/** A record that was read, and where the next one begins; undefined where the text may end within the record. */
type ReadRecord = { readonly record: CsvRecord; readonly next: number } | undefined

/** Where the line that holds `at` ends, and the next one begins; undefined where the text may go on. */
const endOfLine = (
  text: string,
  at: number,
  isLast: boolean
): { readonly end: number; readonly next: number } | undefined => {
  const feed = text.indexOf("\n", at)
  if (feed < 0) return isLast ? { end: text.length, next: text.length } : undefined
  return { end: feed > at && text[feed - 1] === "\r" ? feed - 1 : feed, next: feed + 1 }
}

/** Reads a record with quotes, which begins at `from`. */
const readQuoted = (text: string, from: number, isLast: boolean): ReadRecord => {
  /** The record is left out with the rest of the line of `at`. */
  const skip = (fault: CsvFault, at: number): ReadRecord => {
    const line = endOfLine(text, at, isLast)
    return line && { record: fault, next: line.next }
  }
  const fields: Array<string> = []
  let at = from
  while (at <= text.length) {
    if (text[at] !== '"') {
      const line = endOfLine(text, at, isLast)
      const comma = text.indexOf(",", at)
      if (comma >= 0 && comma < (line?.end ?? text.length)) {
        fields.push(text.slice(at, comma))
        at = comma + 1
        continue
      }
      if (line === undefined) return undefined
      return { record: [...fields, text.slice(at, line.end)], next: line.next }
    }
    let close = at
    do {
      close = text.indexOf('"', close + 1)
      // A doubled quote stands for one.
      if (close >= 0 && text[close + 1] === '"') close++
      else break
    } while (close < text.length)
    if (close < 0 || close - from > MAX_RECORD) {
      return isLast || text.length - from > MAX_RECORD ? skip(NOT_CLOSED, from) : undefined
    }
    // Another quote, or the feed of a line, may follow.
    if (!isLast && close + 2 >= text.length) return undefined
    fields.push(text.slice(at + 1, close).replaceAll('""', '"'))
    at = close + 1
    if (text[at] === ",") {
      at++
      continue
    }
    if (text[at] === "\r" && (text[at + 1] === "\n" || at + 1 === text.length)) at++
    if (at >= text.length) return { record: fields, next: text.length }
    return text[at] === "\n" ? { record: fields, next: at + 1 } : skip({ fault: "text follows the end of a quote" }, at)
  }
  return undefined
}

/** Reads the record that begins at `from`. */
const readRecord = (text: string, from: number, isLast: boolean): ReadRecord => {
  const line = endOfLine(text, from, isLast)
  const quote = text.indexOf('"', from)
  if (quote >= 0 && quote < (line?.end ?? text.length)) return readQuoted(text, from, isLast)
  if (line === undefined) return undefined
  return { record: line.end - from > MAX_RECORD ? TOO_LONG : text.slice(from, line.end).split(","), next: line.next }
}

/**
 * Makes a reader of CSV that comes in pieces, which are of any length: RFC 4180, with lines that end in CRLF or LF, also after a byte order
 * mark. `isLast` says that nothing follows a piece. It reads what {@link csvLine} writes, and takes back its guard. A record that cannot be
 * read is a fault, and the next one begins on a later line. An empty line is a record of one empty field.
 */
export const makeCsvReader = () => {
  let rest = ""
  let isFirst = true
  /** Whether the rest of a line is left out, of a record that is too long. */
  let isSkipping = false
  return function* (piece: string, isLast: boolean): Generator<CsvRecord> {
    const text = rest + piece
    rest = ""
    let at = isFirst && text.startsWith("\uFEFF") ? 1 : 0
    if (text !== "") isFirst = false
    if (isSkipping) {
      const feed = text.indexOf("\n")
      if (feed < 0) return
      isSkipping = false
      at = feed + 1
    }
    while (at < text.length) {
      const read = readRecord(text, at, isLast)
      if (read === undefined) {
        if (text.length - at <= MAX_RECORD) rest = text.slice(at)
        else {
          isSkipping = true
          yield text[at] === '"' ? NOT_CLOSED : TOO_LONG
        }
        return
      }
      at = read.next
      yield "fault" in read.record ? read.record : read.record.map(unguarded)
    }
  }
}
