/** How places lie inside each other: the line of each place up to the outermost one, and what follows from it. */

interface Part {
  readonly id: number
  readonly name: string
  readonly level?: number | undefined
  readonly parentId?: number | undefined
}

/** A place and the places that it is a part of: itself first, its parent next, the outermost last. */
export type Lineage<Place extends Part = Part> = ReadonlyArray<Place>

/** The lineage of each place by its id. A parent that is not among the places counts as none. */
export const lineagesOf = <Place extends Part>(places: ReadonlyArray<Place>): ReadonlyMap<number, Lineage<Place>> => {
  const byId = new Map(places.map((place) => [place.id, place]))
  const lineages = new Map<number, Lineage<Place>>()
  const lineageOf = (place: Place): Lineage<Place> => {
    const known = lineages.get(place.id)
    if (known !== undefined) return known
    const parent = place.parentId === undefined ? undefined : byId.get(place.parentId)
    const lineage = [place, ...(parent === undefined ? [] : lineageOf(parent))]
    lineages.set(place.id, lineage)
    return lineage
  }
  places.forEach(lineageOf)
  return lineages
}

/** The level in effect: the place's own, else that of the nearest place around it that has one, else 0. */
export const levelOf = (lineage: Lineage): number => lineage.find(({ level }) => level !== undefined)?.level ?? 0

/** The name of a place after those of the places that it is a part of. */
export const pathNameOf = (lineage: Lineage): string =>
  lineage
    .map(({ name }) => name)
    .reverse()
    .join(" › ")

interface Placed {
  /** Empty for the organization. */
  readonly lineage: Lineage
}

const idOf = ({ lineage }: Placed): number => lineage[0]?.id ?? 0

/** A place in a list of places, after the place that it is a part of. */
export interface PlaceRow<Place> {
  readonly place: Place
  /** How many listed places it is a part of, and 1. */
  readonly depth: number
  /** Its position among those that are part of the same place, from 1, and how many those are. */
  readonly position: number
  readonly siblings: number
  /** Whether its parts are listed below it; none where it has no parts. */
  readonly isOpen: boolean | undefined
}

/** The rows of places as a tree. Parts of one place have the order of the list; those of a place whose id is `closed` are left out. */
export const rowsOf = <Place extends Placed>(
  places: ReadonlyArray<Place>,
  closed: ReadonlySet<number>
): ReadonlyArray<PlaceRow<Place>> => {
  const listed = new Set(places.map(idOf))
  const parts = Map.groupBy(places, ({ lineage }) => lineage.slice(1).find(({ id }) => listed.has(id))?.id)
  const rows: Array<PlaceRow<Place>> = []
  const list = (siblings: ReadonlyArray<Place>, depth: number) => {
    for (const [nth, place] of siblings.entries()) {
      const inside = parts.get(idOf(place)) ?? []
      const isOpen = inside.length === 0 ? undefined : !closed.has(idOf(place))
      rows.push({ place, depth, position: nth + 1, siblings: siblings.length, isOpen })
      if (isOpen === true) list(inside, depth + 1)
    }
  }
  list(parts.get(undefined) ?? [], 1)
  return rows
}

/**
 * For each place that has parts, the sum of the counts of all of them. A person in a room and on its floor counts in both: it is not
 * a number of people.
 */
export const sumsOfParts = (
  places: ReadonlyArray<Placed & { readonly count: { readonly inside: number } }>
): ReadonlyMap<number, number> => {
  const sums = new Map<number, number>()
  for (const { lineage, count } of places)
    for (const { id } of lineage.slice(1)) sums.set(id, (sums.get(id) ?? 0) + count.inside)
  return sums
}
