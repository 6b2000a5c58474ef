import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type {
  DeletionRequest,
  DeletionRequestDecided,
  DeletionRequestNotFound,
  DeletionRequestStatus
} from "../../domain/organizations/DeletionRequest.ts"
import type { AdministratorId, DeletionRequestId, OperatorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/**
 * The wishes to delete organizations (contract, section 6). They outlive the organizations.
 *
 * - `request` decides on the administrator's level as it is in that moment, and keeps a pending request unless the
 *   organization has one already: that one is answered then, unchanged.
 * - `conclude` applies the rule `decideDeletion`. An approval deletes the organization in the same step with all that it
 *   owns: places, stays, permissions, favorites, links.
 * - `list` answers the requests of a status, or all, oldest first.
 */
export class DeletionRequestStore extends Context.Service<
  DeletionRequestStore,
  {
    readonly request: <E>(request: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      readonly reason: string | undefined
      readonly now: Timestamp
      readonly decide: (level: Option.Option<PermissionLevel>) => Result.Result<unknown, E>
    }) => Effect.Effect<DeletionRequest, E | OrganizationNotFound | StoreError>
    readonly conclude: (conclusion: {
      readonly id: DeletionRequestId
      readonly verdict: "approved" | "rejected"
      readonly decidedBy: OperatorId
      readonly now: Timestamp
    }) => Effect.Effect<DeletionRequest, DeletionRequestNotFound | DeletionRequestDecided | StoreError>
    readonly list: (
      status: Option.Option<DeletionRequestStatus>
    ) => Effect.Effect<ReadonlyArray<DeletionRequest>, StoreError>
  }
>()("@sojourn/core/DeletionRequestStore") {}
