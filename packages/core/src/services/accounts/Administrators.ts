/** Use cases on administrators and their permissions in an organization. */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  accountToBind,
  type AdministratorAccount,
  AdministratorExists,
  type AdministratorName,
  type AdministratorNotFound,
  type AdministratorsDiffer,
  type InvitationNotProved,
  type NewAccount,
  requireNoAccount
} from "../../domain/accounts/Administrator.ts"
import type { Administrator, Operator } from "../../domain/accounts/Caller.ts"
import type { AdministratorId, OrganizationId, OrgAuthServerId } from "../../domain/shared/Ids.ts"
import type { Mail } from "../../domain/shared/Mail.ts"
import { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import {
  type AlreadyBound,
  changeLevel,
  type LastOwnerStays,
  type LevelAboveOwn,
  mayGrant,
  type OnlyLevelChanges,
  type Permission,
  type PermissionNotFound,
  PermissionTooLow,
  type PermissionUpdate,
  requireAmong,
  requireUnbound,
  unbind
} from "../../domain/accounts/Permission.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import { AdministratorAccounts } from "../../ports/accounts/AdministratorAccounts.ts"
import { PasswordHasher, type PasswordsBusy } from "../../ports/accounts/PasswordHasher.ts"
import { type PermissionChange, PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { authorizeIn } from "../shared/authority.ts"
import { byCaller } from "../audit/byCaller.ts"

/** A level to grant to an administrator in an organization. */
export interface Binding {
  readonly organizationId: OrganizationId
  readonly administrator: AdministratorName
  readonly level: PermissionLevel
  readonly orgAuthServerId?: OrgAuthServerId | undefined
}

/**
 * A level to grant to an administrator who has no account yet. Without an id the service makes one; when no password proves
 * it either, the account is an invitation for the first caller who proves to have the mail address.
 *
 * A password is kept with an id that the service makes, and discarded with one that is given: that may be the id of a
 * person whom tokens of an issuer prove, and only that person may act under it.
 */
export interface Creation extends Binding {
  readonly administrator: { readonly administratorId?: AdministratorId | undefined; readonly mail: Mail }
  /** What the administrator can sign in with from then on, where this service keeps passwords and makes the id. */
  readonly password?: Redacted.Redacted<string> | undefined
}

/** What refuses every change of an organization's permissions alike. */
type Unauthorized = OrganizationNotFound | PermissionTooLow | StoreError

const granted = (
  nominatedBy: AdministratorId,
  { organizationId, level, orgAuthServerId }: Binding,
  { administratorId, mail }: AdministratorAccount
): Permission => ({
  administratorId,
  organizationId,
  level,
  mail,
  orgAuthServerId,
  nominatedBy
})

/** Manages who may do what in an organization (spec: accounts#permissions). */
export class Administrators extends Context.Service<
  Administrators,
  {
    /** Keeps an account for an administrator. For operators. */
    readonly register: (
      operator: Operator,
      account: { readonly administratorId: AdministratorId; readonly mail: Mail }
    ) => Effect.Effect<AdministratorAccount, AdministratorExists | StoreError>
    /** Records that an administrator proved their id: they can be bound from then on. A caller who is refused is served nothing. */
    readonly recordSignIn: (administrator: Administrator) => Effect.Effect<void, InvitationNotProved | StoreError>
    /** Grants a level to an administrator who has an account. For owners. */
    readonly bind: (
      owner: Administrator,
      binding: Binding
    ) => Effect.Effect<
      Permission,
      Unauthorized | AdministratorNotFound | AdministratorsDiffer | AlreadyBound | LevelAboveOwn
    >
    /**
     * Grants a level to an administrator who has an account, who counts as nominated by themselves: a way back for an organization whose owners
     * are gone. For operators.
     */
    readonly bindByOperator: (
      operator: Operator,
      binding: Binding
    ) => Effect.Effect<
      Permission,
      OrganizationNotFound | AdministratorNotFound | AdministratorsDiffer | AlreadyBound | StoreError
    >
    /** Creates an administrator's account and grants a level to it, both or neither. For owners. */
    readonly create: (
      owner: Administrator,
      creation: Creation
    ) => Effect.Effect<Permission, Unauthorized | AdministratorExists | LevelAboveOwn | PasswordsBusy>
    /** Withdraws a permission. For owners. */
    readonly unbind: (
      owner: Administrator,
      permission: { readonly organizationId: OrganizationId; readonly administratorId: AdministratorId }
    ) => Effect.Effect<void, Unauthorized | PermissionNotFound | LastOwnerStays>
    /** Changes the level of a permission, and nothing else. For owners. */
    readonly changeLevel: (
      owner: Administrator,
      organizationId: OrganizationId,
      update: PermissionUpdate
    ) => Effect.Effect<
      Permission,
      Unauthorized | PermissionNotFound | OnlyLevelChanges | LevelAboveOwn | LastOwnerStays
    >
    /** The permissions of an organization, in the order in which they were granted. For owners. */
    readonly listByOrganization: (
      owner: Administrator,
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Permission>, Unauthorized>
    /** The administrator's own permissions, in the order of organizations' ids. */
    readonly listOwn: (administrator: Administrator) => Effect.Effect<ReadonlyArray<Permission>, StoreError>
  }
>()("@sojourn/core/Administrators") {
  static readonly layer: Layer.Layer<Administrators, never, PermissionStore | AdministratorAccounts> = Layer.effect(
    Administrators,
    Effect.gen(function* () {
      const permissions = yield* PermissionStore
      const accounts = yield* AdministratorAccounts
      const hashing = Option.getOrUndefined(yield* PasswordHasher)

      /** The hash of a new account's password. Only an owner may cause this work. */
      const hashFor = Effect.fnUntraced(function* (owner: Administrator, creation: Creation) {
        const { organizationId, administrator, password } = creation
        if (hashing === undefined || password === undefined || administrator.administratorId !== undefined)
          return undefined
        yield* authorizeIn(permissions, owner, organizationId, "owner")
        return yield* hashing.hash(password, {
          fairnessKey: `administrator ${owner.administratorId}`,
          isTrusted: true
        })
      })

      return Administrators.of(
        byCaller({
          register: (_operator, account) => accounts.register(account),
          recordSignIn: ({ administratorId, mail }) => accounts.recordSignIn({ administratorId, mail }),
          bind: (owner, binding) =>
            permissions.change({
              organizationId: binding.organizationId,
              administrator: binding.administrator,
              decide: (facts) =>
                Result.gen(function* () {
                  const own = yield* requireAmong(facts.permissions, owner.administratorId, "owner")
                  const account = yield* accountToBind(binding.administrator, facts.accounts)
                  yield* requireUnbound(facts.permissions, account.administratorId)
                  yield* mayGrant(own, binding.level)
                  const permission = granted(owner.administratorId, binding, account)
                  return { _tag: "Grant", permission, account: Option.none() } satisfies PermissionChange
                })
            }),
          bindByOperator: (_operator, binding) =>
            permissions.change({
              organizationId: binding.organizationId,
              administrator: binding.administrator,
              decide: (facts) =>
                Result.gen(function* () {
                  const account = yield* accountToBind(binding.administrator, facts.accounts)
                  yield* requireUnbound(facts.permissions, account.administratorId)
                  const permission = granted(account.administratorId, binding, account)
                  return { _tag: "Grant", permission, account: Option.none() } satisfies PermissionChange
                })
            }),
          create: Effect.fnUntraced(function* (owner, creation) {
            const { mail } = creation.administrator
            const requestedId = creation.administrator.administratorId
            const administratorId = requestedId ?? (SecureRandom.uuidV4Unsafe() as string as AdministratorId)
            const passwordHash = yield* hashFor(owner, creation)
            const isInvitation = requestedId === undefined && passwordHash === undefined
            const account: NewAccount = {
              administratorId,
              mail,
              ...(isInvitation && { isInvitation }),
              isMailUnproved: true,
              passwordHash
            }
            return yield* permissions.change({
              organizationId: creation.organizationId,
              administrator: account,
              decide: (facts) =>
                Result.gen(function* () {
                  const own = yield* requireAmong(facts.permissions, owner.administratorId, "owner")
                  yield* requireNoAccount(account, facts.accounts)
                  yield* mayGrant(own, creation.level)
                  const permission = granted(owner.administratorId, creation, account)
                  return { _tag: "Grant", permission, account: Option.some(account) } satisfies PermissionChange
                })
            })
          }),
          unbind: (owner, { organizationId, administratorId }) =>
            Effect.asVoid(
              permissions.change({
                organizationId,
                administrator: { administratorId },
                decide: (facts) =>
                  Result.gen(function* () {
                    yield* requireAmong(facts.permissions, owner.administratorId, "owner")
                    const permission = yield* unbind(facts.permissions, administratorId)
                    return { _tag: "Withdraw", permission } satisfies PermissionChange
                  })
              })
            ),
          changeLevel: (owner, organizationId, update) =>
            permissions.change({
              organizationId,
              administrator: { administratorId: update.administratorId },
              decide: (facts) =>
                Result.gen(function* () {
                  const own = yield* requireAmong(facts.permissions, owner.administratorId, "owner")
                  const permission = yield* changeLevel(facts.permissions, own, update)
                  return { _tag: "ChangeLevel", permission } satisfies PermissionChange
                })
            }),
          listByOrganization: Effect.fnUntraced(function* (owner, organizationId) {
            const listed = yield* permissions.listByOrganization(organizationId)
            // Either there is no such organization, or no administrator of it.
            if (listed.length === 0) yield* authorizeIn(permissions, owner, organizationId, "owner")
            yield* Effect.fromResult(requireAmong(listed, owner.administratorId, "owner"))
            return listed
          }),
          listOwn: ({ administratorId }) => permissions.listByAdministrator(administratorId)
        })
      )
    })
  )
}
