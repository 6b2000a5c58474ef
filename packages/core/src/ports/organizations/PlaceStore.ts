/** The port for places. Decisions are made within its steps, on facts that cannot change before the write. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AreaTotals } from "../../domain/areas/AreaConstraints.ts"
import type { AdministratorId, OrganizationId, PlaceId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { NewPlace, Place, PlaceNotFound } from "../../domain/organizations/Place.ts"
import type { PlacePosition, PlaceRecord } from "../../domain/organizations/PlaceHierarchy.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Reader } from "../../domain/accounts/Reader.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { Bounds, TrackingArea } from "../../domain/areas/TrackingArea.ts"
import type { Page } from "./Page.ts"
import type { Preview } from "./OrganizationStore.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** What a new place is decided on, as it is in that moment. */
export interface PlaceFacts {
  readonly organizationArea: TrackingArea
  /**
   * The organization's other places that the change depends on. Where it names bounds, a level or a parent, these are the parent, the
   * children, and those on the same floor whose bounds meet its own; where it names a level or a parent also all descendants and the
   * ancestors before the change. All as the place will be, and none where the change names nothing.
   */
  readonly near: ReadonlyArray<PlaceRecord>
  /** Of the organization's other places, near or not. */
  readonly others: AreaTotals
  /** The level of the administrator in whose name the change is made. */
  readonly level: Option.Option<PermissionLevel>
}

/** What a change of a place is decided on. */
export interface PlaceUpdateFacts extends PlaceFacts {
  /** The place as it is stored. */
  readonly place: Place
  /** The same place among the others. */
  readonly self: PlaceRecord
}

/** Which facts a new place is decided on. */
export interface PlaceCreation {
  readonly organizationId: OrganizationId
  readonly administratorId: AdministratorId
  /** The bounds of the new area. */
  readonly bounds: Bounds
  readonly parentId?: PlaceId | undefined
  readonly level?: number | undefined
}

/** Which facts a change of a place is decided on. */
export interface PlaceUpdate {
  readonly placeId: PlaceId
  readonly administratorId: AdministratorId
  /** The bounds of the new area; none where the area stays as it is. */
  readonly bounds: Bounds | undefined
  /** The level and the parent as in `PlaceChange`: left out they stay, `null` clears them. */
  readonly level?: number | null | undefined
  readonly parentId?: PlaceId | null | undefined
}

/** A new place as it was decided, with its position. */
export interface PlaceCreated {
  readonly place: NewPlace
  readonly position: PlacePosition
}

/** A changed place as it was decided, with the new positions of the place and its descendants. */
export interface PlaceChanges {
  readonly place: Place
  readonly positions: ReadonlyArray<PlacePosition & { readonly id: PlaceId }>
}

/** What the removal of a place is decided on. */
export interface PlaceRemovalFacts extends Pick<PlaceFacts, "level"> {
  /** Whether other places are parts of the place. */
  readonly hasParts: boolean
}

/**
 * The places of organizations (spec: organizations#places).
 *
 * Changes of one organization's area and places follow each other, so no two of them can break a rule between them. Areas
 * are compared before the step that decides and writes, which refuses areas that changed since.
 */
export class PlaceStore extends Context.Service<
  PlaceStore,
  {
    /** Reads the facts that `create` decides on, without a lock. */
    readonly previewCreation: (
      creation: PlaceCreation
    ) => Effect.Effect<Preview<PlaceFacts>, OrganizationNotFound | StoreError>
    /**
     * Decides on the facts, those of the preview while it holds, and keeps the place that `decide` answers under a new id, never used before.
     * The place, its feed and its event are written in the same step.
     * Of racing creations whose areas overlap one succeeds.
     * Laws: `organizations/PlaceStore/races.ts` "of 20 places that overlap and are created at the same moment there is one",
     * "an organization never has more places than it may, nor more points, however many are created at once".
     */
    readonly create: <E>(
      creation: PlaceCreation & {
        readonly preview?: Preview<PlaceFacts> | undefined
        readonly decide: (facts: PlaceFacts) => Result.Result<PlaceCreated, E>
      }
    ) => Effect.Effect<Place, E | OrganizationNotFound | StoreError>
    /** Reads the facts that `update` decides on, without a lock. */
    readonly previewUpdate: (
      update: PlaceUpdate
    ) => Effect.Effect<Preview<PlaceUpdateFacts>, PlaceNotFound | StoreError>
    /**
     * Decides on the facts, those of the preview while it holds, and writes the decision, as one step.
     * A change that others can see adds an event to the feed.
     * Of racing moves into one area one succeeds.
     * Laws: `organizations/PlaceStore/races.ts` "two places that move into the same area at the same moment do not both get
     * there"; `organizations/PlaceStore/facts.ts` "a change of a place that is refused changes nothing", "a change of a
     * place is not decided on a preview after another change".
     */
    readonly update: <E>(
      update: PlaceUpdate & {
        readonly preview?: Preview<PlaceUpdateFacts> | undefined
        readonly decide: (facts: PlaceUpdateFacts) => Result.Result<PlaceChanges, E>
      }
    ) => Effect.Effect<Place, E | PlaceNotFound | StoreError>
    /**
     * Removes a place with its stays, open and closed, as one step: none of them is counted or listed again.
     * A racing entrance ends with the place, or finds none. Of racing removals one succeeds, and the others are
     * `PlaceNotFound`.
     * Laws: `organizations/PlaceStore/races.ts` "entrances that race with the removal of their place end with it", "of 10
     * removals of one place at the same moment one removes it"; `organizations/PlaceStore/records.ts` "removing a place ends
     * its stays, open and closed, and no others".
     */
    readonly remove: <E>(removal: {
      readonly placeId: PlaceId
      readonly administratorId: AdministratorId
      readonly decide: (facts: PlaceRemovalFacts) => Result.Result<unknown, E>
    }) => Effect.Effect<void, E | PlaceNotFound | StoreError>
    /**
     * Reads a page of an organization's places by id, from the first one or after one; of all, or of those on one floor.
     * Where it names a reader, they need the level `viewer` in that moment (`levelOfReader`), and the organization has to
     * exist; without a reader, an unknown organization has no places. The page includes every change that was answered before
     * it was requested.
     * Laws: `organizations/PlaceStore/records.ts` "a list of places includes every place that was created before it was asked
     * for", "the places of an organization are listed for its administrators and displays, and for no others".
     */
    readonly list: (
      organizationId: OrganizationId,
      after?: PlaceId,
      reader?: Reader,
      floor?: number
    ) => Effect.Effect<Page<Place>, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/PlaceStore") {}
