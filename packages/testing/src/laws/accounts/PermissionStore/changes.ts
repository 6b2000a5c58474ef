/** Changes of permissions with the rules that use cases apply, for the laws of several stores. */
import {
  type AdministratorId,
  type AdministratorName,
  type Mail,
  type NewAccount,
  type OrganizationId,
  type Permission,
  type PermissionLevel,
  PermissionStore,
  changeLevel,
  requireAmong,
  requireNoAccount,
  requireUnbound,
  unbind
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { OrganizationFixture } from "../../shared/fixtures.ts"
import { refused } from "../../shared/outcome.ts"

/** An owner withdraws an administrator's permission where the rules let them. */
export const withdraw = (organizationId: OrganizationId, owner: AdministratorId, administratorId: AdministratorId) =>
  PermissionStore.use((store) =>
    store.change({
      organizationId,
      administrator: { administratorId },
      decide: ({ permissions }) =>
        Result.gen(function* () {
          yield* requireAmong(permissions, owner, "owner")
          return { _tag: "Withdraw" as const, permission: yield* unbind(permissions, administratorId) }
        })
    })
  )

/** An owner changes an administrator's level where the rules let them. */
export const setLevel = (
  organizationId: OrganizationId,
  owner: AdministratorId,
  administratorId: AdministratorId,
  level: PermissionLevel
) =>
  PermissionStore.use((store) =>
    store.change({
      organizationId,
      administrator: { administratorId },
      decide: ({ permissions }) =>
        Result.gen(function* () {
          const own = yield* requireAmong(permissions, owner, "owner")
          const permission = yield* changeLevel(permissions, own, { administratorId, level })
          return { _tag: "ChangeLevel" as const, permission }
        })
    })
  )

/** An owner grants a level to an administrator who has an account, where the rules let them. */
export const grant = (
  fixture: OrganizationFixture,
  administratorId: AdministratorId,
  fields: Partial<Permission> = {}
) =>
  PermissionStore.use((store) =>
    store.change({
      organizationId: fixture.id,
      administrator: { administratorId },
      decide: ({ permissions }) =>
        Result.map(requireUnbound(permissions, administratorId), () => ({
          _tag: "Grant" as const,
          permission: {
            administratorId,
            organizationId: fixture.id,
            level: "viewer" as const,
            nominatedBy: fixture.owner,
            ...fields
          },
          account: Option.none()
        }))
    })
  )

/** An owner creates an administrator's account and grants a level to it, where the rules let them. */
export const createAccount = (fixture: OrganizationFixture, account: NewAccount & { readonly mail: Mail }) =>
  PermissionStore.use((store) =>
    store.change({
      organizationId: fixture.id,
      administrator: account,
      decide: ({ accounts }) =>
        Result.map(requireNoAccount(account, accounts), () => ({
          _tag: "Grant" as const,
          permission: {
            administratorId: account.administratorId,
            mail: account.mail,
            organizationId: fixture.id,
            level: "manager" as const,
            nominatedBy: fixture.owner
          },
          account: Option.some(account)
        }))
    })
  )

/** The facts of a change that refuses itself: the permissions of the organization, and the accounts of the name. */
export const factsOf = (fixture: OrganizationFixture, administrator: AdministratorName) =>
  Effect.map(
    refused(
      PermissionStore.use((store) =>
        store.change({
          organizationId: fixture.id,
          administrator,
          decide: ({ permissions, accounts }) =>
            Result.fail({
              _tag: "Seen" as const,
              permissions,
              byId: Option.getOrUndefined(accounts.byId),
              byMail: Option.getOrUndefined(accounts.byMail)
            })
        })
      ),
      "Seen"
    ),
    ({ permissions, byId, byMail }) => ({ permissions, byId, byMail })
  )
