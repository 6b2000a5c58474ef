import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { OrganizationId, OrgAuthServerId, UserId } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"

/** The proven tie between a user and a person of one organization's authentication server. */
export interface AccountLink {
  readonly userId: UserId
  readonly organizationId: OrganizationId
  readonly orgAuthServerId: OrgAuthServerId
}

/** The user's account is not linked to the organization's account (spec: stays#link-needed). */
export class NotLinked extends TaggedError("NotLinked", "the user is not linked to a person of the organization")<{}> {}

/** The request claims a person whom the caller is not linked to. */
export class IdentityNotOwn extends TaggedError(
  "IdentityNotOwn",
  "the claimed person is not the one that the user is linked to"
)<{}> {}

/** The person is linked to another user: one person is one orgAuthServerId. */
export class LinkedToAnother extends TaggedError("LinkedToAnother", "the person is linked to another user")<{}> {}

/** The user has no link to the organization. */
export class AccountLinkNotFound extends TaggedError(
  "AccountLinkNotFound",
  "the user has no link in the organization"
)<{
  readonly organizationId: OrganizationId
}> {}

/**
 * The person whom an organization knows the caller as: none where it tracks anonymously, whatever the request claims, and
 * otherwise the person whom the caller is linked to. The request may name that person and no other.
 */
export const identify = (
  mode: TrackingMode,
  linked: Option.Option<OrgAuthServerId>,
  claimed: OrgAuthServerId | undefined
): Result.Result<Option.Option<OrgAuthServerId>, NotLinked | IdentityNotOwn> => {
  if (mode === "anonymous") return Result.succeedNone
  if (Option.isNone(linked)) return Result.fail(new NotLinked())
  return claimed !== undefined && claimed !== linked.value ? Result.fail(new IdentityNotOwn()) : Result.succeed(linked)
}

/** A person may be linked to a user when no other user is linked to them. */
export const mayLink = (userId: UserId, holder: Option.Option<UserId>): Result.Result<void, LinkedToAnother> =>
  Option.isSome(holder) && holder.value !== userId ? Result.fail(new LinkedToAnother()) : Result.void
