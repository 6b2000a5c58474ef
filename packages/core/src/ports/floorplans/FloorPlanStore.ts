import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { FloorPlan, FloorPlanFacts, FloorPlanImage, FloorPlanNotFound } from "../../domain/floorplans/FloorPlan.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { AdministratorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** What a decision about an administrator's level is made for. */
interface OfAdministrator<E> {
  readonly organizationId: OrganizationId
  readonly administratorId: AdministratorId
  readonly decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
}

/**
 * The floor plans of organizations, one for each floor (spec: floorplans#floor-plans). They end with their organization.
 */
export class FloorPlanStore extends Context.Service<
  FloorPlanStore,
  {
    /**
     * Decides on the administrator's level and the plans of other floors, and keeps the plan in place of the floor's own. The
     * feed has an `OrganizationChanged` for it, in the same step.
     * Racing plans follow each other: of more than an organization may have, those that are decided last are refused.
     * Laws: `floorplans/FloorPlanStore.ts` "a plan is kept as it was given, in place of the floor's own", "of racing plans
     * no more are kept than are allowed", "a refusal changes nothing".
     */
    readonly put: <E>(change: {
      readonly plan: FloorPlanImage
      readonly administratorId: AdministratorId
      readonly decide: (facts: FloorPlanFacts) => Result.Result<unknown, E>
    }) => Effect.Effect<FloorPlan, E | OrganizationNotFound | StoreError>
    /**
     * Reads the plan of a floor with its image; fails with `FloorPlanNotFound` where there is none.
     * Law: `floorplans/FloorPlanStore.ts` "a plan is kept as it was given, in place of the floor's own".
     */
    readonly get: <E>(
      query: OfAdministrator<E> & { readonly level: number }
    ) => Effect.Effect<FloorPlanImage, E | FloorPlanNotFound | OrganizationNotFound | StoreError>
    /**
     * Reads the digest of the image of a floor's plan, and nothing of the image; fails as `get` does.
     * Law: `floorplans/FloorPlanStore.ts` "a plan is kept as it was given, in place of the floor's own".
     */
    readonly digest: <E>(
      query: OfAdministrator<E> & { readonly level: number }
    ) => Effect.Effect<string, E | FloorPlanNotFound | OrganizationNotFound | StoreError>
    /**
     * Lists the plans of an organization without their images, the lowest floor first.
     * Law: `floorplans/FloorPlanStore.ts` "plans are listed from the lowest floor, and removed one by one".
     */
    readonly list: <E>(
      query: OfAdministrator<E>
    ) => Effect.Effect<ReadonlyArray<FloorPlan>, E | OrganizationNotFound | StoreError>
    /**
     * Removes the plan of a floor, and appends the same change as `put`; fails with `FloorPlanNotFound` where there is none.
     * Laws: `floorplans/FloorPlanStore.ts` "plans are listed from the lowest floor, and removed one by one", "a refusal
     * changes nothing".
     */
    readonly remove: <E>(
      query: OfAdministrator<E> & { readonly level: number }
    ) => Effect.Effect<void, E | FloorPlanNotFound | OrganizationNotFound | StoreError>
  }
>()("@sojourn/core/FloorPlanStore") {}
