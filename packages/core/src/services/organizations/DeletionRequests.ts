/** The use cases of deletion requests: owners make them, operators list, approve and reject them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type { Administrator, Operator } from "../../domain/accounts/Caller.ts"
import {
  type DeletionRequest,
  type DeletionRequestDecided,
  type DeletionRequestNotFound,
  type DeletionRequestOfAnother,
  type DeletionRequestStatus
} from "../../domain/organizations/DeletionRequest.ts"
import type { AdministratorId, DeletionRequestId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import { DeletionRequestStore } from "../../ports/organizations/DeletionRequestStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { now } from "../shared/now.ts"
import { byCaller } from "../audit/byCaller.ts"

/** A wish to delete an organization, as an owner asks for it. */
export interface DeletionRequestDraft {
  readonly organizationId: OrganizationId
  readonly reason?: string | undefined
  /** In whose name; when it is said it must be the caller. */
  readonly administratorId?: AdministratorId | undefined
}

type Conclude = (
  operator: Operator,
  id: DeletionRequestId
) => Effect.Effect<DeletionRequest, DeletionRequestNotFound | DeletionRequestDecided | StoreError>

/**
 * Takes owners' wishes to delete their organizations, for operators to examine (spec: organizations#deletion-requests).
 */
export class DeletionRequests extends Context.Service<
  DeletionRequests,
  {
    /** Queues a request; the pending one is answered when there is one. Nothing is deleted yet. For owners. */
    readonly request: (
      owner: Administrator,
      draft: DeletionRequestDraft
    ) => Effect.Effect<DeletionRequest, OrganizationNotFound | PermissionTooLow | DeletionRequestOfAnother | StoreError>
    /** The request of an organization that no operator has examined yet. For owners. */
    readonly pending: (
      owner: Administrator,
      organizationId: OrganizationId
    ) => Effect.Effect<Option.Option<DeletionRequest>, OrganizationNotFound | PermissionTooLow | StoreError>
    /** The requests of a status, or all, oldest first. For operators. */
    readonly list: (
      operator: Operator,
      status: Option.Option<DeletionRequestStatus>
    ) => Effect.Effect<ReadonlyArray<DeletionRequest>, StoreError>
    /** Grants a request: the organization is deleted with all that it owns. For operators. */
    readonly approve: Conclude
    /** Refuses a request; another may be made. For operators. */
    readonly reject: Conclude
  }
>()("@sojourn/core/DeletionRequests") {
  static readonly layer: Layer.Layer<DeletionRequests, never, DeletionRequestStore> = Layer.effect(
    DeletionRequests,
    Effect.gen(function* () {
      const store = yield* DeletionRequestStore

      const conclude = (verdict: "approved" | "rejected"): Conclude =>
        Effect.fnUntraced(function* (operator, id) {
          return yield* store.conclude({ id, verdict, decidedBy: operator.operatorId, now: yield* now })
        })

      return DeletionRequests.of(
        byCaller({
          request: Effect.fnUntraced(function* (
            { administratorId },
            { organizationId, reason, administratorId: named }
          ) {
            return yield* store.request({ organizationId, administratorId, named, reason, now: yield* now })
          }),
          pending: ({ administratorId }, organizationId) => store.pending({ organizationId, administratorId }),
          list: (_operator, status) => store.list(status),
          approve: conclude("approved"),
          reject: conclude("rejected")
        })
      )
    })
  )
}
