/** The areas around a drawing: those that are near, those that it is related to, and the one that it would be a part of. */
import type { Organization, Place } from "@sojourn/client"
import { type Lineage, levelOf, lineagesOf } from "../organizations/lineages.ts"
import { type Polygons, type Position, readArea } from "../shared/area.ts"
import { cornerOf, cornersOf, isEmpty, middleAfter, type Shape } from "./drawing.ts"
import { edgesOf, sideOf } from "./edges.ts"
import type { RelatedArea } from "./overlaps.ts"
import type { SurroundingArea } from "./useDrawing.ts"

/** The organization's area, and those of the places that are near. */
export const surroundingsOf = (
  organization: Organization,
  places: ReadonlyArray<Place>,
  isNear: (place: Place, level: number) => boolean
): ReadonlyArray<SurroundingArea> => {
  const lineages = lineagesOf(places)
  const near = places.filter((place) => isNear(place, levelOf(lineages.get(place.id)!)))
  const parts = Map.groupBy(near, ({ parentId }) => parentId)
  return [
    { name: organization.name, polygons: readArea(organization.trackingArea) },
    ...near.map(({ id, name, trackingArea }) => ({
      name,
      polygons: readArea(trackingArea),
      parts: (parts.get(id) ?? []).flatMap((part) => readArea(part.trackingArea))
    }))
  ]
}

interface EditedPlace {
  /** Undefined while it is not there yet. */
  readonly id: number | undefined
  readonly parentId: number | null
  readonly level: number
}

/** The areas that the one of a place is related to; without a place the areas that the organization's is around. */
export const relatedTo = (
  organization: Organization,
  places: ReadonlyArray<Place>,
  edited: EditedPlace | undefined
): ReadonlyArray<RelatedArea> => {
  const related = (of: ReadonlyArray<Place | Organization>, relation: RelatedArea["relation"]) =>
    of.map(({ name, trackingArea }) => ({ name, polygons: readArea(trackingArea), relation }))
  const partsOf = (parentId: number | undefined) => places.filter((place) => place.parentId === parentId)
  if (edited === undefined) return related(partsOf(undefined), "around")
  const { id, parentId, level } = edited
  const lineages = lineagesOf(places)
  const above = new Set((lineages.get(parentId ?? 0) ?? []).map((place) => place.id))
  const isApart = (place: Place) => {
    const lineage = lineages.get(place.id)!
    return levelOf(lineage) === level && !above.has(place.id) && lineage.every((one) => one.id !== id)
  }
  return [
    ...related(places.filter(isApart), "apart"),
    ...related([places.find((place) => place.id === parentId) ?? organization], "within"),
    ...related(id === undefined ? [] : partsOf(id), "around")
  ]
}

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
