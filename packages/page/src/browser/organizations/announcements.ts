/** The changes of counts that screen readers announce (`Announcer.tsx`). */
import type { Premises } from "./model.ts"

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
