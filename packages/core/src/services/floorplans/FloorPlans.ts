/** The use cases of floor plans: managers keep them, and administrators of any level see them. */
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator } from "../../domain/accounts/Caller.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import {
  checkFloorPlan,
  decideFloorPlan,
  type FloorPlan,
  type FloorPlanImage,
  type FloorPlanInvalid,
  type FloorPlanNotFound,
  type TooManyFloorPlans
} from "../../domain/floorplans/FloorPlan.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import { FloorPlanStore } from "../../ports/floorplans/FloorPlanStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { byCaller } from "../audit/byCaller.ts"

type Refusal = OrganizationNotFound | PermissionTooLow | StoreError

/** Keeps the plans of an organization's floors (spec: floorplans#floor-plans). */
export class FloorPlans extends Context.Service<
  FloorPlans,
  {
    /** Keeps a plan in place of the floor's own. For managers. */
    readonly put: (
      administrator: Administrator,
      plan: Omit<FloorPlanImage, "bytes" | "digest">
    ) => Effect.Effect<FloorPlan, FloorPlanInvalid | TooManyFloorPlans | Refusal>
    /** The plan of a floor with its image. For administrators of any level. */
    readonly get: (
      administrator: Administrator,
      organizationId: OrganizationId,
      level: number
    ) => Effect.Effect<FloorPlanImage, FloorPlanNotFound | Refusal>
    /** The digest of the image of a floor's plan. For administrators of any level. */
    readonly digest: (
      administrator: Administrator,
      organizationId: OrganizationId,
      level: number
    ) => Effect.Effect<string, FloorPlanNotFound | Refusal>
    /** The plans without their images, the lowest floor first. For administrators of any level. */
    readonly list: (
      administrator: Administrator,
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<FloorPlan>, Refusal>
    /** Removes the plan of a floor. For managers. */
    readonly remove: (
      administrator: Administrator,
      organizationId: OrganizationId,
      level: number
    ) => Effect.Effect<void, FloorPlanNotFound | Refusal>
  }
>()("@sojourn/core/FloorPlans") {
  static readonly layer: Layer.Layer<FloorPlans, never, FloorPlanStore> = Layer.effect(
    FloorPlans,
    Effect.gen(function* () {
      const store = yield* FloorPlanStore
      const { digestHex } = yield* Digest.Digest
      return FloorPlans.of(
        byCaller({
          put: Effect.fnUntraced(function* ({ administratorId }, draft) {
            const plan = { ...draft, bytes: draft.image.length }
            yield* Effect.fromResult(checkFloorPlan(plan))
            const digest = yield* digestHex(Digest.sha256, plan.image)
            return yield* store.put({ plan: { ...plan, digest }, administratorId, decide: decideFloorPlan })
          }),
          get: ({ administratorId }, organizationId, level) => store.get({ organizationId, administratorId, level }),
          digest: ({ administratorId }, organizationId, level) =>
            store.digest({ organizationId, administratorId, level }),
          list: ({ administratorId }, organizationId) => store.list({ organizationId, administratorId }),
          remove: ({ administratorId }, organizationId, level) =>
            store.remove({ organizationId, administratorId, level })
        })
      )
    })
  ).pipe(Layer.provide(Digest.layerWebCrypto))
}
