/**
 * The format of a backup file: lines of text, compressed with gzip.
 *
 * A line that begins with `#` is a header in JSON: first the head, then the name of each table before its rows, and at
 * last the end. Every other line is a row of the preceding table, as JSON. The end contains a SHA-256 of all lines before it,
 * which detects a truncated or damaged file before any of it is used. It does not authenticate the file's author.
 */
import type { Snapshot } from "@sojourn/adapter-postgres"
import { Schema } from "effect"

/** The version of the format. Files of other versions are refused. */
export const FORMAT = 1

const Digits = Schema.String.check(Schema.isPattern(/^\d{1,19}$/))

/** The first line. */
export const Head = Schema.Struct({
  sojournBackup: Schema.Literal(FORMAT),
  /** The version of Sojourn that wrote the file. */
  version: Schema.String,
  schema: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  takenAt: Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
  sequences: Schema.Record(Schema.String, Digits),
  /** The keys of the data directory, by the names of their files; none where they were left out. */
  keys: Schema.Record(Schema.String, Schema.String)
})
export interface Head extends Snapshot {
  readonly sojournBackup: typeof FORMAT
  readonly version: string
  readonly keys: { readonly [file: string]: string }
}

const Mark = Schema.Union([
  Head,
  Schema.Struct({ table: Schema.String.check(Schema.isPattern(/^[a-z_]{1,63}$/)) }),
  Schema.Struct({ rows: Schema.Int, sha256: Schema.String })
])
export type Mark = typeof Mark.Type

const parseMark = Schema.decodeUnknownSync(Schema.fromJsonString(Mark))

export const markLine = (mark: Mark): string => `# ${JSON.stringify(mark)}`

/** Parses a header line; returns `undefined` for a row. Throws when the header is unknown. */
export const markOf = (line: string): Mark | undefined => (line.startsWith("#") ? parseMark(line.slice(1)) : undefined)
