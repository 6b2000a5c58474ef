/** Use cases on places. Areas are compared before the store's step, which checks that the comparison still holds. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  type AreaTooComplex,
  type PlaceOutsideOrganization,
  PlacesOverlap,
  type PlacesTooDetailed,
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
import { PlacePremises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { boundsOf, type RelationFault, type TrackingAreaMalformed } from "../../domain/areas/TrackingArea.ts"
import type { Page } from "../../ports/shared/Page.ts"
import { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import { type PlaceFacts, PlaceStore } from "../../ports/organizations/PlaceStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { AreaChanges, AreaLimitsInForce } from "../areas/AreaChanges.ts"
import { authorize, authorizeIn } from "../shared/authority.ts"

/**
 * A new place as a manager asks for it.
 *
 * @since 0.1.0
 * @category models
 */
export interface PlaceDraft {
  readonly organizationId: OrganizationId
  readonly name?: string | undefined
  readonly trackingArea: string
}

/**
 * A change of a place as a manager asks for it: the fields that are present; a `null` name gives back the name by id.
 *
 * @since 0.1.0
 * @category models
 */
export type PlaceEdit = Omit<PlaceChange, "trackingArea"> & { readonly trackingArea?: string | undefined }

/**
 * Why the area of a place is refused.
 *
 * @since 0.1.0
 * @category models
 */
export type PlaceRefusal =
  | TrackingAreaMalformed
  | PlaceOutsideOrganization
  | PlacesOverlap
  | TooManyPlaces
  | PlacesTooDetailed
  | AreaTooComplex

/** The relation between the areas of places. */
const apart = {
  relation: "apart",
  conflict: (placeId: PlaceId, fault: RelationFault) => new PlacesOverlap({ placeId, fault })
} as const

/**
 * Manages the places of organizations (spec: organizations#places).
 *
 * @since 0.1.0
 * @category services
 */
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
    /** Ends a place, and with it the stays of those inside. For managers. */
    readonly remove: (
      administrator: Administrator,
      placeId: PlaceId
    ) => Effect.Effect<void, PlaceNotFound | PermissionTooLow | StoreError>
    /**
     * A page of an organization's places, the first or the one `after` a place: any organization's for a user, one's that
     * they are bound to for an administrator.
     */
    readonly list: (
      caller: User | Administrator,
      organizationId: OrganizationId,
      after?: PlaceId
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
            const creation = { organizationId, administratorId, bounds: boundsOf(trackingArea) }
            const decide = ({ level, others, organizationArea, near }: PlaceFacts) =>
              Result.gen(function* () {
                yield* requireLevel(level, "manager")
                yield* withinAreaLimits(trackingArea, others, limits)
                yield* requireCompared(compared, organizationArea, near)
                return { ...rest, trackingArea }
              })
            return {
              ...apart,
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
          if (text === undefined) {
            return yield* store.update({
              placeId,
              administratorId,
              bounds: undefined,
              decide: (place, { level }) =>
                Result.andThen(requireLevel(level, "manager"), () => changePlace(place, rest))
            })
          }
          return yield* changes.make(organizationId, text, (trackingArea, compared) => {
            const update = { placeId, administratorId, bounds: boundsOf(trackingArea) }
            const decide = (place: Place, { level, others, organizationArea, near }: PlaceFacts) =>
              Result.gen(function* () {
                yield* requireLevel(level, "manager")
                const changed = yield* changePlace(place, { ...rest, trackingArea })
                if (text === place.trackingArea.text) return changed
                yield* withinAreaLimits(trackingArea, others, limits, place.trackingArea)
                yield* requireCompared(compared, organizationArea, near)
                return changed
              })
            return {
              ...apart,
              preview: Effect.flatMap(store.factsOfUpdate(update), (facts) => Effect.fromResult(decide(...facts))),
              write: store.update({ ...update, decide })
            }
          })
        }),
        remove: ({ administratorId }, placeId) =>
          store.remove({ placeId, administratorId, decide: (level) => requireLevel(level, "manager") }),
        list: (caller, organizationId, after) =>
          store.list(organizationId, after, caller._tag === "Administrator" ? caller.administratorId : undefined)
      })
    })
  ).pipe(Layer.provide(AreaChanges.layer))
}
