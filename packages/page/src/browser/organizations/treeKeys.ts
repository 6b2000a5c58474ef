/** What keys do in a list of places that is a tree. */
import type { PlaceRow } from "./lineages.ts"

/** How many rows the keys Page up and Page down go. */
const PAGE_ROWS = 10

type Rows = ReadonlyArray<Pick<PlaceRow<unknown>, "depth" | "isOpen">>

/** The key that leads the same way where the page is written from right to left. */
export const mirrored = (key: string): string =>
  key === "ArrowLeft" ? "ArrowRight" : key === "ArrowRight" ? "ArrowLeft" : key

/** Whether a key opens (`true`) or closes the parts of a row. */
export const foldOf = (key: string, rows: Rows, row: number): boolean | undefined => {
  const { isOpen } = rows[row]!
  return isOpen === false && key === "ArrowRight" ? true : isOpen === true && key === "ArrowLeft" ? false : undefined
}

/** Where a key leads from a row of the list. */
export const rowAfter = (key: string, rows: Rows, row: number): number | undefined => {
  const last = rows.length - 1
  const { depth, isOpen } = rows[row]!
  const next: Readonly<Record<string, number | undefined>> = {
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    ArrowRight: isOpen === true ? row + 1 : undefined,
    // The place that it is a part of.
    ArrowLeft: depth > 1 ? rows.slice(0, row).findLastIndex((one) => one.depth < depth) : undefined,
    PageUp: row - PAGE_ROWS,
    PageDown: row + PAGE_ROWS,
    Home: 0,
    End: last
  }
  const to = next[key]
  return to === undefined ? undefined : Math.min(Math.max(to, 0), last)
}
