/** The places of the list as a tree, of which parts are folded. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks"
import { rowsOf, sumsOfParts } from "./lineages.ts"
import type { Premises } from "./model.ts"
import { listedPlaces, type Order } from "./order.ts"

interface Listing {
  readonly search: string
  readonly order: Order
  readonly selected: number | undefined
}

const NONE: ReadonlySet<number> = new Set()

/** The rows that are listed, the organization first. A selected place is listed, and so is what is searched. */
export const usePlaceTree = (
  whole: Premises,
  places: ReadonlyArray<Premises>,
  { search, order, selected }: Listing
) => {
  const [closed, setClosed] = useState(NONE)
  const listed = useMemo(
    () => rowsOf([whole, ...listedPlaces(places, search, order)], search === "" ? closed : NONE),
    [whole, places, search, order, closed]
  )
  const sums = useMemo(() => sumsOfParts(places), [places])
  useLayoutEffect(() => {
    const around = new Set(
      places
        .find(({ placeId }) => placeId === selected)
        ?.lineage.slice(1)
        .map(({ id }) => id)
    )
    setClosed((closed) => new Set([...closed].filter((id) => !around.has(id))))
  }, [selected])
  return {
    listed,
    sums,
    isTree: sums.size > 0,
    // Rows that are kept keep an earlier one of these.
    onFold: (placeId: number, isOpen: boolean) =>
      setClosed((closed) => new Set([...closed].filter((id) => id !== placeId).concat(isOpen ? [] : [placeId])))
  }
}
