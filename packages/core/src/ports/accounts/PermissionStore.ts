/** The port for permissions. A change is decided within its step, on all permissions of the organization. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AdministratorName, NamedAccounts, NewAccount } from "../../domain/accounts/Administrator.ts"
import type { AdministratorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { Permission } from "../../domain/accounts/Permission.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** A change of one organization's permissions. `account`, where present, is registered first. */
export type PermissionChange =
  | {
      readonly _tag: "Grant"
      readonly permission: Permission
      readonly account: Option.Option<NewAccount>
    }
  | { readonly _tag: "ChangeLevel"; readonly permission: Permission }
  | { readonly _tag: "Withdraw"; readonly permission: Permission }

/** The facts that a change of permissions is decided on, as of the moment of the change. */
export interface PermissionFacts {
  readonly permissions: ReadonlyArray<Permission>
  /** The accounts that the change's administrator is named by. */
  readonly accounts: NamedAccounts
}

/** The organization of some premises, and the level that an administrator has there; none: no permission. */
export interface Membership {
  readonly organizationId: OrganizationId
  readonly level: Option.Option<PermissionLevel>
}

/** An administrator, and an organization in which they may have a permission. */
export interface MembershipKey {
  readonly organizationId: OrganizationId
  readonly administratorId: AdministratorId
}

/**
 * Stores the permissions of administrators in organizations.
 *
 * - `change` reads the facts, decides, and writes, as one step. Changes of one organization's permissions are serialized, so
 *   of two owners who remove each other the second is refused. Account and permission are written together.
 * - `membership` returns none when the premises do not exist.
 * - `memberships` answers several administrators' memberships of organizations in one reading, in the order asked; none where the
 *   organization does not exist.
 * - Permissions carry the mail address of their administrator's account. `listByOrganization` is in the order of granting,
 *   `listByAdministrator` in the order of organization ids.
 */
export class PermissionStore extends Context.Service<
  PermissionStore,
  {
    readonly change: <E>(change: {
      readonly organizationId: OrganizationId
      readonly administrator: AdministratorName
      readonly decide: (facts: PermissionFacts) => Result.Result<PermissionChange, E>
    }) => Effect.Effect<Permission, E | OrganizationNotFound | StoreError>
    readonly membership: (
      premises: Premises,
      administratorId: AdministratorId
    ) => Effect.Effect<Option.Option<Membership>, StoreError>
    readonly memberships: (
      asked: ReadonlyArray<MembershipKey>
    ) => Effect.Effect<ReadonlyArray<Option.Option<Membership>>, StoreError>
    readonly listByOrganization: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Permission>, StoreError>
    readonly listByAdministrator: (
      administratorId: AdministratorId
    ) => Effect.Effect<ReadonlyArray<Permission>, StoreError>
  }
>()("@sojourn/core/PermissionStore") {}
