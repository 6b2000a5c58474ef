/** Lines of CSV (RFC 4180). This module imports nothing, so that the page has it too. */

/** Prefixes a text that a spreadsheet would take for a formula, in its full-width forms as well, with `'`. */
const guarded = (text: string): string => (/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text)

/**
 * A field: in quotes, which are doubled inside, where it holds a quote, an end of line or a separator. Where a spreadsheet separates by
 * semicolons or tabs, what follows one would else be a field of its own, without a guard.
 */
const csvField = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A line of fields, with its end. */
export const csvLine = (fields: ReadonlyArray<string>): string =>
  `${fields.map((field) => csvField(guarded(field))).join(",")}\r\n`

/** The byte order mark, without which some spreadsheets read another encoding than UTF-8. */
export const CSV_MARK = "\ufeff"

/** The beginning of a file: the mark, and the names of the columns. */
export const csvHeader = (names: ReadonlyArray<string>): string => CSV_MARK + csvLine(names)
