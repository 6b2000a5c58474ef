/**
 * Imported before a server: its clock differs from the real one by as many milliseconds as the file says that the query of this module's
 * URL names. The file is read again on SIGUSR2, and what was read is written beside it.
 */
import { readFileSync, writeFileSync } from "node:fs"

const file = new URL(import.meta.url).searchParams.get("file")!
const real = Date.now
let difference = 0

const read = () => {
  difference = Number(readFileSync(file, "utf8"))
  writeFileSync(`${file}-read`, String(difference))
}

Date.now = () => real() + difference
process.on("SIGUSR2", read)
read()
