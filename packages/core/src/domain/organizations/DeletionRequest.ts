/** Deletion of an organization in two steps: an owner asks, and an operator approves or rejects. */
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  type AdministratorId,
  type DeletionRequestId,
  type OperatorId,
  type OrganizationId,
  textOf
} from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** Where an owner's wish to delete an organization stands. */
export const DeletionRequestStatus = Schema.Literals(["pending", "approved", "rejected"])
export type DeletionRequestStatus = typeof DeletionRequestStatus.Type

/** Why an owner wants an organization to be deleted. */
export const DeletionReason = textOf(0, 512)

interface Wish {
  readonly id: DeletionRequestId
  readonly organizationId: OrganizationId
  readonly administratorId: AdministratorId
  readonly reason?: string | undefined
  readonly creationDate: Timestamp
}

interface Decision {
  readonly decisionDate: Timestamp
  readonly decidedBy: OperatorId
}

/** A wish that no operator has examined yet. */
export interface PendingDeletionRequest extends Wish {
  readonly status: "pending"
}

/**
 * A wish that was approved, and the organization is gone with all that it owned; or rejected, and another may be made.
 */
export interface DecidedDeletionRequest extends Wish, Decision {
  readonly status: "approved" | "rejected"
}

/**
 * An owner's wish that an operator decides, once: Pending -> Approved | Rejected (spec: organizations#deletion-final).
 */
export type DeletionRequest = PendingDeletionRequest | DecidedDeletionRequest

/** The order of lists: the oldest first, and of one instant by id. Ids alone do not say which request is older. */
export const DeletionRequestOrder: Order.Order<DeletionRequest> = Order.combine(
  Order.mapInput(Order.Number, ({ creationDate }: DeletionRequest) => creationDate),
  Order.mapInput(Order.BigInt, ({ id }: DeletionRequest) => id)
)

/** There is no such request. */
export class DeletionRequestNotFound extends TaggedError(
  "DeletionRequestNotFound",
  "the deletion request does not exist"
)<{
  readonly id: DeletionRequestId
}> {}

/** The request was decided already: a decision is final. */
export class DeletionRequestDecided extends TaggedError(
  "DeletionRequestDecided",
  "the deletion request is already decided"
)<{
  readonly status: "approved" | "rejected"
}> {}

/** An administrator asks in their own name alone. */
export class DeletionRequestOfAnother extends TaggedError(
  "DeletionRequestOfAnother",
  "the deletion request names another administrator than the caller"
)<{}> {}

/** Requires the request to name its maker, if it names an administrator at all. */
export const requestsInOwnName = (
  caller: AdministratorId,
  named: AdministratorId | undefined
): Result.Result<void, DeletionRequestOfAnother> =>
  named === undefined || named === caller ? Result.void : Result.fail(new DeletionRequestOfAnother())

/** The request with an operator's verdict, unless it has one. */
export const decideDeletion = (
  request: DeletionRequest,
  verdict: "approved" | "rejected",
  decision: Decision
): Result.Result<DecidedDeletionRequest, DeletionRequestDecided> =>
  request.status === "pending"
    ? Result.succeed({ ...request, ...decision, status: verdict })
    : Result.fail(new DeletionRequestDecided({ status: request.status }))
