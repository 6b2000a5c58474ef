import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type {
  DeletionRequest,
  DeletionRequestDecided,
  DeletionRequestNotFound,
  DeletionRequestOfAnother,
  DeletionRequestStatus
} from "../../domain/organizations/DeletionRequest.ts"
import type { AdministratorId, DeletionRequestId, OperatorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** The requests to delete organizations (spec: organizations#deletion-requests). They outlive the organizations. */
export class DeletionRequestStore extends Context.Service<
  DeletionRequestStore,
  {
    /**
     * For owners: applies the rule `requestsInOwnName`, and keeps a pending request.
     * Where one is pending already, it answers that one unchanged.
     * Of racing requests one is kept and answered to all.
     * Laws: `organizations/DeletionRequestStore.ts` "of 20 requests for one organization at the same moment one is
     * kept, and answered to all", "a request is an owner's, in their own name, and a refusal keeps none".
     */
    readonly request: (request: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      /** In whose name, where that is said. */
      readonly named?: AdministratorId | undefined
      readonly reason: string | undefined
      readonly now: Timestamp
    }) => Effect.Effect<
      DeletionRequest,
      OrganizationNotFound | PermissionTooLow | DeletionRequestOfAnother | StoreError
    >
    /**
     * For owners: reads the pending request of an organization.
     * Law: `organizations/DeletionRequestStore.ts` "a request is an owner's, in their own name, and a refusal keeps none".
     */
    readonly pending: (query: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
    }) => Effect.Effect<Option.Option<DeletionRequest>, OrganizationNotFound | PermissionTooLow | StoreError>
    /**
     * Applies the rule `decideDeletion`; an approval deletes the organization with all that it owns in the same step.
     * Fails with `DeletionRequestNotFound`, or `DeletionRequestDecided` once it was decided.
     * Of racing decisions one is kept. A racing movement is deleted with the organization, or finds none.
     * Laws: `organizations/DeletionRequestStore.ts` "of 20 decisions of one request at the same moment one is kept";
     * `organizations/DeletionRequestStore.ts` "an approval that races with movements leaves nothing counted and no
     * token known", "an approval that races with everything else leaves nothing of the organization".
     */
    readonly conclude: (conclusion: {
      readonly id: DeletionRequestId
      readonly verdict: "approved" | "rejected"
      readonly decidedBy: OperatorId
      readonly now: Timestamp
    }) => Effect.Effect<DeletionRequest, DeletionRequestNotFound | DeletionRequestDecided | StoreError>
    /**
     * Lists the requests of a status, or all, by `DeletionRequestOrder`: oldest first.
     * Law: `organizations/DeletionRequestStore.ts` "requests are listed by their status, or all, oldest first".
     */
    readonly list: (
      status: Option.Option<DeletionRequestStatus>
    ) => Effect.Effect<ReadonlyArray<DeletionRequest>, StoreError>
  }
>()("@sojourn/core/DeletionRequestStore") {}
