/** When the device crossed the borders of fences that it left and entered. */
import { type Fence, liesWithin } from "./Fence.ts"
import type { Observation } from "./Observation.ts"

/** A border that the device crossed, and when. */
interface Crossing {
  readonly fence: Fence
  readonly isEntrance: boolean
  readonly at: number
}

/** The crossings of fences, each list outer before inner: exits come first, inner to outer, then entrances, outer to inner. */
export const crossings = (
  seen: Observation,
  left: ReadonlyArray<Fence>,
  entered: ReadonlyArray<Fence>
): ReadonlyArray<Crossing> => {
  const inner = [...left].reverse()
  const exits = inner.map((fence) => timeOf(seen, fence, "exit"))
  const entrances = entered.map((fence) => timeOf(seen, fence, "entrance"))
  // A phone that is inside an area is inside the one around it.
  for (const [i, fence] of inner.entries()) {
    for (let j = 0; j < i; j++) if (liesWithin(inner[j]!, fence)) exits[i] = Math.max(exits[i]!, exits[j]!)
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
