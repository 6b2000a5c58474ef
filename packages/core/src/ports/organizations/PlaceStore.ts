/** The port for places. Decisions are made within its steps, on facts that cannot change before the write. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AreaRecord, AreaTotals, PlaceArea } from "../../domain/areas/AreaConstraints.ts"
import type { AdministratorId, OrganizationId, PlaceId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { NewPlace, Place, PlaceNotFound } from "../../domain/organizations/Place.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { Bounds, TrackingArea } from "../../domain/areas/TrackingArea.ts"
import type { Page } from "../shared/Page.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** What a change of a place is decided on, as it is in that moment. */
export interface PlaceFacts {
  readonly organizationArea: TrackingArea
  /** The organization's other places that may meet the bounds which the change names; none when it names none. */
  readonly near: ReadonlyArray<AreaRecord>
  /** Of the organization's other places, near or not. */
  readonly others: AreaTotals
  /** The level of the administrator in whose name the change is made. */
  readonly level: Option.Option<PermissionLevel>
}

/** Which facts a new place is decided on. */
export interface PlaceCreation {
  readonly organizationId: OrganizationId
  readonly administratorId: AdministratorId
  /** The bounds of the new area. */
  readonly bounds: Bounds
}

/** Which facts a change of a place is decided on. */
export interface PlaceUpdate {
  readonly placeId: PlaceId
  readonly administratorId: AdministratorId
  /** The bounds of the new area; none where the area stays as it is. */
  readonly bounds: Bounds | undefined
}

/** An area of a place in one of its versions. */
export interface StoredArea extends PlaceArea {
  readonly version: string
}

/**
 * The places of organizations.
 *
 * - `create` decides on the facts and keeps what `decide` answers under a new id, never used before; `update` and
 *   `remove` decide and write in one step as well. Changes of one organization's area and places follow each other, so
 *   no two of them can break a rule between them.
 * - `factsOfCreation` and `factsOfUpdate` read what `create` and `update` would decide on, without a lock: what has to be compared
 *   is compared before the step that decides and writes.
 * - The facts hold versions of areas instead of areas: comparing areas takes long, and is done before with those of `areas`.
 *   An area that is stored has the version that it was read with, or it has changed.
 * - `areas` answers the areas of those of the places that the organization has, in the order of their ids. It may leave out
 *   one that is being changed.
 * - `remove` ends the place with its stays, open and closed: nothing of them is counted or listed again.
 * - `list` answers a page of an organization's places in the order of their ids, from the first one or `after` one. Where it names
 *   a reader, they need the level `viewer` in that moment (`requireLevel`), and the organization has to exist; without a reader, an
 *   organization that does not exist has no places. The page includes every change that was answered before it was asked for.
 */
export class PlaceStore extends Context.Service<
  PlaceStore,
  {
    readonly factsOfCreation: (creation: PlaceCreation) => Effect.Effect<PlaceFacts, OrganizationNotFound | StoreError>
    readonly create: <E>(
      creation: PlaceCreation & { readonly decide: (facts: PlaceFacts) => Result.Result<NewPlace, E> }
    ) => Effect.Effect<Place, E | OrganizationNotFound | StoreError>
    readonly factsOfUpdate: (
      update: PlaceUpdate
    ) => Effect.Effect<readonly [Place, PlaceFacts], PlaceNotFound | StoreError>
    readonly update: <E>(
      update: PlaceUpdate & { readonly decide: (place: Place, facts: PlaceFacts) => Result.Result<Place, E> }
    ) => Effect.Effect<Place, E | PlaceNotFound | StoreError>
    readonly remove: <E>(removal: {
      readonly placeId: PlaceId
      readonly administratorId: AdministratorId
      readonly decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
    }) => Effect.Effect<void, E | PlaceNotFound | StoreError>
    readonly areas: (
      organizationId: OrganizationId,
      placeIds: ReadonlyArray<PlaceId>
    ) => Effect.Effect<ReadonlyArray<StoredArea>, StoreError>
    readonly list: (
      organizationId: OrganizationId,
      after?: PlaceId,
      reader?: AdministratorId
    ) => Effect.Effect<Page<Place>, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/PlaceStore") {}
