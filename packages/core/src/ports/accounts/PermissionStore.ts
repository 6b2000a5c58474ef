/** The port for permissions. A change is decided within its step, on all permissions of the organization. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AdministratorName, NamedAccounts, NewAccount } from "../../domain/accounts/Administrator.ts"
import type { AdministratorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { Reader } from "../../domain/accounts/Reader.ts"
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

/** The organization of some premises, and the level that a reader has there; none: no permission. */
export interface Membership {
  readonly organizationId: OrganizationId
  readonly level: Option.Option<PermissionLevel>
}

/** A reader, and an organization in which they may have a level. */
export interface MembershipKey {
  readonly organizationId: OrganizationId
  readonly reader: Reader
}

/**
 * Stores the permissions of administrators in organizations (spec: accounts#permissions).
 *
 * Permissions carry the mail address of their administrator's account.
 */
export class PermissionStore extends Context.Service<
  PermissionStore,
  {
    /**
     * Reads the facts, decides, and writes the permission and its account, as one step.
     * An owner who stops being one loses their webhooks in the same step: see `WebhookStore`.
     * Changes of one organization's permissions are serialized, so of two owners who remove each other the second is refused.
     * Laws: `accounts/PermissionStore.ts` "two owners who ... each other at the same moment leave one owner", "of 20
     * grants to one administrator at the same moment one is kept"; `accounts/PermissionStore.ts` "an account is
     * registered together with its permission, or not at all".
     */
    readonly change: <E>(change: {
      readonly organizationId: OrganizationId
      readonly administrator: AdministratorName
      readonly decide: (facts: PermissionFacts) => Result.Result<PermissionChange, E>
    }) => Effect.Effect<Permission, E | OrganizationNotFound | StoreError>
    /**
     * Reads a reader's level in the organization of premises, by the rule `levelOfReader`; none where there are no such premises.
     * Law: `accounts/PermissionStore.ts` "an administrator stands towards premises where their organization bound
     * them, or nowhere".
     */
    readonly membership: (premises: Premises, reader: Reader) => Effect.Effect<Option.Option<Membership>, StoreError>
    /**
     * Reads several memberships at once, in the order asked; none where the organization does not exist.
     * Law: `accounts/PermissionStore.ts` "memberships of several administrators are read together, in the order
     * asked".
     */
    readonly memberships: (
      keys: ReadonlyArray<MembershipKey>
    ) => Effect.Effect<ReadonlyArray<Option.Option<Membership>>, StoreError>
    /**
     * Lists an organization's permissions in the order of granting.
     * Law: `accounts/PermissionStore.ts` "a change of the level changes the level alone, and the order of permissions
     * stays".
     */
    readonly listByOrganization: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Permission>, StoreError>
    /**
     * Lists an administrator's permissions by organization id.
     * The list includes every change that was answered before it was requested; concurrent readings may share a statement.
     * Laws: `accounts/PermissionStore.ts` "an administrator's permissions are listed in the order of organizations'
     * ids", "lists of permissions that are asked for at one moment are answered each with its own, and the newest".
     */
    readonly listByAdministrator: (
      administratorId: AdministratorId
    ) => Effect.Effect<ReadonlyArray<Permission>, StoreError>
  }
>()("@sojourn/core/PermissionStore") {}
