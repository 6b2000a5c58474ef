/** Where the people of a muster are to be searched. */
import type { Muster } from "@sojourn/client"
import type { Premises } from "../organizations/model.ts"
import type { AllWords } from "../words/languages.ts"

/** The names of the places that a person was in, or that it was in none. */
export const placeNames = (
  words: AllWords,
  places: ReadonlyArray<Pick<Premises, "placeId" | "name">>,
  ids: ReadonlyArray<number>
): string =>
  ids.length === 0
    ? words.whole
    : ids.map((id) => places.find(({ placeId }) => placeId === id)?.name ?? String(id)).join(", ")

export interface PlaceToSearch {
  /** None: the organization as a whole. */
  readonly placeId: number | undefined
  readonly name: string
  readonly count: number
}

/**
 * The places to search, the fullest first: those with missing people, or, where people are not known, those with people inside by
 * the live counts. Missing people in none of the places are counted under the name `whole`.
 */
export const placesToSearch = (
  { people }: Pick<Muster, "people">,
  places: ReadonlyArray<Pick<Premises, "placeId" | "name" | "count">>,
  whole: string
): ReadonlyArray<PlaceToSearch> => {
  const missing = new Map<number | undefined, number>()
  const known = new Set(places.map(({ placeId }) => placeId))
  for (const { placeIds, state } of people ?? []) {
    if (state !== "missing") continue
    const at = placeIds.filter((id) => known.has(id))
    for (const id of at.length === 0 ? [undefined] : at) missing.set(id, (missing.get(id) ?? 0) + 1)
  }
  const counted = places.map(({ placeId, name, count }) => ({
    placeId,
    name,
    count: people === undefined ? count.inside : (missing.get(placeId) ?? 0)
  }))
  return [...counted, { placeId: undefined, name: whole, count: missing.get(undefined) ?? 0 }]
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
}
