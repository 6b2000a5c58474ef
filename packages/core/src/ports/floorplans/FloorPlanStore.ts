import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Reader } from "../../domain/accounts/Reader.ts"
import type { FloorPlan, FloorPlanImage, FloorPlanNotFound } from "../../domain/floorplans/FloorPlan.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { AdministratorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** What an administrator or a display reads. */
interface Reading {
  readonly organizationId: OrganizationId
  readonly reader: Reader
}

interface FloorReading extends Reading {
  readonly level: number
}

type Refusal = OrganizationNotFound | PermissionTooLow | StoreError

/**
 * The floor plans of organizations, one for each floor (spec: floorplans#floor-plans). They end with their organization.
 */
export class FloorPlanStore extends Context.Service<
  FloorPlanStore,
  {
    /**
     * For managers: decides on the plans of other floors, and keeps the plan in place of the floor's own. The feed has an
     * `OrganizationChanged` for it, in the same step.
     * Racing plans follow each other: of more than an organization may have, those that are decided last are refused.
     * Laws: `floorplans/FloorPlanStore.ts` "a plan is kept as it was given, in place of the floor's own", "of racing plans
     * no more are kept than are allowed", "a refusal changes nothing".
     */
    readonly put: <E>(change: {
      readonly plan: FloorPlanImage
      readonly administratorId: AdministratorId
      readonly decide: (others: number) => Result.Result<unknown, E>
    }) => Effect.Effect<FloorPlan, E | Refusal>
    /**
     * For viewers and displays: reads the plan of a floor with its image; fails with `FloorPlanNotFound` where there is none.
     * Law: `floorplans/FloorPlanStore.ts` "a plan is kept as it was given, in place of the floor's own".
     */
    readonly get: (query: FloorReading) => Effect.Effect<FloorPlanImage, FloorPlanNotFound | Refusal>
    /**
     * For viewers and displays: reads the digest of the image of a floor's plan, and nothing of the image; fails as `get` does.
     * Law: `floorplans/FloorPlanStore.ts` "a plan is kept as it was given, in place of the floor's own".
     */
    readonly digest: (query: FloorReading) => Effect.Effect<string, FloorPlanNotFound | Refusal>
    /**
     * For viewers and displays: lists the plans of an organization without their images, the lowest floor first.
     * Law: `floorplans/FloorPlanStore.ts` "plans are listed from the lowest floor, and removed one by one".
     */
    readonly list: (query: Reading) => Effect.Effect<ReadonlyArray<FloorPlan>, Refusal>
    /**
     * For managers: removes the plan of a floor, and appends the same change as `put`; fails with `FloorPlanNotFound` where there is none.
     * Laws: `floorplans/FloorPlanStore.ts` "plans are listed from the lowest floor, and removed one by one", "a refusal
     * changes nothing".
     */
    readonly remove: (removal: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      readonly level: number
    }) => Effect.Effect<void, FloorPlanNotFound | Refusal>
  }
>()("@sojourn/core/FloorPlanStore") {}
