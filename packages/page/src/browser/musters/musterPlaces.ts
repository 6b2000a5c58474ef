/** Where the people of a muster are to be searched. Pure. */
import type { Muster, Place } from "@sojourn/client"
import { levelOf, lineagesOf } from "../organizations/lineages.ts"

/** A place as a muster shows it. */
export interface MusterPlace {
  readonly placeId: number
  readonly name: string
  readonly level: number
  /** The places that it is a part of, its parent first. */
  readonly around: ReadonlyArray<number>
}

export const musterPlaces = (places: ReadonlyArray<Place>): ReadonlyArray<MusterPlace> => {
  const lineages = lineagesOf(places)
  return places.map(({ id, name }) => {
    const lineage = lineages.get(id)!
    return { placeId: id, name, level: levelOf(lineage), around: lineage.slice(1).map(({ id }) => id) }
  })
}

export interface PlaceToSearch extends MusterPlace {
  /** How many missing people are there at most, those in its parts left out. */
  readonly missing: number
}

/** The places of people, without those around another of theirs. */
const innermost = (placeIds: ReadonlyArray<number>, byId: ReadonlyMap<number, MusterPlace>) => {
  const around = new Set(placeIds.flatMap((id) => byId.get(id)?.around ?? []))
  return placeIds.filter((id) => byId.has(id) && !around.has(id))
}

/**
 * How many of the missing are still in each place: by their own places, or where people are not known by how many were inside of the places in
 * the moment of the muster's numbers, of which a place has what its parts do not. No place has more than are missing in all.
 */
export const placesToSearch = (
  { people, missing }: Pick<Muster, "people" | "missing">,
  places: ReadonlyArray<MusterPlace>,
  inside: Readonly<Record<number, number>> = {}
) => {
  const byId = new Map(places.map((place) => [place.placeId, place]))
  const own = new Map<number, number>()
  const add = (id: number, count: number) => own.set(id, (own.get(id) ?? 0) + count)
  let unknown = 0
  if (people === undefined) {
    const parts = Map.groupBy(places, ({ around: [parent] }) => parent)
    /** Adds what a place has beside its parts; answers how many there are with them. */
    const addOwn = ({ placeId }: MusterPlace): number => {
      const inParts = (parts.get(placeId) ?? []).reduce((sum, part) => sum + addOwn(part), 0)
      const count = inside[placeId] ?? 0
      add(placeId, Math.max(0, count - inParts))
      return Math.max(count, inParts)
    }
    const counted = (parts.get(undefined) ?? []).reduce((sum, place) => sum + addOwn(place), 0)
    unknown = Math.max(0, missing - counted)
  } else {
    for (const { placeIds, state } of people) {
      if (state !== "missing") continue
      const ids = innermost(placeIds, byId)
      if (ids.length === 0) unknown++
      for (const id of ids) add(id, 1)
    }
  }
  const found = places.map((place): PlaceToSearch => ({
    ...place,
    missing: Math.min(own.get(place.placeId) ?? 0, missing)
  }))
  const sum = found.reduce((sum, place) => sum + place.missing, 0)
  return {
    places: found,
    /** Missing people in none of the places. */
    elsewhere: unknown,
    /** Whether the places add up to more people than are missing: some are safe or counted twice, and where is not known. */
    isBound: sum + unknown > missing
  }
}
