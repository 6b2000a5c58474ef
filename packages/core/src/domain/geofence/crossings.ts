/** When the device crossed the borders of fences that it left and entered. */
import { areApart, type Fence, liesWithin } from "./Fence.ts"
import type { Observation } from "./Observation.ts"
import { Place } from "./Place.ts"

/** A border that the device crossed, and when. */
interface Crossing {
  readonly fence: Fence
  readonly isEntrance: boolean
  readonly at: number
}

/** Whether a device is in at most one of two fences: they are on one level, and neither lies in the other. */
const areBeside = (one: Fence, other: Fence): boolean =>
  !areApart(one.level, other.level) && !liesWithin(one, other) && !liesWithin(other, one)

/**
 * A device that enters a fence leaves those beside it, unless it is in both, as the middle of more fixes shows. Until it does, the device
 * has not entered.
 */
export const exchange = (
  seen: Observation,
  left: ReadonlyArray<Fence>,
  entered: ReadonlyArray<Fence>
): { readonly left: ReadonlyArray<Fence>; readonly entered: ReadonlyArray<Fence> } => {
  const { fixes, index, insides, longer, recent, rest } = seen
  const found = Array.from(index.near.subarray(0, index.count))
  const inside = found.filter((i) => insides[i] === 1 && !left.includes(index.fences[i]!)).map((i) => index.fences[i]!)
  const newest = new Place()
  newest.set(fixes.last.latitude, fixes.last.longitude, 0)
  const last = recent.from < 0 ? newest : recent
  const sure = rest.isResting ? rest : longer.from < 0 ? newest : longer
  const exchanged = new Set(left)
  const there: Array<Fence> = []
  for (const fence of entered) {
    const others = inside.filter(
      (other) => areBeside(fence, other) && !(last.metresToBorder(fence) <= 0 && last.metresToBorder(other) <= 0)
    )
    if (others.some((other) => sure.metresToBorder(other) <= 0 || sure.metresToBorder(fence) > 0)) continue
    there.push(fence)
    for (const other of others) exchanged.add(other)
  }
  return { left: index.fences.filter((fence) => exchanged.has(fence)), entered: there }
}

/** When a fence beside this one was left last: the device entered it no earlier. */
const leftBeside = ({ fixes, index, presence }: Observation, fence: Fence): number =>
  index.fences.reduce((latest, other) => {
    const { at, isInside } = presence.get(other.key) ?? { at: -Infinity, isInside: true }
    return isInside || at > fixes.newest || at <= latest || !areBeside(fence, other) ? latest : at
  }, -Infinity)

/** The crossings of fences, each list outer before inner: exits come first, inner to outer, then entrances, outer to inner. */
export const crossings = (
  seen: Observation,
  left: ReadonlyArray<Fence>,
  entered: ReadonlyArray<Fence>
): ReadonlyArray<Crossing> => {
  const inner = [...left].reverse()
  const exits = inner.map((fence) => timeOf(seen, fence, "exit"))
  const entrances = entered.map((fence) => Math.max(leftBeside(seen, fence), timeOf(seen, fence, "entrance")))
  // A phone that is inside an area is inside the one around it.
  for (const [i, fence] of inner.entries()) {
    for (let j = 0; j < i; j++) if (liesWithin(inner[j]!, fence)) exits[i] = Math.max(exits[i]!, exits[j]!)
  }
  for (const [i, fence] of entered.entries()) {
    for (const [j, other] of inner.entries()) {
      if (areBeside(fence, other)) entrances[i] = Math.max(entrances[i]!, exits[j]!)
    }
  }
  for (const [i, fence] of entered.entries()) {
    for (let j = i + 1; j < entered.length; j++) {
      if (liesWithin(entered[j]!, fence)) entrances[i] = Math.min(entrances[i]!, entrances[j]!)
    }
  }
  return [
    ...inner.map((fence, i) => ({ fence, isEntrance: false, at: exits[i]! })),
    ...entered.map((fence, i) => ({ fence, isEntrance: true, at: entrances[i]! }))
  ]
}

/** The fix that showed it first: it parts the fixes best into those before on one side and those after on the other. */
const timeOf = (seen: Observation, fence: Fence, crossing: "entrance" | "exit"): number => {
  const { accuracies, count, times } = seen.fixes
  const since = seen.presence.get(fence.key)?.at ?? -Infinity
  let [sum, most, time] = [0, -Infinity, times[count - 1]!]
  for (let i = count - 1; i >= 0 && times[i]! > since; i--) {
    const limit = accuracies[i]!
    const clipped = Math.max(-limit, Math.min(limit, seen.metresTo(fence, i, limit)))
    sum += crossing === "entrance" ? -clipped : clipped
    if (sum > most) {
      most = sum
      time = times[i]!
    }
  }
  return time
}
