/** Reads what the state in memory holds about a data subject, for the export of personal data. */
import {
  type AdministratorId,
  type DeletionDecision,
  type DeletionRequest,
  type Favorite,
  mergeStoredData,
  NOTHING_STORED,
  type OperatorId,
  type Opened,
  type OrgAuthServerId,
  type RetriedEntrance,
  type StartedMuster,
  type StoredData,
  type Timestamp,
  type UserId
} from "@sojourn/core"
import { entriesAboutPerson, entriesNaming } from "../audit/entries.ts"
import { everyStays, type MusterRecord, type OrganizationRecord, type State, withMail } from "../state/State.ts"

/** Every favorite of an organization, by user. */
export const favoritesOf = (state: State, organization: OrganizationRecord): ReadonlyArray<Favorite> =>
  [...state.favorites.values()].flatMap((own) => own.get(organization.data.id)?.favorite ?? [])

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

/** What is stored about a person of an organization. */
const collectPerson = (state: State, organization: OrganizationRecord, person: OrgAuthServerId): StoredData => {
  const every = everyStays(organization)
  const user = organization.userByPerson.get(person)
  return {
    ...NOTHING_STORED,
    accountLinks:
      user === undefined ? [] : [{ userId: user, organizationId: organization.data.id, orgAuthServerId: person }],
    favorites: favoritesOf(state, organization).filter(({ orgAuthServerId }) => orgAuthServerId === person),
    accesses: every.flatMap(({ closedByPerson }) => closedByPerson.get(person) ?? []),
    openStays: every.flatMap(({ openByPerson, recorded }) => {
      const inside = openByPerson.get(person)
      return inside === undefined ? [] : [{ ...inside, recordedAt: recorded.get(inside.id) ?? inside.entrance }]
    }),
    retriedEntrances: every.flatMap(({ retries }) =>
      [...retries.values()].flatMap(({ opened, usedAt }) =>
        opened.orgAuthServerId === person ? retriedEntrance(opened, person, usedAt) : []
      )
    ),
    musterEntries: [...organization.musters.values()].flatMap((record) => entryIn(record, person)),
    permissions: [...organization.permissions.values()]
      .filter(({ orgAuthServerId }) => orgAuthServerId === person)
      .map((permission) => withMail(state, permission)),
    auditEntries: entriesAboutPerson(state, organization.data.id, person)
  }
}

/** What is stored about people, each of an organization; what is a user's own beside it. */
export const collectPeople = (
  state: State,
  people: ReadonlyArray<readonly [OrganizationRecord, OrgAuthServerId]>,
  userId?: UserId
): StoredData => {
  const own = userId === undefined ? [] : [...(state.favorites.get(userId)?.values() ?? [])]
  const parts = people.map(([organization, person]) => {
    const data = collectPerson(state, organization, person)
    return { ...data, favorites: data.favorites.filter((favorite) => favorite.userId !== userId) }
  })
  const auditEntries = userId === undefined ? [] : entriesNaming(state, "user", userId)
  const favorites = own.map(({ favorite }) => favorite)
  return mergeStoredData([{ ...NOTHING_STORED, favorites, auditEntries }, ...parts])
}

/** What is stored about an administrator. */
export const collectAdministrator = (state: State, administratorId: AdministratorId): StoredData => {
  const account = state.accounts.get(administratorId)
  const organizations = [...state.organizations.values()]
  const permissions = organizations.flatMap((organization) => [...organization.permissions.values()])
  return mergeStoredData([
    {
      ...NOTHING_STORED,
      accounts: account === undefined ? [] : [{ ...account, hasPassword: state.passwords.has(administratorId) }],
      permissions: permissions
        .filter((permission) => permission.administratorId === administratorId)
        .map((permission) => withMail(state, permission)),
      nominations: permissions
        .filter((kept) => kept.nominatedBy === administratorId && kept.administratorId !== administratorId)
        .map(({ organizationId, level }) => ({ organizationId, level })),
      deletionRequests: [...state.deletionRequests.values()].filter(
        (request) => request.administratorId === administratorId
      ),
      startedMusters: organizations.flatMap(({ musters }) =>
        [...musters.values()].filter(({ muster }) => muster.startedBy === administratorId).map(startedMuster)
      ),
      sweptPlaces: organizations.flatMap(({ musters }) =>
        [...musters.values()].flatMap(({ muster: { id: musterId, organizationId, swept = [] } }) =>
          swept
            .filter(({ by }) => by === administratorId)
            .map(({ placeId, at }) => ({ musterId, organizationId, placeId, at }))
        )
      ),
      createdWebhooks: organizations
        .flatMap(({ webhooks }) => Array.from(webhooks.values(), ({ webhook }) => webhook))
        .filter(({ createdBy }) => createdBy === administratorId)
        .map(({ webhookId, organizationId, creationDate }) => ({ webhookId, organizationId, creationDate })),
      auditEntries: entriesNaming(state, "administrator", administratorId)
    }
  ])
}

const decisionOf = (request: DeletionRequest): ReadonlyArray<DeletionDecision> => {
  if (request.status === "pending") return []
  const { id, organizationId, status, decisionDate } = request
  return [{ id, organizationId, status, decisionDate }]
}

/** What is stored about an operator. */
export const collectOperator = (state: State, operatorId: OperatorId): StoredData => {
  const decided = [...state.deletionRequests.values()].filter(
    (request) => request.status !== "pending" && request.decidedBy === operatorId
  )
  return mergeStoredData([
    {
      ...NOTHING_STORED,
      deletionDecisions: decided.flatMap(decisionOf),
      auditEntries: entriesNaming(state, "operator", operatorId)
    }
  ])
}
