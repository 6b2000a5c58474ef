/** Where the people of a muster are to be searched. Pure. */
import type { Muster } from "@sojourn/client"
import type { AllWords } from "../words/languages.ts"

/** A place as a muster shows it, with how many were inside at the moment of the muster's numbers. */
export interface MusterPlace {
  readonly placeId: number
  readonly name: string
  readonly level: number
  /** The places that it is a part of, its parent first. */
  readonly around: ReadonlyArray<number>
  readonly inside: number
}

export interface PlaceToSearch extends MusterPlace {
  /** How many missing people are there at most, those in its parts left out. */
  readonly missing: number
}

export interface ToSearch {
  readonly places: ReadonlyArray<PlaceToSearch>
  /** Missing people in none of the places. */
  readonly elsewhere: number
  /** Whether the places add up to more people than are missing: some are safe or counted twice, and where is not known. */
  readonly isBound: boolean
}

/** The places of people, without those around another of theirs. */
const innermost = (placeIds: ReadonlyArray<number>, byId: ReadonlyMap<number, MusterPlace>) => {
  const around = new Set(placeIds.flatMap((id) => byId.get(id)?.around ?? []))
  return placeIds.filter((id) => byId.has(id) && !around.has(id))
}

/**
 * How many of the missing are still in each place: by their own places, or where people are not known by the counts of the places, of
 * which a place has what its parts do not. No place has more than are missing in all.
 */
export const placesToSearch = (
  { people, missing }: Pick<Muster, "people" | "missing">,
  places: ReadonlyArray<MusterPlace>
): ToSearch => {
  const byId = new Map(places.map((place) => [place.placeId, place]))
  const own = new Map<number, number>()
  const add = (id: number, count: number) => own.set(id, (own.get(id) ?? 0) + count)
  let unknown = 0
  if (people === undefined) {
    const parts = Map.groupBy(places, ({ around: [parent] }) => parent)
    /** Adds what a place has beside its parts; answers how many there are with them. */
    const addOwn = ({ placeId, inside }: MusterPlace): number => {
      const inParts = (parts.get(placeId) ?? []).reduce((sum, part) => sum + addOwn(part), 0)
      add(placeId, Math.max(0, inside - inParts))
      return Math.max(inside, inParts)
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
  const found = places.map((place) => ({ ...place, missing: Math.min(own.get(place.placeId) ?? 0, missing) }))
  const sum = found.reduce((sum, place) => sum + place.missing, 0)
  return { places: found, elsewhere: unknown, isBound: sum + unknown > missing }
}

/** The names of the places that a person was in, or that it was in none. */
export const placeNames = (
  words: Pick<AllWords, "whole">,
  places: ReadonlyArray<Pick<MusterPlace, "placeId" | "name">>,
  ids: ReadonlyArray<number>
): string =>
  ids.length === 0
    ? words.whole
    : ids.map((id) => places.find(({ placeId }) => placeId === id)?.name ?? String(id)).join(", ")
