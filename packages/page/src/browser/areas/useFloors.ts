/** The levels of an organization: the one that is shown, its places, its floor plan, and how many people are on each. */
import type { FloorPlan } from "@sojourn/client"
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks"
import type { Premises } from "../organizations/model.ts"
import { levelOf } from "../organizations/lineages.ts"
import { usePage } from "../shared/context.ts"
import { useLoaded } from "../shared/useLoaded.ts"

/** The plans by their levels, the lowest first. They are read again when `version` changes. */
export const usePlanList = (organizationId: number, version: unknown) => {
  const { api } = usePage()
  return useLoaded(() => api.floorplan.list({ organizationId }), [organizationId], { changes: [version] })
}

/** The URL of an image that this page alone can read. */
export const useImageUrl = (blob: Blob | undefined) => {
  const url = useMemo(() => blob && URL.createObjectURL(blob), [blob])
  useEffect(() => () => void (url !== undefined && URL.revokeObjectURL(url)), [url])
  return url
}

/** The image of a plan; undefined until it is read. The map is whole without it. */
export const usePlanImage = (organizationId: number, plan: FloorPlan | undefined) => {
  const { api } = usePage()
  const { value: blob } = useLoaded(
    async () => plan && api.floorplan.get({ organizationId, level: plan.level }),
    [organizationId, plan]
  )
  const url = useImageUrl(blob)
  return url === undefined || blob === undefined || plan === undefined ? undefined : { url, blob, plan }
}

export type ShownPlan = NonNullable<ReturnType<typeof usePlanImage>>

interface FloorCount {
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
    for (const [nth, { id }] of lineage.entries()) if (levelOf(lineage.slice(nth)) !== level) spanning.add(id)
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

/** The level of a place that is selected is shown. Places of one level are shown with the floor plans of all levels. */
export const useFloors = (organizationId: number, premises: ReadonlyArray<Premises>, selected: number | undefined) => {
  // The organization is read again when a plan of it changed.
  const { value: plans = [] } = usePlanList(organizationId, premises[0]!.polygons)
  const [chosen, setLevel] = useState<number>()
  const ofPlaces = new Set(premises.slice(1).map(({ lineage }) => levelOf(lineage)))
  const levels = [...new Set([...ofPlaces, ...plans.map(({ level }) => level)])].sort((a, b) => a - b)
  /** The level that is shown until another one is chosen. */
  const nearestToGround = levels.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0
  const level = chosen !== undefined && levels.includes(chosen) ? chosen : nearestToGround
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
