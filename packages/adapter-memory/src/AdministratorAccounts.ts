import {
  type AdministratorAccount,
  type AdministratorAccounts,
  type AdministratorId,
  requireNoAccount,
  resolveAdministrator,
  signIn,
  takeOver
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { atomically } from "./atomically.ts"
import { findAccounts, keepAccount, type OrganizationRecord, type State } from "./State.ts"

/** Gives the permission of an invitation to its account, in the place that it has in the order of permissions. */
const movePermission = (owner: OrganizationRecord, invitation: AdministratorId, administratorId: AdministratorId) => {
  const invited = owner.permissions.get(invitation)
  if (invited === undefined) return
  const own = owner.permissions.get(administratorId)
  const permission = takeOver(invited, Option.fromUndefinedOr(own), administratorId)
  const moved = [...owner.permissions].flatMap(([holder, kept]) => {
    if (holder === administratorId) return [[holder, permission] as const]
    if (holder !== invitation) return [[holder, kept] as const]
    return own === undefined ? [[administratorId, permission] as const] : []
  })
  owner.permissions.clear()
  for (const [holder, kept] of moved) owner.permissions.set(holder, kept)
}

const takeInvitationOver = (state: State, invitation: AdministratorId, account: AdministratorAccount) => {
  state.accounts.delete(invitation)
  keepAccount(state, account)
  for (const owner of state.organizations.values()) movePermission(owner, invitation, account.administratorId)
}

export const makeAdministratorAccounts = (state: State): AdministratorAccounts["Service"] => ({
  register: (account) =>
    atomically(function* () {
      yield* requireNoAccount(account, findAccounts(state, account))
      keepAccount(state, account)
      return account
    }),

  recordSignIn: (account) =>
    Effect.sync(() => {
      const change = signIn(account, findAccounts(state, account))
      if (change._tag === "Kept") keepAccount(state, change.account)
      if (change._tag === "TakenOver") takeInvitationOver(state, change.invitation, change.account)
    }),

  credential: (name) =>
    Effect.sync(() => {
      const found = resolveAdministrator(name, findAccounts(state, name))
      if (Result.isFailure(found)) return Option.none()
      const passwordHash = state.passwords.get(found.success.administratorId)
      return passwordHash === undefined ? Option.none() : Option.some({ account: found.success, passwordHash })
    })
})
