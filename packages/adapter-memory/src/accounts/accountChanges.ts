/** What becomes of administrators' accounts when a caller proves an id and a mail address, or an operator vouches for them. */
import { type AccountChange, type AdministratorAccount, type AdministratorId, takeOver } from "@sojourn/core"
import { Option } from "effect"
import { keepAccount, type OrganizationRecord, type State } from "../state/State.ts"

/** Gives the permission of an invitation to its account, in the place that it has in the order of permissions. */
const movePermission = (
  organization: OrganizationRecord,
  invitation: AdministratorId,
  administratorId: AdministratorId
) => {
  const invited = organization.permissions.get(invitation)
  if (invited === undefined) return
  const own = organization.permissions.get(administratorId)
  const permission = takeOver(invited, Option.fromUndefinedOr(own), administratorId)
  const moved = [...organization.permissions].flatMap(([holder, kept]) => {
    if (holder === administratorId) return [[holder, permission] as const]
    if (holder !== invitation) return [[holder, kept] as const]
    return own === undefined ? [[administratorId, permission] as const] : []
  })
  organization.permissions.clear()
  for (const [holder, kept] of moved) organization.permissions.set(holder, kept)
}

const takeInvitationOver = (state: State, invitation: AdministratorId, account: AdministratorAccount) => {
  state.accounts.delete(invitation)
  keepAccount(state, account)
  for (const organization of state.organizations.values())
    movePermission(organization, invitation, account.administratorId)
}

/** Does what was decided on accounts that are there. */
export const changeAccounts = (state: State, change: AccountChange): void => {
  if (change._tag === "TakenOver") takeInvitationOver(state, change.invitation, change.account)
  if (change._tag !== "Kept") return
  const displaced = change.displaced === undefined ? undefined : state.accounts.get(change.displaced)
  if (displaced !== undefined) keepAccount(state, { administratorId: displaced.administratorId })
  keepAccount(state, change.account)
}
