import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { type PlaceArea, placeFits, type PlaceOutsideOrganization, type PlacesOverlap } from "./AreaConstraints.ts"
import type { OrganizationId, PlaceId } from "./Ids.ts"
import type { TrackingArea } from "./TrackingArea.ts"

/** What a new place is made of. */
export interface NewPlace {
  readonly organizationId: OrganizationId
  /** At most 128 characters; left out: `Place <id>`. */
  readonly name?: string | undefined
  readonly trackingArea: TrackingArea
}

/** A part of an organization with a tracking area of its own (interface, section 2). */
export interface Place extends NewPlace {
  readonly id: PlaceId
}

/** Fields to change: those that are present. A `null` name gives back the name by id. */
export interface PlaceChange {
  /** The organization as the caller believes it to be: a place never moves. */
  readonly organizationId?: OrganizationId | undefined
  readonly name?: string | null | undefined
  readonly trackingArea?: TrackingArea | undefined
}

/** There is no such place (interface, section 7). */
export class PlaceNotFound extends Data.TaggedError("PlaceNotFound")<{ readonly placeId: PlaceId }> {}

/** A place never moves to another organization. */
export class PlaceStaysInOrganization extends Data.TaggedError("PlaceStaysInOrganization")<{
  readonly organizationId: OrganizationId
}> {}

/** What the place is called. */
export const placeName = (place: Place): string => place.name ?? `Place ${place.id}`

/** The place as a change leaves it, when the change keeps its rules. `others` are the organization's other places. */
export const changePlace = (
  place: Place,
  organizationArea: TrackingArea,
  others: ReadonlyArray<PlaceArea>,
  change: PlaceChange
): Result.Result<Place, PlaceStaysInOrganization | PlaceOutsideOrganization | PlacesOverlap> =>
  Result.gen(function* () {
    if (change.organizationId !== undefined && change.organizationId !== place.organizationId) {
      return yield* Result.fail(new PlaceStaysInOrganization({ organizationId: place.organizationId }))
    }
    const trackingArea = change.trackingArea ?? place.trackingArea
    if (trackingArea.text !== place.trackingArea.text) yield* placeFits(trackingArea, organizationArea, others)
    return { ...place, trackingArea, name: change.name === undefined ? place.name : (change.name ?? undefined) }
  })
