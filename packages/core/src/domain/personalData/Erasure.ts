/** The rules of erasure: what it counts, what replaces a person in kept records, and who cannot be erased. */
import { ReducerSum } from "effect/Number"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import type { DeletionRequest } from "../organizations/DeletionRequest.ts"
import type { AdministratorId, OperatorId, OrganizationId } from "../shared/Ids.ts"
import type { Muster } from "../musters/Muster.ts"
import { type Permission, permissionOf, unbind } from "../accounts/Permission.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** Replaces the name of an erased person in records of others. */
export const ERASED = "(erased)"

/** How much an erasure removed, by kind, without any names. */
export interface Erased {
  readonly accountLinks: number
  readonly favorites: number
  readonly accesses: number
  readonly openStays: number
  readonly retriedEntrances: number
  readonly musterEntries: number
  readonly accounts: number
  readonly permissions: number
  /** Records of others that named the subject, and no longer do. */
  readonly mentions: number
}

const erasedSum = Struct.makeReducer<Erased>({
  accountLinks: ReducerSum,
  favorites: ReducerSum,
  accesses: ReducerSum,
  openStays: ReducerSum,
  retriedEntrances: ReducerSum,
  musterEntries: ReducerSum,
  accounts: ReducerSum,
  permissions: ReducerSum,
  mentions: ReducerSum
})

/** Nothing was there to be removed. */
export const NOTHING_ERASED: Erased = erasedSum.initialValue

/** Whether an erasure removed anything. */
export const hasErased = (erased: Erased): boolean => Object.values(erased).some((count) => count > 0)

/** What two erasures removed together. */
export const addErased: (one: Erased, other: Erased) => Erased = erasedSum.combine

/** The administrator is the only owner of these organizations: another administrator must own them first. */
export class OnlyOwner extends TaggedError("OnlyOwner", "the administrator is the only owner of an organization")<{
  readonly organizationIds: ReadonlyArray<OrganizationId>
}> {}

/**
 * An administrator may be erased who leaves every organization an owner. Asked with all permissions of each organization
 * that they are bound to.
 */
export const requireOtherOwners = (
  administratorId: AdministratorId,
  organizations: ReadonlyArray<ReadonlyArray<Permission>>
): Result.Result<void, OnlyOwner> => {
  const organizationIds = organizations.flatMap((permissions) => {
    const own = Option.getOrUndefined(permissionOf(permissions, administratorId))
    const staysOwned = own === undefined || Result.isSuccess(unbind(permissions, administratorId))
    return staysOwned ? [] : [own.organizationId]
  })
  return organizationIds.length === 0 ? Result.void : Result.fail(new OnlyOwner({ organizationIds }))
}

/** A deletion request without its maker and without their words. The wish stays: it is the organization's. */
export const withoutMaker = (request: DeletionRequest): DeletionRequest => ({
  ...request,
  administratorId: ERASED as AdministratorId,
  reason: undefined
})

/** A deletion request without the name of the operator who decided it. The decision stays. */
export const withoutDecider = (request: DeletionRequest): DeletionRequest =>
  request.status === "pending" ? request : { ...request, decidedBy: ERASED as OperatorId }

/**
 * A muster without the name of an administrator, and without their words where they started it. The muster and the places that they
 * searched stay: they are the organization's.
 */
export const withoutMention = <M extends Pick<Muster, "startedBy" | "note" | "swept">>(
  muster: M,
  administratorId: AdministratorId
): M => ({
  ...muster,
  ...(muster.startedBy === administratorId && { startedBy: ERASED as AdministratorId, note: undefined }),
  swept: muster.swept?.map((place) =>
    place.by === administratorId ? { ...place, by: ERASED as AdministratorId } : place
  )
})

/** Whether a muster names an administrator. */
export const isMentionedIn = (
  { startedBy, swept = [] }: Pick<Muster, "startedBy" | "swept">,
  administratorId: AdministratorId
): boolean => startedBy === administratorId || swept.some(({ by }) => by === administratorId)
