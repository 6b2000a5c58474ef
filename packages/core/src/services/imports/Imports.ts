/** Use cases on what is there already: places that are drawn elsewhere, and accesses that another system recorded. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Administrator, Operator } from "../../domain/accounts/Caller.ts"
import { type PermissionTooLow, requireLevel } from "../../domain/accounts/Permission.ts"
import { PlaceOutsidePlace, PlacesOverlap } from "../../domain/areas/AreaConstraints.ts"
import type { AccessDraft, ImportedAccesses } from "../../domain/imports/AccessImport.ts"
import {
  type FeatureInvalid,
  type FeatureRefusal,
  plannedFeature,
  planPlaces,
  type PlaceFeature,
  type PlacesPlan,
  type RefusedFeature
} from "../../domain/imports/PlaceImport.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { OrganizationId, PlaceId } from "../../domain/shared/Ids.ts"
import { ImportStore } from "../../ports/imports/ImportStore.ts"
import { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { PlaceFacts } from "../../ports/organizations/PlaceStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { AreaChanges, AreaLimitsInForce } from "../areas/AreaChanges.ts"
import { authorizeIn } from "../shared/authority.ts"
import { now } from "../shared/now.ts"
import { byCaller } from "../audit/byCaller.ts"

/** What became of features. A trial creates no place, so its features have no ids. */
export interface ImportedPlaces {
  readonly created: ReadonlyArray<{ readonly feature: number; readonly placeId?: PlaceId | undefined }>
  readonly refused: ReadonlyArray<RefusedFeature>
}

/** A refusal with the ids of created places in the place of planned ones. */
const withIds = (refusal: FeatureRefusal, ids: ReadonlyMap<number, PlaceId>): FeatureRefusal => {
  if (refusal._tag !== "PlacesOverlap" && refusal._tag !== "PlaceOutsidePlace") return refusal
  const placeId = ids.get(plannedFeature(refusal.placeId) ?? -1)
  if (placeId === undefined) return refusal
  return refusal._tag === "PlacesOverlap"
    ? new PlacesOverlap({ placeId, fault: refusal.fault })
    : new PlaceOutsidePlace({ placeId, isParent: refusal.isParent, fault: refusal.fault })
}

/** Imports places and accesses (spec: imports). */
export class Imports extends Context.Service<
  Imports,
  {
    /**
     * Creates the places of features, parents first. Each that breaks a rule is refused by itself. A trial (`isTrial`) changes nothing, and its
     * refusals name planned places (`plannedFeature`). For managers.
     */
    readonly places: (
      administrator: Administrator,
      organizationId: OrganizationId,
      features: ReadonlyArray<Result.Result<PlaceFeature, FeatureInvalid>>,
      options: { readonly isTrial: boolean }
    ) => Effect.Effect<ImportedPlaces, OrganizationNotFound | PermissionTooLow | StoreError>
    /** Adds the accesses of the rows that are right and whose keys are new, all of them or none. For operators. */
    readonly accesses: (
      operator: Operator,
      organizationId: OrganizationId,
      rows: ReadonlyArray<AccessDraft>
    ) => Effect.Effect<ImportedAccesses, OrganizationNotFound | StoreError>
  }
>()("@sojourn/core/Imports") {
  static readonly layer: Layer.Layer<Imports, never, ImportStore | PermissionStore> = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const store = yield* ImportStore
      const permissions = yield* PermissionStore
      const changes = yield* AreaChanges
      const limits = yield* AreaLimitsInForce

      return Imports.of(
        byCaller({
          places: Effect.fnUntraced(function* (administrator, organizationId, features, { isTrial }) {
            yield* authorizeIn(permissions, administrator, organizationId, "manager")
            const creation = { organizationId, administratorId: administrator.administratorId }
            const plan = function* ({ organizationArea, near, others }: PlaceFacts) {
              const facts = { organizationId, organizationArea, places: near, points: others.points, limits }
              return yield* planPlaces(features, facts)
            }
            return yield* changes.makeTogether(organizationId, {
              preview: store.previewPlaces(creation),
              plan,
              write: (preview, decide, planned: PlacesPlan) => {
                const answer = ({ places, refused }: PlacesPlan, ids: ReadonlyArray<PlaceId>): ImportedPlaces => {
                  const idOf = new Map(ids.map((id, n) => [places[n]!.feature, id]))
                  const created = places.map(({ feature }) => ({ feature, placeId: idOf.get(feature) }))
                  return {
                    created: created.sort((one, other) => one.feature - other.feature),
                    refused: refused.map(({ feature, refusal }) => ({ feature, refusal: withIds(refusal, idOf) }))
                  }
                }
                if (isTrial || planned.places.length === 0) return Effect.succeed(answer(planned, []))
                const decideAs = (facts: PlaceFacts) => {
                  const level = requireLevel(facts.level, "manager")
                  return Result.andThen(level, () => decide(facts))
                }
                return Effect.map(store.createPlaces({ ...creation, preview, decide: decideAs }), ({ plan, ids }) =>
                  answer(plan, ids)
                )
              }
            })
          }),
          accesses: (_operator, organizationId, rows) =>
            Effect.flatMap(now, (at) => store.addAccesses({ organizationId, rows, now: at }))
        })
      )
    })
  ).pipe(Layer.provide(AreaChanges.layer))
}
