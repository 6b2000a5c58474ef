/** Which places the list shows, and in which order. */
import type { Premises } from "./model.ts"

/** The orders of the list: as the server has the places, by name, or the fullest first. */
export const ORDERS = ["given", "name", "fullness"] as const

export type Order = (typeof ORDERS)[number]

type Listed = Pick<Premises, "name" | "count">

/** How full premises are, as a part of their capacity; undefined where they have none. */
export const fullnessOf = ({ count: { inside, capacity } }: Pick<Premises, "count">): number | undefined =>
  capacity === undefined ? undefined : inside / capacity

/** By fullness, those without a capacity behind the others, by how many are inside. */
const byFullness = (a: Listed, b: Listed): number =>
  (fullnessOf(b) ?? -1) - (fullnessOf(a) ?? -1) || b.count.inside - a.count.inside

/** The places whose names contain what is searched, in an order. */
export const listedPlaces = <Place extends Listed>(
  places: ReadonlyArray<Place>,
  search: string,
  order: Order
): ReadonlyArray<Place> => {
  const wanted = search.trim().toLowerCase()
  const found = wanted === "" ? places : places.filter(({ name }) => name.toLowerCase().includes(wanted))
  if (order === "given") return found
  return [...found].sort(order === "name" ? (a, b) => a.name.localeCompare(b.name) : byFullness)
}
