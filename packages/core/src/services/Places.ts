import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { placeFits, type PlaceOutsideOrganization, type PlacesOverlap } from "../domain/AreaConstraints.ts"
import type { Administrator, User } from "../domain/Caller.ts"
import type { OrganizationId, PlaceId } from "../domain/Ids.ts"
import type { OrganizationNotFound } from "../domain/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../domain/Permission.ts"
import {
  changePlace,
  type Place,
  type PlaceChange,
  type PlaceNotFound,
  type PlaceStaysInOrganization
} from "../domain/Place.ts"
import { OrganizationPremises } from "../domain/Premises.ts"
import type { PremisesNotFound } from "../domain/Stay.ts"
import { parseTrackingArea, type TrackingAreaMalformed } from "../domain/TrackingArea.ts"
import { PermissionStore } from "../ports/PermissionStore.ts"
import { PlaceStore } from "../ports/PlaceStore.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { authorize } from "./authority.ts"

/** A new place as a manager asks for it. */
export interface PlaceDraft {
  readonly organizationId: OrganizationId
  readonly name?: string | undefined
  readonly trackingArea: string
}

/** A change of a place as a manager asks for it: the fields that are present; a `null` name gives back the name by id. */
export type PlaceEdit = Omit<PlaceChange, "trackingArea"> & { readonly trackingArea?: string | undefined }

/** Why the area of a place is refused. */
export type PlaceRefusal = TrackingAreaMalformed | PlaceOutsideOrganization | PlacesOverlap

/** Manages the places of organizations (interface, section 4.4). */
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
    /** An organization's places: any organization's for a user, one's that they are bound to for an administrator. */
    readonly list: (
      caller: User | Administrator,
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Place>, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Places") {
  static readonly layer: Layer.Layer<Places, never, PlaceStore | PermissionStore> = Layer.effect(
    Places,
    Effect.gen(function* () {
      const store = yield* PlaceStore
      const permissions = yield* PermissionStore
      return Places.of({
        // Areas are read before the store decides, which may make others wait; that they are well-formed is said after.
        create: ({ administratorId }, { trackingArea: text, ...rest }) => {
          const read = parseTrackingArea(text)
          return store.create({
            organizationId: rest.organizationId,
            administratorId,
            decide: ({ level, organizationArea, others }) =>
              Result.gen(function* () {
                yield* requireLevel(level, "manager")
                const trackingArea = yield* read
                yield* placeFits(trackingArea, organizationArea, others)
                return { ...rest, trackingArea }
              })
          })
        },
        edit: ({ administratorId }, placeId, { trackingArea: text, ...rest }) => {
          const read = text === undefined ? undefined : parseTrackingArea(text)
          return store.update({
            placeId,
            administratorId,
            decide: (place, { level, organizationArea, others }) =>
              Result.gen(function* () {
                yield* requireLevel(level, "manager")
                const change = read === undefined ? rest : { ...rest, trackingArea: yield* read }
                return yield* changePlace(place, organizationArea, others, change)
              })
          })
        },
        remove: ({ administratorId }, placeId) =>
          store.remove({ placeId, administratorId, decide: (level) => requireLevel(level, "manager") }),
        list: Effect.fnUntraced(function* (caller, organizationId) {
          if (caller._tag === "Administrator") {
            yield* authorize(permissions, caller, OrganizationPremises(organizationId), "viewer")
          }
          return yield* store.list(organizationId)
        })
      })
    })
  )
}
