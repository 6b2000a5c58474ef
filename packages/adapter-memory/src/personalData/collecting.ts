/** Reads what the state in memory holds about a data subject, for the export of personal data. */
import {
  type AdministratorId,
  type ClosedStay,
  ClosedStayOrder,
  type DeletionDecision,
  type DeletionRequest,
  type Favorite,
  NOTHING_STORED,
  type OperatorId,
  type Opened,
  type OrgAuthServerId,
  type RecordedStay,
  type RetriedEntrance,
  type StartedMuster,
  type StoredData,
  type StoredMusterEntry,
  type Timestamp,
  type UserId
} from "@sojourn/core"
import * as Order from "effect/Order"
import { everyStays, type MusterRecord, type OrganizationRecord, type State, withMail } from "../state/State.ts"

/** Every favorite of an organization, by user. */
export const favoritesOf = (state: State, organization: OrganizationRecord): ReadonlyArray<Favorite> =>
  [...state.favorites.values()].flatMap((own) => own.get(organization.data.id)?.favorite ?? [])

const byOrganization = <Item extends { readonly organizationId: bigint }>(items: ReadonlyArray<Item>) =>
  [...items].sort((one, other) => Number(one.organizationId - other.organizationId))

const byId = <Item extends { readonly id: bigint }>(items: ReadonlyArray<Item>) =>
  [...items].sort((one, other) => Number(one.id - other.id))

const retriedEntrance = (opened: Opened, person: OrgAuthServerId, usedAt: Timestamp): RetriedEntrance => ({
  organizationId: opened.organizationId,
  premises: opened.premises,
  orgAuthServerId: person,
  entrance: opened.entrance,
  usedAt
})

/** What a muster keeps of a person. */
const entryIn = ({ muster, entries, ended }: MusterRecord, person: OrgAuthServerId) => {
  const kept = ended?.people.find(({ orgAuthServerId }) => orgAuthServerId === person) ?? entries.get(person)
  return kept === undefined ? [] : [{ ...kept, musterId: muster.id, organizationId: muster.organizationId }]
}

const startedMuster = ({ muster: { id, organizationId, kind, note, startedAt } }: MusterRecord): StartedMuster => ({
  id,
  organizationId,
  kind,
  note,
  startedAt
})

/** What is stored about people, each of an organization; what is a user's own beside it. */
export const collectPeople = (
  state: State,
  people: ReadonlyArray<readonly [OrganizationRecord, OrgAuthServerId]>,
  userId?: UserId
): StoredData => {
  const closed: Array<ClosedStay> = []
  const open: Array<RecordedStay> = []
  const retried: Array<RetriedEntrance> = []
  const musterEntries: Array<StoredMusterEntry> = []
  const favorites = new Set(
    userId === undefined ? [] : [...(state.favorites.get(userId)?.values() ?? [])].map(({ favorite }) => favorite)
  )
  for (const [organization, person] of people) {
    for (const stays of everyStays(organization)) {
      for (const stay of stays.closedByPerson.get(person) ?? []) closed.push(stay)
      const inside = stays.openByPerson.get(person)
      if (inside !== undefined) open.push({ ...inside, recordedAt: stays.recorded.get(inside.id) ?? inside.entrance })
      for (const { opened, usedAt } of stays.retries.values()) {
        if (opened.orgAuthServerId === person) retried.push(retriedEntrance(opened, person, usedAt))
      }
    }
    for (const record of organization.musters.values()) musterEntries.push(...entryIn(record, person))
    for (const favorite of favoritesOf(state, organization))
      if (favorite.orgAuthServerId === person) favorites.add(favorite)
  }
  return {
    ...NOTHING_STORED,
    accountLinks: byOrganization(
      people.flatMap(([organization, orgAuthServerId]) => {
        const user = organization.userByPerson.get(orgAuthServerId)
        return user === undefined ? [] : [{ userId: user, organizationId: organization.data.id, orgAuthServerId }]
      })
    ),
    favorites: byOrganization([...favorites].sort((one, other) => Order.String(one.userId, other.userId))),
    accesses: closed.sort(ClosedStayOrder),
    openStays: byId(open),
    retriedEntrances: retried.sort((one, other) => one.entrance - other.entrance),
    musterEntries: musterEntries.sort((one, other) => Number(one.musterId - other.musterId)),
    permissions: byOrganization(
      people.flatMap(([organization, person]) =>
        [...organization.permissions.values()].filter(({ orgAuthServerId }) => orgAuthServerId === person)
      )
    ).map((permission) => withMail(state, permission))
  }
}

/** What is stored about an administrator. */
export const collectAdministrator = (state: State, administratorId: AdministratorId): StoredData => {
  const account = state.accounts.get(administratorId)
  const permissions = byOrganization(
    [...state.organizations.values()].flatMap((organization) => [...organization.permissions.values()])
  )
  return {
    ...NOTHING_STORED,
    accounts: account === undefined ? [] : [{ ...account, hasPassword: state.passwords.has(administratorId) }],
    permissions: permissions
      .filter((permission) => permission.administratorId === administratorId)
      .map((permission) => withMail(state, permission)),
    nominations: permissions
      .filter((kept) => kept.nominatedBy === administratorId && kept.administratorId !== administratorId)
      .map(({ organizationId, level }) => ({ organizationId, level })),
    deletionRequests: byId(
      [...state.deletionRequests.values()].filter((request) => request.administratorId === administratorId)
    ),
    startedMusters: byId(
      [...state.organizations.values()].flatMap(({ musters }) =>
        [...musters.values()].filter(({ muster }) => muster.startedBy === administratorId).map(startedMuster)
      )
    ),
    createdWebhooks: [...state.organizations.values()]
      .flatMap(({ webhooks }) => Array.from(webhooks.values(), ({ webhook }) => webhook))
      .filter(({ createdBy }) => createdBy === administratorId)
      .sort((one, other) => Number(one.webhookId - other.webhookId))
      .map(({ webhookId, organizationId, creationDate }) => ({ webhookId, organizationId, creationDate }))
  }
}

const decisionOf = (request: DeletionRequest): ReadonlyArray<DeletionDecision> => {
  if (request.status === "pending") return []
  const { id, organizationId, status, decisionDate } = request
  return [{ id, organizationId, status, decisionDate }]
}

/** What is stored about an operator. */
export const collectOperator = (state: State, operatorId: OperatorId): StoredData => ({
  ...NOTHING_STORED,
  deletionDecisions: byId([...state.deletionRequests.values()])
    .filter((request) => request.status !== "pending" && request.decidedBy === operatorId)
    .flatMap(decisionOf)
})
