/** Reads the data files of a stopped PostgreSQL: every version of every row, including dead ones. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

const PAGE = 8192

/** The lengths of a page header, and of a row's header up to the offset of its columns. */
const PAGE_HEADER = 24
const HEADER_OFFSET = 22

/** A version of a row: the transaction that wrote it, and the bytes of its columns. */
export interface RowVersion {
  readonly xmin: number
  readonly columns: Buffer
}

const versionsIn = (page: Buffer): ReadonlyArray<RowVersion> => {
  const found: Array<RowVersion> = []
  const end = page.readUInt16LE(12)
  for (let at = PAGE_HEADER; at + 4 <= end; at += 4) {
    const pointer = page.readUInt32LE(at)
    const [offset, flags, length] = [pointer & 0x7fff, (pointer >> 15) & 3, pointer >>> 17]
    // Flag 1 is a row; the other flags are unused, redirected or dead pointers without storage.
    if (flags !== 1 || length <= HEADER_OFFSET) continue
    const row = page.subarray(offset, offset + length)
    const columns = row.subarray(row.readUInt8(HEADER_OFFSET))
    found.push({ xmin: row.readUInt32LE(0), columns })
  }
  return found
}

/** Every version of a table's rows; `path` is the result of `pg_relation_filepath`. */
export const rowVersions = (dataDirectory: string, path: string): ReadonlyArray<RowVersion> => {
  const folder = join(dataDirectory, dirname(path))
  const isSegment = (name: string) => name === basename(path) || name.startsWith(`${basename(path)}.`)
  return readdirSync(folder)
    .filter(isSegment)
    .flatMap((name) => {
      const bytes = readFileSync(join(folder, name))
      return Array.from({ length: bytes.length / PAGE }, (_, nth) =>
        versionsIn(bytes.subarray(nth * PAGE, (nth + 1) * PAGE))
      ).flat()
    })
}
