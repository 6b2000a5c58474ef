import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { PlaceArea } from "../domain/AreaConstraints.ts"
import type { AdministratorId, OrganizationId, PlaceId } from "../domain/Ids.ts"
import type { OrganizationNotFound } from "../domain/Organization.ts"
import type { PermissionLevel } from "../domain/PermissionLevel.ts"
import type { NewPlace, Place, PlaceNotFound } from "../domain/Place.ts"
import type { TrackingArea } from "../domain/TrackingArea.ts"
import type { StoreError } from "./StoreError.ts"

/** What a change of a place is decided on, as it is in that moment. */
export interface PlaceFacts {
  readonly organizationArea: TrackingArea
  /** The areas of the organization's other places. */
  readonly others: ReadonlyArray<PlaceArea>
  /** The level of the administrator in whose name the change is made. */
  readonly level: Option.Option<PermissionLevel>
}

/**
 * The places of organizations.
 *
 * - `create` decides on the facts and keeps what `decide` answers under a new id, never used before; `update` and
 *   `remove` decide and write in one step as well. Changes of one organization's area and places follow each other, so
 *   no two of them can break a rule between them.
 * - `remove` ends the place with its stays, open and closed: nothing of them is counted or listed again.
 * - `list` answers an organization's places in the order of their ids; none when there is no such organization.
 */
export class PlaceStore extends Context.Service<
  PlaceStore,
  {
    readonly create: <E>(creation: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      readonly decide: (facts: PlaceFacts) => Result.Result<NewPlace, E>
    }) => Effect.Effect<Place, E | OrganizationNotFound | StoreError>
    readonly update: <E>(update: {
      readonly placeId: PlaceId
      readonly administratorId: AdministratorId
      readonly decide: (place: Place, facts: PlaceFacts) => Result.Result<Place, E>
    }) => Effect.Effect<Place, E | PlaceNotFound | StoreError>
    readonly remove: <E>(removal: {
      readonly placeId: PlaceId
      readonly administratorId: AdministratorId
      readonly decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
    }) => Effect.Effect<void, E | PlaceNotFound | StoreError>
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Place>, StoreError>
  }
>()("@sojourn/core/PlaceStore") {}
