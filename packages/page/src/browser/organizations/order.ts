/** What lists of places and of organizations show, and in which order. */
import type { Count, Level } from "../live/counts.ts"
import type { Managed, Premises } from "./model.ts"

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

/** The places of a level, the fullest first. */
export const placesAt = <Place extends Pick<Premises, "count">>(
  places: ReadonlyArray<Place>,
  level: Level
): ReadonlyArray<Place> =>
  places.filter(({ count }) => count.level === level).sort((a, b) => (fullnessOf(b) ?? 0) - (fullnessOf(a) ?? 0))

/** What is known of an organization in a list of them. */
interface Situation {
  /** The kind of an open muster. */
  readonly muster?: string | undefined
  readonly whole?: Count | undefined
  readonly over: number
  readonly full: number
  readonly silent: number
}

/** How urgent an organization is: the lower, the sooner. Those that are equally urgent stay in their order. */
export const urgencyOf = ({ muster, whole, over, full, silent }: Situation): number => {
  const level = whole?.level
  const order = [
    muster !== undefined,
    level === "over",
    over > 0,
    level === "full",
    full > 0,
    silent > 0,
    level === "warning"
  ]
  const first = order.indexOf(true)
  return first < 0 ? order.length : first
}

/** What is looked for among many organizations, and which page of what is found is shown. */
export interface ListQuery {
  readonly search: string
  readonly page: number
}

/** How many organizations a page has. One stream may have one more: the organization that is shown. */
export const PAGE_SIZE = 19

/** The organizations of a page: all of them where there is one page alone. */
export const pageOf = (all: ReadonlyArray<Managed>, { search, page }: ListQuery) => {
  const wanted = search.trim().toLowerCase()
  const found = all.filter(({ id, data }) => data.name.toLowerCase().includes(wanted) || String(id) === wanted)
  const size = all.length <= PAGE_SIZE + 1 ? PAGE_SIZE + 1 : PAGE_SIZE
  const pages = Math.max(Math.ceil(found.length / size), 1)
  const shown = Math.min(page, pages - 1)
  return { pages, page: shown, listed: found.slice(shown * size, (shown + 1) * size), found: found.length }
}
