/** What an area must respect beside its own geometry: its organization, other places, the largest area, and limits on all areas. */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { PlaceId } from "../shared/Ids.ts"
import type { AreaRelation } from "./AreaChecks.ts"
import { pointsOf, type RelationFault, squareMetres, type TrackingArea } from "./TrackingArea.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** A place's area, with the place's id once it has one. */
export interface PlaceArea {
  readonly id: PlaceId
  readonly trackingArea: TrackingArea
}

/** The tracking area is larger than the organization may have. Both in square metres. */
export class TrackingAreaTooLarge extends TaggedError(
  "TrackingAreaTooLarge",
  "the tracking area is larger than the organization's areas may be"
)<{
  readonly area: number
  readonly maxArea: number
}> {}

/** A place does not lie inside the organization's tracking area; `fault` says which part of a border is wrong. */
export class PlaceOutsideOrganization extends TaggedError(
  "PlaceOutsideOrganization",
  "the place is not inside the organization's area"
)<{
  /** The place that would be outside; none when it is a new one. */
  readonly placeId: Option.Option<PlaceId>
  readonly fault: RelationFault
}> {}

/** A place does not lie inside its parent; `fault` says which part of a border is wrong. */
export class PlaceOutsidePlace extends TaggedError("PlaceOutsidePlace", "the place is not inside its parent place")<{
  /** The other place: the parent, or the part that would not be inside the area any more. */
  readonly placeId: PlaceId
  /** Whether the other place is the parent. */
  readonly isParent: boolean
  readonly fault: RelationFault
}> {}

/** The area overlaps another place of the organization; `fault` says which part of their borders. */
export class PlacesOverlap extends TaggedError(
  "PlacesOverlap",
  "the place overlaps another place of the organization"
)<{
  readonly placeId: PlaceId
  readonly fault: RelationFault
}> {}

/** The tracking area is no larger than the organization may have (spec: areas#largest). None: any area. */
export const respectsMaxArea = (
  area: TrackingArea,
  maxArea: number | undefined
): Result.Result<void, TrackingAreaTooLarge> => {
  if (maxArea === undefined) return Result.void
  const size = squareMetres(area)
  return size > maxArea ? Result.fail(new TrackingAreaTooLarge({ area: size, maxArea })) : Result.void
}

/** What one organization may hold, and how long one decision on its areas may compute. */
export interface AreaLimits {
  readonly places: number
  /** The largest sum of {@link areaWeight} over its places. */
  readonly points: number
  /** The computing time of one decision, in units of {@link WORK_UNIT_NANOS}. */
  readonly work: number
}

/** One unit of work, in nanoseconds of computing: about one pair of edges compared. */
export const WORK_UNIT_NANOS = 5

/** The limits that hold unless the operator sets others (spec: areas#most-places). */
export const DEFAULT_AREA_LIMITS: AreaLimits = { places: 2_000, points: 200_000, work: 1_000_000_000 }

/** How many bytes of an area's text count as one point, where the text has more of them than its points explain. */
export const BYTES_PER_POINT = 128

/** How much an area counts against {@link AreaLimits.points}: its points, or its text where that is unusually long. */
export const areaWeight = (area: TrackingArea): number =>
  Math.max(pointsOf(area), Math.ceil(utf8ToBytes(area.text).length / BYTES_PER_POINT))

/** The organization has as many places as it may have. */
export class TooManyPlaces extends TaggedError("TooManyPlaces", "the organization has as many places as allowed")<{
  readonly mostPlaces: number
}> {}

/** The areas of the organization's places would have more points than they may have. */
export class PlacesTooDetailed extends TaggedError(
  "PlacesTooDetailed",
  "the places of the organization would have too many points"
)<{
  readonly points: number
  readonly mostPoints: number
}> {}

/** Comparing the area with the others of the organization computes for longer than one decision may. */
export class AreaTooComplex extends TaggedError("AreaTooComplex", "comparing the area exceeds the work limit")<{
  readonly mostWork: number
}> {}

/** How many places there are, and the sum of their {@link areaWeight}. */
export interface AreaTotals {
  readonly places: number
  readonly points: number
}

/**
 * An organization with these other places may have one with this area. `former` is the area that the place had; a change
 * that adds no points is accepted whatever the limits, so that an organization above them can be mended.
 */
export const withinAreaLimits = (
  area: TrackingArea,
  others: AreaTotals,
  limits: AreaLimits,
  former?: TrackingArea
): Result.Result<void, TooManyPlaces | PlacesTooDetailed> => {
  if (former === undefined && others.places >= limits.places) {
    return Result.fail(new TooManyPlaces({ mostPlaces: limits.places }))
  }
  const weight = areaWeight(area)
  const points = others.points + weight
  if (points <= limits.points || (former !== undefined && weight <= areaWeight(former))) return Result.void
  return Result.fail(new PlacesTooDetailed({ points, mostPoints: limits.points }))
}

/** A stored area of a place, or of the organization itself, which has no id here. */
export interface StoredArea {
  readonly id: PlaceId | undefined
  readonly trackingArea: TrackingArea
}

/** A relation that two areas must have. */
export interface RelationCheck {
  /** What the area of `subject` must be to that of `other`. */
  readonly relation: AreaRelation
  /** The place with the stored area; none: the new area of the change. */
  readonly subject: PlaceArea | undefined
  readonly other: StoredArea
}

/** The comparisons that were made for a change, by {@link relationKey}. */
export type ComparedAreas = ReadonlyMap<string, RelationCheck>

/** The key of a relation, whatever the areas. */
export const relationKey = ({ relation, subject, other }: RelationCheck): string =>
  `${subject?.id} ${relation} ${other.id}`

/** A change was decided on areas that were not compared, or that changed since. Nothing was written. */
export class AreasNotCompared extends TaggedError(
  "AreasNotCompared",
  "areas of the organization have not been compared yet"
)<{
  readonly relations: ReadonlyArray<RelationCheck>
}> {}

/** Every one of these relations was compared, with the areas that are stored. */
export const requireCompared = (
  compared: ComparedAreas,
  relations: ReadonlyArray<RelationCheck>
): Result.Result<void, AreasNotCompared> => {
  const missing = relations.filter((check) => {
    const made = compared.get(relationKey(check))
    return (
      made?.other.trackingArea.text !== check.other.trackingArea.text ||
      made.subject?.trackingArea.text !== check.subject?.trackingArea.text
    )
  })
  return missing.length === 0 ? Result.void : Result.fail(new AreasNotCompared({ relations: missing }))
}
