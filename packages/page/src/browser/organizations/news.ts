/** Which changes of the counts are worth an announcement (`Announcer.tsx`). */
import type { Premises } from "./model.ts"

/** What is worth reading out: premises that came to another level, and the organization where its count changed. */
export const newsOf = (before: ReadonlyArray<Premises>, after: ReadonlyArray<Premises>): ReadonlyArray<Premises> => {
  const known = new Map(before.map(({ placeId, count }) => [placeId, count]))
  return after.filter(({ placeId, count }) => {
    const last = known.get(placeId)
    const isOtherCount = placeId === undefined && last?.inside !== count.inside
    return last !== undefined && (last.level !== count.level || isOtherCount)
  })
}
