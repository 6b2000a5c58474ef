/** The rules by which the last fixes show that the device has entered premises. Each is asked of a fence that it is outside of. */
import { type Fence, metresToBorder } from "./Fence.ts"
import { wrapped } from "./metres.ts"
import { LONGEST_SILENCE, MOVED, type Observation } from "./Observation.ts"
import type { Evidence } from "./Place.ts"

/** Fixes this far apart in time are sparse: to wait for the next one takes too long. */
export const SPARSE = 30_000

/** How far outside the middle of fixes may lie that are an entrance nevertheless, in metres, however wide their errors. */
export const LOOSEST = 10

/** Fixes of this accuracy, in metres, say little of where a device is. */
const POOR = 60

/** How far from a fence the newest fix may lie that says nothing, in metres: 0 for one that is not poor. */
export const poorReach = (seen: Observation): number => {
  const accuracy = seen.fixes.accuracies[seen.fixes.count - 1]!
  return accuracy < POOR ? 0 : 2 * seen.sigma(accuracy)
}

/** The speed of a walk in metres per second, and the time that it is taken over. */
const SLOWEST = 0.5
const FASTEST = 3
const LEAST_WAY = 40_000

/** How far outside it may lead, in standard deviations: accuracy is lost at the door. */
const DOUBT = 1.5

/** For so long a walk is expected to go on. */
const AHEAD = 20_000

/**
 * Whether the device is on the level of a fence: the newest fix is on no other one, and more of the last fixes are on that of the fence,
 * and inside, than on others, so that a single one never decides. Every rule below requires it.
 */
export const isOnLevel = (seen: Observation, fence: Fence): boolean => {
  const { count, levels } = seen.fixes
  const from = seen.recent.from < 0 ? Math.max(0, count - 2) : seen.recent.from
  let off = 0
  for (let i = from; i < count; i++) if (seen.isOffLevel(fence, i)) off++
  if (off === 0) return true
  let on = 0
  for (let i = from; i < count; i++) {
    if (levels[i] === fence.level && seen.metresTo(fence, i, LOOSEST) <= LOOSEST) on++
  }
  return on > off && !seen.isOffLevel(fence, count - 1)
}

/** The first fix of all. */
export const startsInside = (seen: Observation, fence: Fence): boolean =>
  seen.isDeepInside(fence, seen.settings.unknownDepth)

/** A fix, together with those before it. */
export const enters = (seen: Observation, fence: Fence): boolean => {
  const { aloneDepth, entranceDepth, entranceMargin, restEntrance, restOutside, unknownDepth } = seen.settings
  const { fixes, recent, rest } = seen
  if (walksIn(seen, fence)) return true
  if (rest.isResting) {
    const distance = rest.metresToBorder(fence)
    if (distance > restOutside * rest.error) return false
    const depth = Math.max(-LOOSEST, restEntrance * rest.error)
    if (distance < -depth && seen.isAccurate(fence, rest.accuracy)) return true
  }
  if (isSparse(seen) && seen.isDeepInside(fence, aloneDepth)) return true
  if (fixes.endsSilence(LONGEST_SILENCE)) {
    return seen.isDeepInside(fence, aloneDepth) && seen.isDeepInside(fence, aloneDepth, fixes.count - 2)
  }
  if (recent.from < 0 || !seen.isAccurate(fence, recent.accuracy)) return false
  const deviations = isUnknown(seen) ? unknownDepth : entranceDepth
  const depth = entranceMargin + deviations * seen.sigma(recent.accuracy)
  return liesInside(seen, fence, recent, Math.max(-LOOSEST, depth))
}

/** The newest fix, after a time without another one. */
export const isInsideAlone = (seen: Observation, fence: Fence): boolean => {
  const { error, isResting } = seen.rest
  const isElsewhere = isResting && seen.rest.metresToBorder(fence) > seen.settings.restOutside * error
  return !isElsewhere && seen.isDeepInside(fence, seen.settings.aloneDepth)
}

/**
 * Whether the last accurate fixes lead into the fence, and all others are so poor since that they say nothing else: a device loses its
 * accuracy as it enters a building.
 */
const walksIn = (seen: Observation, fence: Fence): boolean => {
  const { accuracies, count, latitudes, longitudes, times } = seen.fixes
  const newest = count - 1
  if (accuracies[newest]! < POOR || seen.metresTo(fence, newest) > poorReach(seen)) return false
  const limit = accuracies[newest]! / 2
  let last = newest - 1
  while (last >= 0 && accuracies[last]! > limit) last--
  let first = last - 1
  while (first >= 0 && (times[last]! - times[first]! < LEAST_WAY || accuracies[first]! > limit)) first--
  // A single poor fix may be an outlier, unless it would take long to wait for the next one.
  const poor = times[newest]! - times[newest - 1]! < SPARSE ? 2 : 1
  if (first < 0 || newest - last < poor) return false
  const way = times[last]! - times[first]!
  const walked = (1000 * seen.fixes.metresBetween(first, last)) / way
  if (walked < SLOWEST || walked > FASTEST || !seen.isAccurate(fence, accuracies[last]!)) return false
  const ahead = times[last + 1]! - times[last]! + AHEAD
  for (let further = AHEAD; further <= ahead; further += AHEAD) {
    const part = further / way
    const latitude = latitudes[last]! + part * (latitudes[last]! - latitudes[first]!)
    const longitude = longitudes[last]! + part * wrapped(longitudes[last]! - longitudes[first]!)
    if (metresToBorder(fence, latitude, longitude) < DOUBT * seen.sigma(accuracies[last]!)) return true
  }
  return false
}

/** Two fixes have no middle that one of them could not move: both must lie there. */
const liesInside = (seen: Observation, fence: Fence, evidence: Evidence, depth: number): boolean => {
  const newest = seen.fixes.count - 1
  if (evidence.metresToBorder(fence, -depth) > -depth) return false
  if (newest - evidence.from > 1) return true
  const limit = Math.max(0, -depth)
  return seen.metresTo(fence, evidence.from) <= limit && seen.metresTo(fence, newest) <= limit
}

/** Whether it is not known yet if the device moves or rests. */
const isUnknown = (seen: Observation): boolean => {
  const { fixes, recent, rest, settings } = seen
  if (rest.isResting || fixes.spanning(settings.restAfter, LONGEST_SILENCE) >= 0) return false
  const first = fixes.unbroken(LONGEST_SILENCE)
  return recent.metresTo(fixes, first) < MOVED * seen.sigma(recent.accuracy)
}

/** Whether fixes are so far apart in time that one decides, unless it may be an outlier. */
const isSparse = (seen: Observation): boolean => {
  const { count, times } = seen.fixes
  const elapsed = count > 1 ? times[count - 1]! - times[count - 2]! : 0
  return elapsed >= SPARSE && elapsed <= LONGEST_SILENCE && seen.hasMoved() && seen.isCredible()
}
