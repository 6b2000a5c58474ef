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
 * The relation that an area must have to another one: inside it, around it, or apart from it. Borders may be shared.
 */
export type AreaRelation = "inside" | "around" | "apart"

/** What a change of areas depends on. */
export interface AreaCheck {
  /** The text of the new area, which must be well-formed; undefined where all areas are stored. */
  readonly area: string | undefined
  /** The texts of areas that are well-formed. */
  readonly stored: ReadonlyArray<string>
  /** The relations that must hold between areas, which are indices of `stored`. No `subject`: the new area. */
  readonly relations: ReadonlyArray<{
    readonly relation: AreaRelation
    readonly subject: number | undefined
    readonly other: number
  }>
}

/** The new area is malformed, or does not have the relation of an index. */
export type AreaFault =
  | { readonly _tag: "Malformed"; readonly fault: TrackingAreaFault }
  | { readonly _tag: "Conflict"; readonly index: number; readonly fault: RelationFault }

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

/** Finds the first fault, in steps of one comparison each; undefined when there is none. Whatever the text of the new area, it does not throw. */
export const checkAreas = function* ({ area, stored, relations }: AreaCheck): Generator<void, AreaFault | undefined> {
  const fresh = area === undefined ? undefined : readArea(area)
  if (fresh !== undefined && isFault(fresh)) return { _tag: "Malformed", fault: fresh }
  const read = new Map<number, Polygons>()
  const at = (index: number): Polygons => {
    const polygons = read.get(index) ?? polygonsOf(stored[index]!)
    read.set(index, polygons)
    return polygons
  }
  for (const [index, { relation, subject, other }] of relations.entries()) {
    yield
    const fault = faultBetween(subject === undefined ? fresh! : at(subject), relation, at(other))
    if (fault !== undefined) return { _tag: "Conflict", index, fault }
  }
  return undefined
}
