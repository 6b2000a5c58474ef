/** Who may do what in an organization, and the rules by which administrators grant, change and end permissions. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AdministratorId, OrganizationId, OrgAuthServerId } from "../shared/Ids.ts"
import { type Mail, sameMail } from "../shared/Mail.ts"
import { isAtLeast, type PermissionLevel } from "./PermissionLevel.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** An administrator's level in one organization, and who nominated them (spec: accounts#permissions). */
export interface Permission {
  readonly administratorId: AdministratorId
  readonly organizationId: OrganizationId
  readonly level: PermissionLevel
  /** The mail address of the administrator's account, where it is known. */
  readonly mail?: Mail | undefined
  readonly orgAuthServerId?: OrgAuthServerId | undefined
  /** The administrator who granted the permission. Whom an operator bound, as an organization's first owner, granted their own. */
  readonly nominatedBy: AdministratorId
}

/** What an update of a permission asks: a new level, and the other fields as the caller believes them to be. */
export interface PermissionUpdate {
  readonly administratorId: AdministratorId
  readonly level: PermissionLevel
  readonly mail?: Mail | undefined
  readonly orgAuthServerId?: OrgAuthServerId | undefined
  readonly nominatedBy?: AdministratorId | undefined
}

/** The caller's level in the organization is below what the call needs, or they are not bound to it at all. */
export class PermissionTooLow extends TaggedError(
  "PermissionTooLow",
  "the administrator's permission level is too low, or the administrator is not bound"
)<{
  readonly required: PermissionLevel
  readonly held: Option.Option<PermissionLevel>
}> {}

/** An administrator grants at most their own level (spec: accounts#own-level). */
export class LevelAboveOwn extends TaggedError(
  "LevelAboveOwn",
  "the granted level is above the administrator's own level"
)<{
  readonly requested: PermissionLevel
  readonly own: PermissionLevel
}> {}

/** The administrator is bound to the organization already. */
export class AlreadyBound extends TaggedError(
  "AlreadyBound",
  "the administrator is already bound to the organization"
)<{ readonly administratorId: AdministratorId }> {}

/** The administrator is not bound to the organization. */
export class PermissionNotFound extends TaggedError(
  "PermissionNotFound",
  "the administrator is not bound to the organization"
)<{
  readonly administratorId: AdministratorId
}> {}

/** An update of a permission changes its level alone; `field` differs from the record (spec: accounts#level-alone). */
export class OnlyLevelChanges extends TaggedError("OnlyLevelChanges", "only the level of a permission can be changed")<{
  readonly field: "mail" | "orgAuthServerId" | "nominatedBy"
}> {}

/** An organization always keeps at least one owner. */
export class LastOwnerStays extends TaggedError("LastOwnerStays", "an organization must keep at least one owner")<{
  readonly administratorId: AdministratorId
}> {}

/** The permission of one administrator among those of an organization. */
export const permissionOf = (
  permissions: ReadonlyArray<Permission>,
  administratorId: AdministratorId
): Option.Option<Permission> =>
  Option.fromUndefinedOr(permissions.find((permission) => permission.administratorId === administratorId))

/**
 * What an administrator has in an organization who takes over an invitation to it: the higher level of the two. Who was invited by an operator
 * granted their own permission, under the id that they have from then on.
 */
export const takeOver = (
  invitation: Permission,
  own: Option.Option<Permission>,
  administratorId: AdministratorId
): Permission => {
  if (Option.isSome(own) && isAtLeast(own.value.level, invitation.level)) return own.value
  const nominatedBy = invitation.nominatedBy === invitation.administratorId ? administratorId : invitation.nominatedBy
  return { ...invitation, administratorId, nominatedBy }
}

/** The caller's level, when it is at least the one that the call needs. */
export const requireLevel = (
  held: Option.Option<PermissionLevel>,
  required: PermissionLevel
): Result.Result<PermissionLevel, PermissionTooLow> =>
  Option.isSome(held) && isAtLeast(held.value, required)
    ? Result.succeed(held.value)
    : Result.fail(new PermissionTooLow({ required, held }))

/** The caller's level among the permissions of an organization, when it is at least the one that the call needs. */
export const requireAmong = (
  permissions: ReadonlyArray<Permission>,
  administratorId: AdministratorId,
  required: PermissionLevel
): Result.Result<PermissionLevel, PermissionTooLow> =>
  requireLevel(
    Option.map(permissionOf(permissions, administratorId), (permission) => permission.level),
    required
  )

/** May someone of level `own` grant `asked`? */
export const mayGrant = (own: PermissionLevel, requested: PermissionLevel): Result.Result<void, LevelAboveOwn> =>
  isAtLeast(own, requested) ? Result.void : Result.fail(new LevelAboveOwn({ requested, own }))

/** Requires that the administrator is not bound to the organization yet. */
export const requireUnbound = (
  permissions: ReadonlyArray<Permission>,
  administratorId: AdministratorId
): Result.Result<void, AlreadyBound> =>
  Option.isSome(permissionOf(permissions, administratorId))
    ? Result.fail(new AlreadyBound({ administratorId }))
    : Result.void

/** Does another administrator own the organization? */
const keepsAnOwner = (
  permissions: ReadonlyArray<Permission>,
  leaving: AdministratorId
): Result.Result<void, LastOwnerStays> =>
  permissions.some(({ level, administratorId }) => level === "owner" && administratorId !== leaving)
    ? Result.void
    : Result.fail(new LastOwnerStays({ administratorId: leaving }))

/** The permission that an unbinding ends, when it may end. */
export const unbind = (
  permissions: ReadonlyArray<Permission>,
  administratorId: AdministratorId
): Result.Result<Permission, PermissionNotFound | LastOwnerStays> =>
  Result.gen(function* () {
    const permission = yield* Result.fromOption(
      permissionOf(permissions, administratorId),
      () => new PermissionNotFound({ administratorId })
    )
    yield* keepsAnOwner(permissions, administratorId)
    return permission
  })

const differing = (record: Permission, update: PermissionUpdate): OnlyLevelChanges["field"] | undefined => {
  if (update.mail !== undefined && (record.mail === undefined || !sameMail(update.mail, record.mail))) return "mail"
  if (update.orgAuthServerId !== undefined && update.orgAuthServerId !== record.orgAuthServerId) {
    return "orgAuthServerId"
  }
  return update.nominatedBy !== undefined && update.nominatedBy !== record.nominatedBy ? "nominatedBy" : undefined
}

/** The permission with its level changed by someone of level `own`, when it may change. Nothing else changes. */
export const changeLevel = (
  permissions: ReadonlyArray<Permission>,
  own: PermissionLevel,
  update: PermissionUpdate
): Result.Result<Permission, PermissionNotFound | OnlyLevelChanges | LevelAboveOwn | LastOwnerStays> =>
  Result.gen(function* () {
    const record = yield* Result.fromOption(
      permissionOf(permissions, update.administratorId),
      () => new PermissionNotFound({ administratorId: update.administratorId })
    )
    const field = differing(record, update)
    if (field !== undefined) return yield* Result.fail(new OnlyLevelChanges({ field }))
    yield* mayGrant(own, update.level)
    if (update.level !== "owner") yield* keepsAnOwner(permissions, update.administratorId)
    return { ...record, level: update.level }
  })
