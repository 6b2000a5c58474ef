/** Tables as files for spreadsheets. Loaded when a table is downloaded. */
import { CSV_MARK, csvLine } from "@sojourn/core/Csv"

const CSV = "text/csv"

/** How long the browser has to begin a download, in milliseconds. */
const KEPT_URL_MS = 1_000

/** Hands a text to the browser as a file: CSV by default, with the mark that `Response.text` leaves out. */
export const download = (name: string, text: string, type = CSV): void => {
  const mark = type === CSV && !text.startsWith(CSV_MARK) ? CSV_MARK : ""
  downloadBlob(name, new Blob([mark, text], { type }))
}

/** Hands content to the browser as a file. */
export const downloadBlob = (name: string, content: Blob): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_URL_MS)
}

/** Hands rows to the browser as CSV: the names of the columns first, and nothing for what is undefined. */
export const downloadRows = (name: string, rows: ReadonlyArray<ReadonlyArray<string | number | undefined>>): void =>
  download(name, rows.map((row) => csvLine(row.map((field) => String(field ?? "")))).join(""))
