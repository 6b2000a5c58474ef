/** How places lie inside each other: the line of each place up to the outermost one, and what follows from it. */

interface Part {
  readonly id: number
  readonly name: string
  readonly level?: number | undefined
  readonly parentId?: number | undefined
}

/** Each place by its id, with the places that it is a part of: itself first, its parent next, the outermost last. */
export type Lineages<Place extends Part = Part> = ReadonlyMap<number, ReadonlyArray<Place>>

/** A parent that is not among the places counts as none. */
export const lineagesOf = <Place extends Part>(places: ReadonlyArray<Place>): Lineages<Place> => {
  const byId = new Map(places.map((place) => [place.id, place]))
  const lineages = new Map<number, ReadonlyArray<Place>>()
  const lineageOf = (place: Place): ReadonlyArray<Place> => {
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

/** The name of a place after those of the places that it is a part of. */
export const pathNameOf = (lineages: Lineages, id: number): string =>
  (lineages.get(id) ?? [])
    .map(({ name }) => name)
    .reverse()
    .join(" › ") || String(id)
