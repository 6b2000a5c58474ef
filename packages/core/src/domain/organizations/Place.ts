/** A place, and which changes of it are accepted. Areas are checked by `AreaConstraints`. */
import * as Result from "effect/Result"
import { type ChangeOf, changedFields } from "../shared/changedField.ts"
import { type OrganizationId, type PlaceId, textOf } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import type { PlaceChanged } from "../feed/PresenceEvent.ts"
import type { TrackingArea } from "../areas/TrackingArea.ts"

/** The name of a place. */
export const PlaceName = textOf(0, 128)

/** What a new place is made of. */
export interface NewPlace {
  readonly organizationId: OrganizationId
  /** At most 128 characters; left out: `Place <id>`. */
  readonly name?: string | undefined
  readonly trackingArea: TrackingArea
  /** The floor: an integer from -100 to 300. Left out: that of the nearest ancestor with a level, else 0. */
  readonly level?: number | undefined
  /** The place of the same organization that this one is a part of. */
  readonly parentId?: PlaceId | undefined
}

/** A part of an organization with a tracking area of its own (spec: organizations#places). */
export interface Place extends NewPlace {
  readonly id: PlaceId
}

/**
 * Fields to change: those that are present. A `null` name gives back the name by id; a `null` level or parent clears it. The
 * organization is the place's own, as the caller believes it to be: a place never moves.
 */
export type PlaceChange = ChangeOf<NewPlace>

/** There is no such place (spec: organizations#exists). */
export class PlaceNotFound extends TaggedError("PlaceNotFound", "the place does not exist")<{
  readonly placeId: PlaceId
}> {}

/** A place never moves to another organization. */
export class PlaceStaysInOrganization extends TaggedError(
  "PlaceStaysInOrganization",
  "a place cannot move to another organization"
)<{
  readonly organizationId: OrganizationId
}> {}

/** What the place is called. */
export const placeName = (place: Pick<Place, "id" | "name">): string => place.name ?? `Place ${place.id}`

/** The place as a change leaves it. Whether its area fits where it is put, the rules of areas say. */
export const changePlace = (place: Place, change: PlaceChange): Result.Result<Place, PlaceStaysInOrganization> =>
  change.organizationId !== undefined && change.organizationId !== place.organizationId
    ? Result.fail(new PlaceStaysInOrganization({ organizationId: place.organizationId }))
    : Result.succeed(changedFields<Place>(place, change))

/** Whether two versions of a place differ in their data. */
export const hasPlaceChanged = (before: Place, after: Place): boolean =>
  before.name !== after.name ||
  before.trackingArea.text !== after.trackingArea.text ||
  before.level !== after.level ||
  before.parentId !== after.parentId

/** The event of a created or changed place. */
export const placeChanged = (changed: "created" | "updated", { id, level, parentId }: Place): PlaceChanged => ({
  _tag: "PlaceChanged",
  placeId: id,
  changed,
  level,
  parentId
})
