/** Tables as files for spreadsheets. Loaded when a table is downloaded. */
import { csvLine } from "@sojourn/core/Csv"

/** Hands a text to the browser as a file, CSV by default. */
export const download = (name: string, text: string, type = "text/csv"): void => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}

/** Hands rows to the browser as CSV: the names of the columns first, and nothing for what is undefined. */
export const downloadRows = (name: string, rows: ReadonlyArray<ReadonlyArray<string | number | undefined>>): void =>
  download(name, rows.map((row) => csvLine(row.map((field) => String(field ?? "")))).join(""))
