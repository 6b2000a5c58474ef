import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AdministratorName, NamedAccounts, NewAccount } from "../domain/Administrator.ts"
import type { AdministratorId, OrganizationId } from "../domain/Ids.ts"
import type { OrganizationNotFound } from "../domain/Organization.ts"
import type { Permission } from "../domain/Permission.ts"
import type { PermissionLevel } from "../domain/PermissionLevel.ts"
import type { Premises } from "../domain/Premises.ts"
import type { StoreError } from "./StoreError.ts"

/** What becomes of an organization's permissions. `account` is registered first where there is one. */
export type PermissionChange =
  | {
      readonly _tag: "Grant"
      readonly permission: Permission
      readonly account: Option.Option<NewAccount>
    }
  | { readonly _tag: "ChangeLevel"; readonly permission: Permission }
  | { readonly _tag: "Withdraw"; readonly permission: Permission }

/** What a change of permissions is decided on, as it is in that moment. */
export interface PermissionFacts {
  readonly permissions: ReadonlyArray<Permission>
  /** The accounts that the change's administrator is named by. */
  readonly accounts: NamedAccounts
}

/** Where an administrator stands towards some premises. */
export interface Standing {
  readonly organizationId: OrganizationId
  readonly level: Option.Option<PermissionLevel>
}

/**
 * Who may do what in which organization.
 *
 * - `change` reads the facts, decides, and writes, as one step: changes of one organization's permissions follow each
 *   other, so two owners who remove each other meet one after the other. Account and permission are written together.
 * - `standing` answers none when the premises do not exist.
 * - Permissions carry the mail address of their administrator's account. Lists are in the order in which permissions
 *   were granted, and in the order of organizations' ids.
 */
export class PermissionStore extends Context.Service<
  PermissionStore,
  {
    readonly change: <E>(change: {
      readonly organizationId: OrganizationId
      readonly administrator: AdministratorName
      readonly decide: (facts: PermissionFacts) => Result.Result<PermissionChange, E>
    }) => Effect.Effect<Permission, E | OrganizationNotFound | StoreError>
    readonly standing: (
      premises: Premises,
      administratorId: AdministratorId
    ) => Effect.Effect<Option.Option<Standing>, StoreError>
    readonly listByOrganization: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Permission>, StoreError>
    readonly listByAdministrator: (
      administratorId: AdministratorId
    ) => Effect.Effect<ReadonlyArray<Permission>, StoreError>
  }
>()("@sojourn/core/PermissionStore") {}
