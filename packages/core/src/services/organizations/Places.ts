/** Use cases on places. Areas are compared before the store's step, which checks that they are still the same. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  type AreaTooComplex,
  type PlacesTooDetailed,
  requireCompared,
  type TooManyPlaces,
  withinAreaLimits
} from "../../domain/areas/AreaConstraints.ts"
import type { Administrator, DisplayCaller, User } from "../../domain/accounts/Caller.ts"
import { readerOf } from "../../domain/accounts/Reader.ts"
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
  type PlaceConflict,
  placeConflict,
  PlaceHasParts,
  placeRelations,
  positionOf,
  type PositionRefusal
} from "../../domain/organizations/PlaceHierarchy.ts"
import { PlacePremises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { boundsOf, type TrackingAreaMalformed } from "../../domain/areas/TrackingArea.ts"
import type { Page } from "../../ports/organizations/Page.ts"
import type { Preview } from "../../ports/organizations/OrganizationStore.ts"
import { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import { type PlaceFacts, PlaceStore, type PlaceUpdateFacts } from "../../ports/organizations/PlaceStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { AreaChanges, AreaLimitsInForce } from "../areas/AreaChanges.ts"
import { authorize, authorizeIn } from "../shared/authority.ts"
import { byCaller } from "../audit/byCaller.ts"

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
  | PlaceConflict
  | PositionRefusal
  | TooManyPlaces
  | PlacesTooDetailed
  | AreaTooComplex

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
     * they are bound to for an administrator, its own for a display.
     */
    readonly list: (
      caller: User | Administrator | DisplayCaller,
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

      return Places.of(
        byCaller({
          create: Effect.fnUntraced(function* (administrator, { trackingArea: text, ...rest }) {
            const { administratorId } = administrator
            const { organizationId } = rest
            // Nothing of the area is read for an administrator who may not change it.
            yield* authorizeIn(permissions, administrator, organizationId, "manager")
            return yield* changes.make(organizationId, text, (trackingArea, compared) => {
              const bounds = boundsOf(trackingArea)
              const creation = { organizationId, administratorId, bounds, parentId: rest.parentId, level: rest.level }
              const decide = (facts: PlaceFacts) =>
                Result.gen(function* () {
                  yield* requireLevel(facts.level, "manager")
                  const position = yield* positionOf(rest, facts.near)
                  yield* withinAreaLimits(trackingArea, facts.others, limits)
                  const move = { self: undefined, position, bounds, descendants: [] }
                  yield* requireCompared(compared, placeRelations(facts, move))
                  return { place: { ...rest, trackingArea }, position }
                })
              return {
                conflict: placeConflict,
                preview: store.previewCreation(creation),
                decide,
                write: (preview: Preview<PlaceFacts>) => store.create({ ...creation, preview, decide })
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
                decide: ({ place, level }) =>
                  Result.gen(function* () {
                    yield* requireLevel(level, "manager")
                    return { place: yield* changePlace(place, rest), positions: [] }
                  })
              })
            }
            return yield* changes.make(organizationId, text, (trackingArea, compared) => {
              const bounds = trackingArea && boundsOf(trackingArea)
              const update = { placeId, administratorId, bounds, level: rest.level, parentId: rest.parentId }
              const decide = (facts: PlaceUpdateFacts) =>
                Result.gen(function* () {
                  const { place, self, near } = facts
                  yield* requireLevel(facts.level, "manager")
                  const changed = yield* changePlace(place, { ...rest, trackingArea })
                  const newBounds = changed.trackingArea.text === place.trackingArea.text ? undefined : bounds
                  const position = isPositioned ? yield* positionOf(changed, near, placeId) : self
                  const descendants = isPositioned ? yield* moveDescendants(self, position, near) : []
                  if (newBounds !== undefined) {
                    yield* withinAreaLimits(changed.trackingArea, facts.others, limits, place.trackingArea)
                  }
                  const move = { self, position, bounds: newBounds, descendants }
                  yield* requireCompared(compared, placeRelations(facts, move))
                  return {
                    place: changed,
                    positions: isPositioned ? [{ ...position, id: placeId }, ...descendants] : []
                  }
                })
              return {
                conflict: placeConflict,
                preview: store.previewUpdate(update),
                decide,
                write: (preview: Preview<PlaceUpdateFacts>) => store.update({ ...update, preview, decide })
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
            store.list(organizationId, after, caller._tag === "User" ? undefined : readerOf(caller), floor)
        })
      )
    })
  ).pipe(Layer.provide(AreaChanges.layer))
}
