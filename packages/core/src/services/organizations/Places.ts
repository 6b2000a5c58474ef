/** Use cases on places. Areas are compared before the store's step, which checks that the comparison still holds. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  type AreaTooComplex,
  type PlaceOutsideOrganization,
  PlaceOutsidePlace,
  PlacesOverlap,
  type PlacesTooDetailed,
  type RelationCheck,
  requireCompared,
  type TooManyPlaces,
  withinAreaLimits
} from "../../domain/areas/AreaConstraints.ts"
import type { Administrator, User } from "../../domain/accounts/Caller.ts"
import type { OrganizationId, PlaceId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../../domain/accounts/Permission.ts"
import {
  changePlace,
  type Place,
  type PlaceChange,
  PlaceNotFound,
  type PlaceStaysInOrganization
} from "../../domain/organizations/Place.ts"
import {
  moveDescendants,
  PlaceHasParts,
  positionOf,
  type PositionRefusal,
  relationsOf
} from "../../domain/organizations/PlaceHierarchy.ts"
import { PlacePremises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { boundsOf, type RelationFault, type TrackingAreaMalformed } from "../../domain/areas/TrackingArea.ts"
import type { Page } from "../../ports/organizations/Page.ts"
import { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import { type PlaceFacts, PlaceStore } from "../../ports/organizations/PlaceStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { AreaChanges, AreaLimitsInForce } from "../areas/AreaChanges.ts"
import { authorize, authorizeIn } from "../shared/authority.ts"

/** A new place as a manager asks for it. */
export interface PlaceDraft {
  readonly organizationId: OrganizationId
  readonly name?: string | undefined
  readonly trackingArea: string
  readonly level?: number | undefined
  readonly parentId?: PlaceId | undefined
}

/**
 * A change of a place as a manager asks for it: the fields that are present; a `null` name gives back the name by id, and a `null` level or
 * parent clears it.
 */
export type PlaceEdit = Omit<PlaceChange, "trackingArea"> & { readonly trackingArea?: string | undefined }

/** Why the area or the position of a place is refused. */
export type PlaceRefusal =
  | TrackingAreaMalformed
  | PlaceOutsideOrganization
  | PlaceOutsidePlace
  | PlacesOverlap
  | PositionRefusal
  | TooManyPlaces
  | PlacesTooDetailed
  | AreaTooComplex

const conflict = ({ relation, other: { id: placeId } }: RelationCheck, fault: RelationFault) =>
  relation === "apart"
    ? new PlacesOverlap({ placeId, fault })
    : new PlaceOutsidePlace({ placeId, isParent: relation === "inside", fault })

/** Manages the places of organizations (spec: organizations#places). */
export class Places extends Context.Service<
  Places,
  {
    /** A new place. For managers. */
    readonly create: (
      administrator: Administrator,
      draft: PlaceDraft
    ) => Effect.Effect<Place, OrganizationNotFound | PermissionTooLow | PlaceRefusal | StoreError>
    /** Changes the fields that are present. For managers. */
    readonly edit: (
      administrator: Administrator,
      placeId: PlaceId,
      edit: PlaceEdit
    ) => Effect.Effect<Place, PlaceNotFound | PermissionTooLow | PlaceRefusal | PlaceStaysInOrganization | StoreError>
    /** Ends a place without parts, and with it the stays of those inside. For managers. */
    readonly remove: (
      administrator: Administrator,
      placeId: PlaceId
    ) => Effect.Effect<void, PlaceNotFound | PermissionTooLow | PlaceHasParts | StoreError>
    /**
     * A page of an organization's places, or of those whose level in effect is `floor`, the first or the one `after` a place: any organization's for a user, one's that
     * they are bound to for an administrator.
     */
    readonly list: (
      caller: User | Administrator,
      organizationId: OrganizationId,
      after?: PlaceId,
      floor?: number
    ) => Effect.Effect<Page<Place>, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Places") {
  static readonly layer: Layer.Layer<Places, never, PlaceStore | PermissionStore> = Layer.effect(
    Places,
    Effect.gen(function* () {
      const store = yield* PlaceStore
      const permissions = yield* PermissionStore
      const changes = yield* AreaChanges
      const limits = yield* AreaLimitsInForce

      return Places.of({
        create: Effect.fnUntraced(function* (administrator, { trackingArea: text, ...rest }) {
          const { administratorId } = administrator
          const { organizationId } = rest
          // Nothing of the area is read for an administrator who may not change it.
          yield* authorizeIn(permissions, administrator, organizationId, "manager")
          return yield* changes.make(organizationId, text, (trackingArea, compared) => {
            const bounds = boundsOf(trackingArea)
            const creation = { organizationId, administratorId, bounds, parentId: rest.parentId, level: rest.level }
            const decide = ({ level, others, organizationArea, near }: PlaceFacts) =>
              Result.gen(function* () {
                yield* requireLevel(level, "manager")
                const position = yield* positionOf(rest, near)
                yield* withinAreaLimits(trackingArea, others, limits)
                const relations = relationsOf({ self: undefined, position, bounds, descendants: [] }, near)
                yield* requireCompared(compared, organizationArea, relations)
                return { place: { ...rest, trackingArea }, position }
              })
            return {
              conflict,
              preview: Effect.flatMap(store.factsOfCreation(creation), (facts) => Effect.fromResult(decide(facts))),
              write: store.create({ ...creation, decide })
            }
          })
        }),
        edit: Effect.fnUntraced(function* (administrator, placeId, { trackingArea: text, ...rest }) {
          const { administratorId } = administrator
          const organizationId = yield* Effect.catchTag(
            authorize(permissions, administrator, PlacePremises(placeId), "manager"),
            "PremisesNotFound",
            () => Effect.fail(new PlaceNotFound({ placeId }))
          )
          const isPositioned = rest.level !== undefined || rest.parentId !== undefined
          if (text === undefined && !isPositioned) {
            return yield* store.update({
              placeId,
              administratorId,
              bounds: undefined,
              decide: (place, { level }) =>
                Result.gen(function* () {
                  yield* requireLevel(level, "manager")
                  return { place: yield* changePlace(place, rest), positions: [] }
                })
            })
          }
          return yield* changes.make(organizationId, text, (trackingArea, compared) => {
            const bounds = trackingArea && boundsOf(trackingArea)
            const update = { placeId, administratorId, bounds, level: rest.level, parentId: rest.parentId }
            const decide = (place: Place, { level, others, organizationArea, self, near }: PlaceFacts) =>
              Result.gen(function* () {
                yield* requireLevel(level, "manager")
                const changed = yield* changePlace(place, { ...rest, trackingArea })
                const newBounds = changed.trackingArea.text === place.trackingArea.text ? undefined : bounds
                const position = isPositioned ? yield* positionOf(changed, near, placeId) : self!
                const descendants = isPositioned ? yield* moveDescendants(self!, position, near) : []
                if (newBounds !== undefined) {
                  yield* withinAreaLimits(changed.trackingArea, others, limits, place.trackingArea)
                }
                yield* requireCompared(
                  compared,
                  newBounds && organizationArea,
                  relationsOf({ self: self!, position, bounds: newBounds, descendants }, near)
                )
                return { place: changed, positions: isPositioned ? [{ ...position, id: placeId }, ...descendants] : [] }
              })
            return {
              conflict,
              preview: Effect.flatMap(store.factsOfUpdate(update), (facts) => Effect.fromResult(decide(...facts))),
              write: store.update({ ...update, decide })
            }
          })
        }),
        remove: ({ administratorId }, placeId) =>
          store.remove({
            placeId,
            administratorId,
            decide: ({ level, hasParts }) =>
              Result.andThen(requireLevel(level, "manager"), () =>
                hasParts ? Result.fail(new PlaceHasParts({ placeId })) : Result.void
              )
          }),
        list: (caller, organizationId, after, floor) =>
          store.list(organizationId, after, caller._tag === "Administrator" ? caller.administratorId : undefined, floor)
      })
    })
  ).pipe(Layer.provide(AreaChanges.layer))
}
