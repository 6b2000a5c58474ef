/** Changes of permissions with the rules that use cases apply, for the laws of several stores. */
import {
  AdministratorAccounts,
  type AdministratorId,
  type AdministratorName,
  type Mail,
  type NewAccount,
  type OrganizationId,
  type Permission,
  type PermissionChange,
  type PermissionFacts,
  type PermissionLevel,
  PermissionStore,
  changeLevel,
  requireAmong,
  requireNoAccount,
  requireUnbound,
  unbind
} from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { type OrganizationFixture, someAdministrator, someMail } from "./fixtures.ts"
import { seen, refused } from "./outcome.ts"

/** A new id and mail address of an administrator. */
export const anAccount = () => ({ administratorId: someAdministrator(), mail: someMail() })

/** Registers an account as operators do. */
export const register = (account: ReturnType<typeof anAccount>) =>
  AdministratorAccounts.use((accounts) => accounts.register(account))

export const permissionsIn = (organizationId: OrganizationId) =>
  PermissionStore.use((store) => store.listByOrganization(organizationId))

export const permissionsOf = (administratorId: AdministratorId) =>
  PermissionStore.use((store) => store.listByAdministrator(administratorId))

export const changePermission = <E>(
  organizationId: OrganizationId,
  administrator: AdministratorName,
  decide: (facts: PermissionFacts) => Result.Result<PermissionChange, E>
) => PermissionStore.use((store) => store.change({ organizationId, administrator, decide }))

/** Grants a level in the name of the organization's owner: that of a viewer, unless `fields` has another one. */
export const grantOf = (
  { id: organizationId, owner: nominatedBy }: OrganizationFixture,
  administratorId: AdministratorId,
  fields: Partial<Permission> = {},
  account?: NewAccount
): PermissionChange => ({
  _tag: "Grant",
  permission: { administratorId, organizationId, level: "viewer", nominatedBy, ...fields },
  account: Option.fromUndefinedOr(account)
})

/** An owner withdraws an administrator's permission where the rules let them. */
export const withdraw = (organizationId: OrganizationId, owner: AdministratorId, administratorId: AdministratorId) =>
  changePermission(organizationId, { administratorId }, ({ permissions }) =>
    Result.gen(function* () {
      yield* requireAmong(permissions, owner, "owner")
      return { _tag: "Withdraw" as const, permission: yield* unbind(permissions, administratorId) }
    })
  )

/** An owner changes an administrator's level where the rules let them. */
export const setLevel = (
  organizationId: OrganizationId,
  owner: AdministratorId,
  administratorId: AdministratorId,
  level: PermissionLevel
) =>
  changePermission(organizationId, { administratorId }, ({ permissions }) =>
    Result.gen(function* () {
      const own = yield* requireAmong(permissions, owner, "owner")
      const permission = yield* changeLevel(permissions, own, { administratorId, level })
      return { _tag: "ChangeLevel" as const, permission }
    })
  )

/** An owner grants a level to an administrator who has an account, where the rules let them. */
export const grant = (fixture: OrganizationFixture, administratorId: AdministratorId, fields?: Partial<Permission>) =>
  changePermission(fixture.id, { administratorId }, ({ permissions }) =>
    Result.map(requireUnbound(permissions, administratorId), () => grantOf(fixture, administratorId, fields))
  )

/** An owner creates an administrator's account and grants a level to it, where the rules let them. */
export const createAccount = (fixture: OrganizationFixture, account: NewAccount & { readonly mail: Mail }) =>
  changePermission(fixture.id, account, ({ accounts }) =>
    Result.map(requireNoAccount(account, accounts), () =>
      grantOf(fixture, account.administratorId, { mail: account.mail, level: "manager" }, account)
    )
  )

/** The facts of a change that refuses itself: the permissions of the organization, and the accounts of the name. */
export const factsOf = (fixture: OrganizationFixture, administrator: AdministratorName) => {
  const refusal = changePermission(fixture.id, administrator, seen)
  return Effect.map(refused(refusal, "Seen"), ({ facts: { permissions, accounts } }) => ({
    permissions,
    byId: Option.getOrUndefined(accounts.byId),
    byMail: Option.getOrUndefined(accounts.byMail)
  }))
}
