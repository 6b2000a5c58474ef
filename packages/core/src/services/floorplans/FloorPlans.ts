/** The use cases of floor plans: managers keep them, administrators of any level and displays see them. */
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator, DisplayCaller } from "../../domain/accounts/Caller.ts"
import { readerOf } from "../../domain/accounts/Reader.ts"
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
    /** The plan of a floor with its image. For administrators of any level, and displays. */
    readonly get: (
      caller: Administrator | DisplayCaller,
      organizationId: OrganizationId,
      level: number
    ) => Effect.Effect<FloorPlanImage, FloorPlanNotFound | Refusal>
    /** The digest of the image of a floor's plan. For administrators of any level, and displays. */
    readonly digest: (
      caller: Administrator | DisplayCaller,
      organizationId: OrganizationId,
      level: number
    ) => Effect.Effect<string, FloorPlanNotFound | Refusal>
    /** The plans without their images, the lowest floor first. For administrators of any level, and displays. */
    readonly list: (
      caller: Administrator | DisplayCaller,
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
          get: (caller, organizationId, level) => store.get({ organizationId, reader: readerOf(caller), level }),
          digest: (caller, organizationId, level) => store.digest({ organizationId, reader: readerOf(caller), level }),
          list: (caller, organizationId) => store.list({ organizationId, reader: readerOf(caller) }),
          remove: ({ administratorId }, organizationId, level) =>
            store.remove({ organizationId, administratorId, level })
        })
      )
    })
  ).pipe(Layer.provide(Digest.layerWebCrypto))
}
