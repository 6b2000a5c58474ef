/** The places of the list as a tree, of which parts are folded, and what keys do in it. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks"
import { type PlaceRow, rowsOf, sumsOfParts } from "./lineages.ts"
import type { Premises } from "./model.ts"
import { listedPlaces, type Order } from "./order.ts"

const NONE: ReadonlySet<number> = new Set()

const without = (closed: ReadonlySet<number>, opened: ReadonlyArray<number>): ReadonlySet<number> =>
  new Set([...closed].filter((id) => !opened.includes(id)))

interface Listing {
  readonly search: string
  readonly order: Order
  readonly selected: number | undefined
}

/** The rows that are listed, the organization first. A selected place is listed, and so is what is searched. */
export const usePlaceTree = (whole: Premises, places: ReadonlyArray<Premises>, listing: Listing) => {
  const { search, order, selected } = listing
  const [closed, setClosed] = useState(NONE)
  const listed = useMemo(
    () => rowsOf([whole, ...listedPlaces(places, search, order)], search === "" ? closed : NONE),
    [whole, places, search, order, closed]
  )
  const sums = useMemo(() => sumsOfParts(places), [places])
  useLayoutEffect(() => {
    const around = places.find(({ placeId }) => placeId === selected)?.lineage.slice(1) ?? []
    setClosed((closed) =>
      without(
        closed,
        around.map(({ id }) => id)
      )
    )
  }, [selected])
  const fold = (placeId: number, isOpen: boolean) =>
    setClosed((closed) => (isOpen ? without(closed, [placeId]) : new Set([...closed, placeId])))
  return { listed, sums, isTree: sums.size > 0, fold }
}

/** How many rows the keys Page up and Page down go. */
const PAGE_ROWS = 10

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" }

type Rows = ReadonlyArray<Pick<PlaceRow<unknown>, "depth" | "isOpen">>

/** What a key does in a row: opens its parts (`true`) or closes them, or leads to another row. */
export const stepOf = (key: string, isMirrored: boolean, rows: Rows, row: number): boolean | number | undefined => {
  const { depth, isOpen } = rows[row]!
  const to = (next: number) => Math.min(Math.max(next, 0), rows.length - 1)
  switch (isMirrored ? (MIRRORED[key] ?? key) : key) {
    case "ArrowUp":
      return to(row - 1)
    case "ArrowDown":
      return to(row + 1)
    case "ArrowRight":
      return isOpen === undefined ? undefined : isOpen ? to(row + 1) : true
    case "ArrowLeft":
      if (isOpen === true) return false
      // The place that it is a part of.
      return depth > 1 ? rows.slice(0, row).findLastIndex((one) => one.depth < depth) : undefined
    case "PageUp":
      return to(row - PAGE_ROWS)
    case "PageDown":
      return to(row + PAGE_ROWS)
    case "Home":
      return 0
    case "End":
      return rows.length - 1
    default:
      return undefined
  }
}
