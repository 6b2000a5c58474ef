/** How many people are on each level. */
import type { Premises } from "../organizations/model.ts"
import { levelOf } from "../organizations/lineages.ts"

export interface FloorCount {
  readonly inside: number
  /** Whether one of its places is full, or over its capacity. */
  readonly needsAttention: boolean
}

/**
 * The sum of the outermost places of each level: their parts count no second time. A place with parts on other levels, such as a building, is
 * on none of them: its parts count in its place.
 */
export const floorCounts = (
  premises: ReadonlyArray<Pick<Premises, "lineage" | "count">>
): ReadonlyMap<number, FloorCount> => {
  const spanning = new Set<number>()
  for (const { lineage } of premises) {
    const level = levelOf(lineage)
    for (let nth = 1; nth < lineage.length; nth++)
      if (levelOf(lineage.slice(nth)) !== level) spanning.add(lineage[nth]!.id)
  }
  const counts = new Map<number, FloorCount>()
  for (const { lineage, count } of premises) {
    const [place, ...around] = lineage
    if (place === undefined || spanning.has(place.id)) continue
    const level = levelOf(lineage)
    const { inside = 0, needsAttention = false } = counts.get(level) ?? {}
    const isOutermost = around.every(({ id }) => spanning.has(id))
    counts.set(level, {
      inside: inside + (isOutermost ? count.inside : 0),
      needsAttention: needsAttention || count.level === "full" || count.level === "over"
    })
  }
  return counts
}
