/** Which place a drawn area would be a part of. */
import type { Place } from "@sojourn/client"
import { type Lineage, levelOf } from "../organizations/lineages.ts"
import { type Polygons, type Position, readArea } from "../shared/area.ts"
import { cornerOf, cornersOf, middleAfter, type Shape } from "./drawing.ts"

/** How near to a border a corner may be to count as inside, in degrees: what the server takes as a border that two areas share. */
const TOUCHING_DEGREES = 1.5e-6

/** Whether a position is on an edge, as far as corners are exact. */
const isOn = ([x, y]: Position, [x1, y1]: Position, [x2, y2]: Position): boolean => {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx ** 2 + dy ** 2
  const along = length === 0 ? 0 : Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) / length, 0), 1)
  return Math.hypot(x1 + along * dx - x, y1 + along * dy - y) <= TOUCHING_DEGREES
}

/** Whether a position is inside of polygons, or on their border. */
const isInside = (position: Position, polygons: Polygons): boolean => {
  const [x, y] = position
  let isIn = false
  for (const ring of polygons.flat()) {
    for (const [nth, from] of ring.entries()) {
      const to = ring[(nth + 1) % ring.length]!
      if (isOn(position, from, to)) return true
      if (from[1] > y !== to[1] > y && x < from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]))
        isIn = !isIn
    }
  }
  return isIn
}

/** Whether the corners of a shape and the middles of its edges are inside of polygons. The server alone checks all of it. */
export const isDrawnInside = (shape: Shape, polygons: Polygons): boolean =>
  cornersOf(shape).every((at) =>
    [cornerOf(shape, at), middleAfter(shape, at)].every((one) => one === undefined || isInside(one, polygons))
  )

/**
 * The innermost place around a shape that is on a level, else the innermost one that neither has a level nor is a part of one that does:
 * a building spans its levels. None where no such place is around it, or nothing is drawn.
 */
export const proposedParent = (
  shape: Shape,
  level: number,
  lineages: ReadonlyMap<number, Lineage<Place>>
): Place | undefined => {
  if (cornersOf(shape).length === 0) return undefined
  const innermost = (isCandidate: (lineage: Lineage) => boolean): Place | undefined =>
    [...lineages.values()]
      .filter((lineage) => isCandidate(lineage) && isDrawnInside(shape, readArea(lineage[0]!.trackingArea)))
      .reduce<Lineage<Place>>((deepest, lineage) => (lineage.length > deepest.length ? lineage : deepest), [])[0]
  return (
    innermost((lineage) => levelOf(lineage) === level) ??
    innermost((lineage) => lineage.every((place) => place.level === undefined))
  )
}
