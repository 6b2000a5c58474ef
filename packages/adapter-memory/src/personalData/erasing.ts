/** Removes what the state in memory holds about a data subject; the counterpart of `collecting.ts`. */
import {
  type AdministratorId,
  addErased,
  ERASED,
  type Erased,
  type ErasureEntry,
  erasureEntry,
  lowersTotals,
  mailKey,
  NOTHING_ERASED,
  type OnlyOwner,
  type OperatorId,
  type OrganizationId,
  type OrgAuthServerId,
  type Permission,
  type Removal,
  requireOtherOwners,
  type Timestamp,
  addEntries,
  type UserId,
  withoutDecider,
  withoutMaker
} from "@sojourn/core"
import { Result } from "effect"
import { eraseEntries, isAboutPerson, names } from "../audit/entries.ts"
import { appendChange } from "../feed/feed.ts"
import { eraseFromMusters, eraseMentions } from "../musters/musters.ts"
import {
  endOpen,
  everyStays,
  forgetImport,
  type OrganizationRecord,
  type PremisesStays,
  type State
} from "../state/State.ts"
import { disableWebhooksOf } from "../webhooks/WebhookStore.ts"

type Kept = Omit<Permission, "mail">

/** Removes a person's retries; answers how many there were. */
const eraseRetries = (stays: PremisesStays, person: OrgAuthServerId): number => {
  const keys = [...stays.retries].filter(([, { opened }]) => opened.orgAuthServerId === person).map(([key]) => key)
  for (const key of keys) stays.retries.delete(key)
  return keys.length
}

/** Removes a person's stays of some premises; answers how many were open, and how long each closed one was. */
const eraseStays = (
  state: State,
  { importKeys }: OrganizationRecord,
  stays: PremisesStays,
  person: OrgAuthServerId,
  now: Timestamp
) => {
  const open = stays.openByPerson.get(person)
  const closed = stays.closedByPerson.get(person) ?? []
  if (open !== undefined) {
    endOpen(stays, open)
    appendChange(state, stays, { left: 1, at: now })
  }
  for (const { id } of closed) {
    stays.closed.delete(id)
    forgetImport(importKeys, stays, id)
  }
  stays.closedByPerson.delete(person)
  return { openStays: open === undefined ? 0 : 1, times: closed.map(({ entrance, exit }) => exit - entrance) }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const enter = (organization: OrganizationRecord, entry: ErasureEntry): void => {
  const earlier = organization.erasures.get(entry.day)
  organization.erasures.set(entry.day, earlier === undefined ? entry : addEntries(earlier, entry))
}

/** Removes everything of a person of an organization, and enters what its totals lost. */
export const erasePerson = (
  state: State,
  organizationId: OrganizationId,
  person: OrgAuthServerId,
  now: Timestamp
): Erased => {
  const organization = state.organizations.get(organizationId)
  // The audit outlives the organization.
  const audited = eraseEntries(state, isAboutPerson(organizationId, person))
  if (organization === undefined) return { ...NOTHING_ERASED, mentions: audited }
  const premises = everyStays(organization)
  const retriedEntrances = sum(premises.map((stays) => eraseRetries(stays, person)))
  const [whole, ...places] = premises.map((stays) => eraseStays(state, organization, stays, person, now))
  const all = [whole!, ...places]
  const removal: Removal = {
    accesses: sum(all.map(({ times }) => times.length)),
    openStays: sum(all.map(({ openStays }) => openStays)),
    inPlaces: places.map(({ times }) => sum(times))
  }
  if (lowersTotals(removal)) enter(organization, erasureEntry(organization.data.id, now, removal))

  const musterEntries = eraseFromMusters(state, organization, person, now)
  const user = organization.userByPerson.get(person)
  organization.userByPerson.delete(person)
  if (user !== undefined) organization.personByUser.delete(user)

  let mentions = audited
  for (const own of state.favorites.values()) {
    const record = own.get(organization.data.id)
    if (record?.favorite.orgAuthServerId !== person) continue
    own.set(organization.data.id, { ...record, favorite: { ...record.favorite, orgAuthServerId: undefined } })
    mentions++
  }
  for (const [holder, permission] of organization.permissions) {
    if (permission.orgAuthServerId !== person) continue
    organization.permissions.set(holder, { ...permission, orgAuthServerId: undefined })
    mentions++
  }
  const { accesses, openStays } = removal
  const accountLinks = user === undefined ? 0 : 1
  return { ...NOTHING_ERASED, accountLinks, accesses, openStays, retriedEntrances, musterEntries, mentions }
}

/** Removes everything of a user, and of the people that the user is linked to. */
export const eraseUser = (state: State, userId: UserId, now: Timestamp): Erased => {
  // First of all, so that none of them counts as a favorite of another user that names a person.
  const favorites = state.favorites.get(userId)?.size ?? 0
  state.favorites.delete(userId)
  let erased: Erased = { ...NOTHING_ERASED, favorites, mentions: eraseEntries(state, names("user", userId)) }
  for (const organization of state.organizations.values()) {
    const person = organization.personByUser.get(userId)
    if (person !== undefined) erased = addErased(erased, erasePerson(state, organization.data.id, person, now))
  }
  return erased
}

const withoutNominator = (permission: Kept): Kept => ({ ...permission, nominatedBy: ERASED as AdministratorId })

/** Takes an administrator's name out of the webhooks that they created; answers how many there were. */
const eraseCreator = ({ webhooks }: OrganizationRecord, administratorId: AdministratorId): number => {
  const created = [...webhooks.values()].filter(({ webhook }) => webhook.createdBy === administratorId)
  for (const record of created) record.webhook = { ...record.webhook, createdBy: ERASED as AdministratorId }
  return created.length
}

/** Removes everything of an administrator, unless an organization would be left without an owner. */
export const eraseAdministrator = (
  state: State,
  administratorId: AdministratorId,
  now: Timestamp
): Result.Result<Erased, OnlyOwner> => {
  const owners = [...state.organizations.values()].filter(({ permissions }) => permissions.has(administratorId))
  const mayGo = requireOtherOwners(
    administratorId,
    owners.map(({ permissions }) => [...permissions.values()])
  )
  if (Result.isFailure(mayGo)) return Result.fail(mayGo.failure)
  for (const organization of owners) {
    if (organization.permissions.get(administratorId)?.level === "owner")
      disableWebhooksOf(organization, administratorId, now)
    organization.permissions.delete(administratorId)
  }

  let mentions = 0
  for (const organization of state.organizations.values()) {
    mentions += eraseMentions(organization, administratorId) + eraseCreator(organization, administratorId)
    const { permissions } = organization
    for (const [holder, permission] of permissions) {
      if (permission.nominatedBy !== administratorId) continue
      permissions.set(holder, withoutNominator(permission))
      mentions++
    }
  }
  for (const [id, request] of state.deletionRequests) {
    if (request.administratorId !== administratorId) continue
    state.deletionRequests.set(id, withoutMaker(request))
    mentions++
  }
  const account = state.accounts.get(administratorId)
  if (account?.mail !== undefined) state.accountByMail.delete(mailKey(account.mail))
  state.accounts.delete(administratorId)
  state.passwords.delete(administratorId)
  mentions += eraseEntries(state, names("administrator", administratorId))
  const accounts = account === undefined ? 0 : 1
  return Result.succeed({ ...NOTHING_ERASED, accounts, permissions: owners.length, mentions })
}

/** Takes an operator's name out of what they decided. */
export const eraseOperator = (state: State, operatorId: OperatorId): Erased => {
  let mentions = 0
  for (const [id, request] of state.deletionRequests) {
    if (request.status === "pending" || request.decidedBy !== operatorId) continue
    state.deletionRequests.set(id, withoutDecider(request))
    mentions++
  }
  mentions += eraseEntries(state, names("operator", operatorId))
  return { ...NOTHING_ERASED, mentions }
}
