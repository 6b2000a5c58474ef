import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { PlaceId } from "./Ids.ts"
import { type RelationFault, squareMetres, type TrackingArea, whyNotInside, whyOverlap } from "./TrackingArea.ts"

/** A place's area, with the place's id once it has one. */
export interface PlaceArea {
  readonly id: PlaceId
  readonly trackingArea: TrackingArea
}

/** The tracking area is larger than the organization may have. Both in square metres. */
export class TrackingAreaTooLarge extends Data.TaggedError("TrackingAreaTooLarge")<{
  readonly area: number
  readonly maxArea: number
}> {}

/** A place does not lie inside the organization's tracking area; `fault` says which part of a border is wrong. */
export class PlaceOutsideOrganization extends Data.TaggedError("PlaceOutsideOrganization")<{
  /** The place that would be outside; none when it is a new one. */
  readonly placeId: Option.Option<PlaceId>
  readonly fault: RelationFault
}> {}

/** The area overlaps another place of the organization; `fault` says which part of their borders. */
export class PlacesOverlap extends Data.TaggedError("PlacesOverlap")<{
  readonly placeId: PlaceId
  readonly fault: RelationFault
}> {}

/** The tracking area is no larger than the organization may have (interface, section 8). None: any area. */
export const respectsMaxArea = (
  area: TrackingArea,
  maxArea: number | undefined
): Result.Result<void, TrackingAreaTooLarge> => {
  if (maxArea === undefined) return Result.void
  const size = squareMetres(area)
  return size > maxArea ? Result.fail(new TrackingAreaTooLarge({ area: size, maxArea })) : Result.void
}

/** Every place of an organization lies inside its area. */
export const keepsPlacesInside = (
  area: TrackingArea,
  places: ReadonlyArray<PlaceArea>
): Result.Result<void, PlaceOutsideOrganization> => {
  for (const place of places) {
    const fault = whyNotInside(area, place.trackingArea)
    if (Option.isSome(fault)) {
      return Result.fail(new PlaceOutsideOrganization({ placeId: Option.some(place.id), fault: fault.value }))
    }
  }
  return Result.void
}

/** A place's area lies inside its organization's and overlaps no other place of it (contract, section 7). */
export const placeFits = (
  area: TrackingArea,
  organizationArea: TrackingArea,
  others: ReadonlyArray<PlaceArea>
): Result.Result<void, PlaceOutsideOrganization | PlacesOverlap> => {
  const outside = whyNotInside(organizationArea, area)
  if (Option.isSome(outside)) {
    return Result.fail(new PlaceOutsideOrganization({ placeId: Option.none(), fault: outside.value }))
  }
  for (const other of others) {
    const overlap = whyOverlap(other.trackingArea, area)
    if (Option.isSome(overlap)) return Result.fail(new PlacesOverlap({ placeId: other.id, fault: overlap.value }))
  }
  return Result.void
}
