/** Which place a drawn area would be a part of. */
import type { Place } from "@sojourn/client"
import { type Lineage, levelOf } from "../organizations/lineages.ts"
import { type Polygons, type Position, readArea } from "../shared/area.ts"
import { cornerOf, cornersOf, isEmpty, middleAfter, type Shape } from "./drawing.ts"
import { edgesOf, sideOf } from "./edges.ts"

/** How near to a border a corner may be to count as inside, in degrees: what the server takes as a border that two areas share. */
const TOUCHING_DEGREES = 1.5e-6

/** Whether the corners of a shape and the middles of its edges are inside of polygons. The server alone checks all of it. */
export const isDrawnInside = (shape: Shape, polygons: Polygons): boolean => {
  const edges = edgesOf(polygons)
  const isInside = (position: Position | undefined) =>
    position === undefined || sideOf(edges, position, TOUCHING_DEGREES) !== "outside"
  return cornersOf(shape).every((at) => isInside(cornerOf(shape, at)) && isInside(middleAfter(shape, at)))
}

/**
 * The innermost place around a shape that is on a level, else the innermost one that neither has a level nor is a part of one that does:
 * a building spans its levels. None where no such place is around it, or nothing is drawn.
 */
export const proposedParent = (
  shape: Shape,
  level: number,
  lineages: ReadonlyMap<number, Lineage<Place>>
): Place | undefined => {
  if (isEmpty(shape)) return undefined
  const innermost = (isCandidate: (lineage: Lineage) => boolean): Place | undefined =>
    [...lineages.values()]
      .filter((lineage) => isCandidate(lineage) && isDrawnInside(shape, readArea(lineage[0]!.trackingArea)))
      .reduce<Lineage<Place>>((deepest, lineage) => (lineage.length > deepest.length ? lineage : deepest), [])[0]
  return (
    innermost((lineage) => levelOf(lineage) === level) ??
    innermost((lineage) => lineage.every((place) => place.level === undefined))
  )
}
