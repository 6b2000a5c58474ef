/** Answers CSV: as files of any length, with the memory of a few parts. */
import { makeLocalTime, type TimeWindow, type WriteText } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { qualityOf } from "../../pipeline/answer.ts"
import { RawBody } from "../../pipeline/endpoint.ts"

export const CSV_TYPE = "text/csv; charset=utf-8"

/** JSON unless the client prefers CSV. */
export const prefersCsv = (accept: string | undefined): boolean =>
  qualityOf(accept, "text/csv") > qualityOf(accept, "application/json")

/** How many characters of a name are in the name of a file, which may have 255 bytes. */
const MAX_NAME = 48

/** What no system has in the names of files, and what would show a name other than it is. */
const UNUSUAL = /[\p{C}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu

const shortened = (name: string) => [...name.replace(UNUSUAL, "_")].slice(0, MAX_NAME).join("").trim()

/** What RFC 8187 lets stand beside letters and digits, of what `encodeURIComponent` leaves as it is. */
const extended = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The `Content-Disposition` of a file that is saved under a name of these parts: as it is for clients that know RFC 6266, and in ASCII for
 * others.
 */
export const attachment = (parts: ReadonlyArray<string>, extension: string): string => {
  const name = `${parts.map(shortened).join(" ")}.${extension}`
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "_")
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended(name)}`
}

/** The `Content-Disposition` of a file of a window of time, which its name has in local time. */
export const windowFile = (
  names: ReadonlyArray<string | undefined>,
  timeZone: string,
  { from, to }: TimeWindow
): string => {
  const localTime = makeLocalTime(timeZone)
  const [first, last] = [from, to].map((at) => localTime(at).replace(" 00:00:00", "").replace(/:/g, "."))
  return attachment([...names.filter((name) => name !== undefined), `${first} - ${last}`], "csv")
}

/** How the rows of a file are written. */
export interface CsvFormat<Row> {
  readonly header: string
  readonly line: (row: Row, write: WriteText) => void
}

/** A part of a file, and how the next one is read; undefined after the last. */
export interface CsvPart<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly next: Effect.Effect<CsvPart<Row>, unknown> | undefined
}

const encoder = new TextEncoder()

/** UTF-8 has at most so many bytes for a code unit of a text. */
const MAX_UNIT_BYTES = 3

/** Where the parts of all files are written, one after the other. It grows to the longest. */
let buffer = new Uint8Array(65_536)

/** The bytes of lines. */
const encodeLines = <Row>(before: string, rows: ReadonlyArray<Row>, { line }: CsvFormat<Row>): Uint8Array => {
  let length = 0
  const write = (text: string) => {
    const start = length
    const needed = start + text.length * MAX_UNIT_BYTES
    if (needed > buffer.length) {
      const longer = new Uint8Array(needed * 2)
      longer.set(buffer)
      buffer = longer
    }
    // Most texts are short and ASCII, for which an encoder would make several objects.
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit > 0x7f) {
        length = start + encoder.encodeInto(text, buffer.subarray(start)).written
        return
      }
      buffer[length++] = unit
    }
  }
  write(before)
  rows.forEach((row) => line(row, write))
  return buffer.slice(0, length)
}

/**
 * A file, whose first part was read. Each of the others is read when the client has taken the one before. Where one cannot be read the
 * connection is closed, so that no client takes what it has for the file.
 */
export const csvFile = <Row>(disposition: string, format: CsvFormat<Row>, first: CsvPart<Row>): RawBody => {
  const parts = Stream.paginate(Effect.succeed(first) as Effect.Effect<CsvPart<Row>, unknown>, (read) =>
    Effect.map(
      read,
      (part) =>
        [
          [encodeLines(part === first ? format.header : "", part.rows, format)],
          Option.fromUndefinedOr(part.next)
        ] as const
    )
  )
  return new RawBody(200, HttpBody.stream(parts, CSV_TYPE), { "content-disposition": disposition })
}
