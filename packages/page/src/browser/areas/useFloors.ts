/** The levels of an organization: the one that is shown, its places and its floor plan. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks"
import type { Premises } from "../organizations/model.ts"
import { levelOf } from "../organizations/lineages.ts"
import { floorCounts } from "./floorCounts.ts"
import { usePlanImage, usePlanList } from "./useFloorPlans.ts"

/** The level that is shown until another one is chosen: the one nearest to the ground. */
const groundOf = (levels: ReadonlyArray<number>): number =>
  levels.reduce((nearest, level) => (Math.abs(level) < Math.abs(nearest) ? level : nearest), levels[0] ?? 0)

/** The level of a place that is selected is shown. Places of one level are shown with the floor plans of all levels. */
export const useFloors = (organizationId: number, premises: ReadonlyArray<Premises>, selected: number | undefined) => {
  // The organization is read again when a plan of it changed.
  const { value: plans = [] } = usePlanList(organizationId, premises[0]!.polygons)
  const [chosen, setLevel] = useState<number>()
  const ofPlaces = new Set(premises.slice(1).map(({ lineage }) => levelOf(lineage)))
  const levels = [...new Set([...ofPlaces, ...plans.map(({ level }) => level)])].sort((a, b) => a - b)
  const level = chosen !== undefined && levels.includes(chosen) ? chosen : groundOf(levels)
  useLayoutEffect(() => {
    const place = premises.find(({ placeId }) => placeId === selected)
    if (place?.placeId !== undefined) setLevel(levelOf(place.lineage))
  }, [selected])
  const isApart = ofPlaces.size > 1
  const shown = useMemo(
    () =>
      premises
        .filter(({ placeId, lineage }) => placeId === undefined || !isApart || levelOf(lineage) === level)
        // Parts are drawn over what they are a part of.
        .sort((one, other) => one.lineage.length - other.lineage.length),
    [premises, isApart, level]
  )
  const counts = useMemo(() => (isApart ? floorCounts(premises) : new Map<number, never>()), [premises, isApart])
  const nths = new Map(shown.map(({ placeId }, nth) => [placeId, nth]))
  return {
    levels,
    level,
    setLevel,
    shown,
    /** Of each level that places are on, where there are several. */
    counts,
    /** For each of those shown the index of the one that it is a part of; -1 where that is not shown. */
    parents: shown.map(({ lineage: [, parent] }) => (parent === undefined ? -1 : (nths.get(parent.id) ?? -1))),
    image: usePlanImage(
      organizationId,
      plans.find((plan) => plan.level === level)
    )
  }
}

export type Floors = ReturnType<typeof useFloors>
