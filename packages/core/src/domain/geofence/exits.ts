/** The rules by which the last fixes show that the device has left premises. Each is asked of a fence that it is inside of. */
import { type Fence, liesWithin } from "./Fence.ts"
import { LONGEST_SILENCE, type Observation } from "./Observation.ts"

/** A fix, together with those before it. */
export const leaves = (seen: Observation, fence: Fence): boolean => {
  const { exitMargin, exitMoving, exitResting, restExit } = seen.settings
  const { fixes, longer, rest } = seen
  if (rest.isResting) {
    const distance = rest.metresToBorder(fence)
    if (distance > exitMargin + restExit * rest.error) return true
  }
  if (fixes.endsSilence(LONGEST_SILENCE)) return leavesByPair(seen, fence)
  if (longer.from < 0 || !followsEntrance(seen, fence, longer.from)) return false
  const limit = exitMargin + (rest.isResting ? exitResting : exitMoving) * seen.sigma(longer.accuracy)
  if (longer.metresToBorder(fence) <= limit) {
    // The middle knows no levels: where the newest fix is on another one, each fix counts by itself.
    return seen.isOffLevel(fence, fixes.count - 1) && areMostlyOutside(seen, fence, longer.from, limit)
  }
  const isPair = fixes.count - longer.from === 2
  // Outliers lie apart: where two fixes do so, a third must agree.
  const from = isPair && !seen.isCredible() ? Math.max(0, longer.from - 1) : longer.from
  return areMostlyOutside(seen, fence, from, isPair ? limit : exitMargin)
}

/** The newest fix, after a time without another one. */
export const isOutsideAlone = (seen: Observation, fence: Fence): boolean => {
  const newest = seen.fixes.count - 1
  // The level of a single fix may be wrong.
  if (seen.isOffLevel(fence, newest) && seen.isOffLevel(fence, newest - 1)) return true
  return !seen.rest.isResting && seen.isFarOutside({ ...fence, level: NaN }, newest)
}

/** Between two fixes with a silence in between there is no other: both must lie outside. */
const leavesByPair = (seen: Observation, fence: Fence): boolean => {
  const newest = seen.fixes.count - 1
  return (
    followsEntrance(seen, fence, newest - 1) && seen.isFarOutside(fence, newest) && seen.isFarOutside(fence, newest - 1)
  )
}

/**
 * Whether the fixes from an index on were taken since the device entered the fence, and those inside it: fixes of the way
 * there lie outside. An entrance later than all fixes is of a clock that was set back since.
 */
const followsEntrance = ({ fixes, index, insides, presence }: Observation, fence: Fence, from: number): boolean => {
  let since = -Infinity
  for (let i = 0; i < index.count; i++) {
    const other = index.fences[index.near[i]!]!
    if (insides[index.near[i]!] !== 1 || !liesWithin(other, fence)) continue
    const { at } = presence.get(other.key)!
    if (at <= fixes.newest) since = Math.max(since, at)
  }
  return fixes.times[from]! >= since
}

/** Whether most fixes from an index on lie so far outside: outliers that are half of them move their median. Few must all. */
const areMostlyOutside = (seen: Observation, fence: Fence, from: number, least: number): boolean => {
  const { count } = seen.fixes
  let outside = 0
  for (let i = from; i < count; i++) if (seen.metresTo(fence, i) > least) outside++
  return count - from > 3 ? outside > (count - from) / 2 : outside === count - from
}
