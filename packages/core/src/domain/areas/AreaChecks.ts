/**
 * The checks of areas that take long: pure functions from data to data, so that another thread can run them. Nothing here imports
 * Effect, which a thread would load for nothing.
 */
import type { RelationFault, TrackingAreaFault } from "./geometry/Fault.ts"
import type { Polygons } from "./geometry/Position.ts"
import { readArea } from "./geometry/readArea.ts"
import { whyNotInside, whyOverlap } from "./geometry/Relation.ts"
import { isFault, readPolygons } from "./geometry/Shape.ts"

/**
 * The relation that an area must have to others: inside each, around each, or apart from each. Borders may be shared.
 */
export type AreaRelation = "inside" | "around" | "apart"

/** A comparison of an area with others, all as the texts of well-formed areas. */
export interface AreaComparison {
  readonly area: string
  readonly relation: AreaRelation
  readonly others: ReadonlyArray<string>
}

/** The first of the other areas to which an area does not have the relation. */
export interface AreaConflict {
  readonly index: number
  readonly fault: RelationFault
}

/** The fault between an area and another one. The fault's own edge is the inner area's, or the other one's. */
const faultBetween = (area: Polygons, relation: AreaRelation, other: Polygons): RelationFault | undefined => {
  switch (relation) {
    case "inside":
      return whyNotInside(other, area)
    case "around":
      return whyNotInside(area, other)
    case "apart":
      return whyOverlap(other, area)
  }
}

const polygonsOf = (text: string): Polygons => {
  const polygons = readPolygons(text)
  if (isFault(polygons)) throw new TypeError(`The text is no area: ${polygons._tag}`)
  return polygons
}

/** Why a text is no well-formed area; undefined when it is one. Never throws, whatever the text. */
export const whyMalformed = (text: string): TrackingAreaFault | undefined => {
  const polygons = readArea(text)
  return isFault(polygons) ? polygons : undefined
}

/** The first conflict of an area with others; undefined when it has the relation to all of them. */
export const firstConflict = ({ area: text, relation, others }: AreaComparison): AreaConflict | undefined => {
  const area = polygonsOf(text)
  for (const [index, other] of others.entries()) {
    const fault = faultBetween(area, relation, polygonsOf(other))
    if (fault !== undefined) return { index, fault }
  }
  return undefined
}
