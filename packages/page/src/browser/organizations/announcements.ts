/** What screen readers say of counts, and which changes of them they announce (`Announcer.tsx`). */
import type { PageContent } from "../shared/context.ts"
import type { Premises } from "./model.ts"

/** How many are inside of premises, and their level of capacity if they have one. */
export const describeCount = (
  { words, formats }: Pick<PageContent, "words" | "formats">,
  { placeId, name, count }: Premises
): string =>
  [
    `${placeId === undefined ? words.whole : name}: ${words.insideOf(formats.number(count.inside))}`,
    ...(count.level === "none" ? [] : [words.level[count.level]])
  ].join(", ")

/** Premises with another level than before, and the organization where its count changed. */
export const announcedChanges = (
  before: ReadonlyArray<Premises>,
  after: ReadonlyArray<Premises>
): ReadonlyArray<Premises> => {
  const known = new Map(before.map(({ placeId, count }) => [placeId, count]))
  return after.filter(({ placeId, count }) => {
    const last = known.get(placeId)
    const isOtherCount = placeId === undefined && last?.inside !== count.inside
    return last !== undefined && (last.level !== count.level || isOtherCount)
  })
}
