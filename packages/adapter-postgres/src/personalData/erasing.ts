/** Erases data subjects, each in one transaction. */
import {
  type AdministratorId,
  addErased,
  ERASED,
  type Erased,
  erasureEntry,
  lowersTotals,
  type MusterId,
  NOTHING_ERASED,
  type OperatorId,
  type OrganizationId,
  type OrgAuthServerId,
  requireOtherOwners,
  type Timestamp,
  type UserId
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import { ERASE_NAMED, ERASE_PERSON as ERASE_AUDITED_PERSON } from "../database/audit.sql.ts"
import { type Database, missesReference, WriteConflict } from "../database/Database.ts"
import { liftStatementTimeout, lockOrganization, stopMovements } from "../database/locks.ts"
import { publishEvents } from "../feed/publishEvents.ts"
import { CLEAR_MENTIONS, ERASE_ENTRIES } from "../musters/musters.sql.ts"
import { PERMISSIONS, permissionOf, type PermissionRow } from "../accounts/permissions.ts"
import * as sql from "./personalData.sql.ts"
import { disableWebhooksOf } from "../webhooks/webhooks.ts"

interface LinkedPerson {
  readonly organization_id: OrganizationId
  readonly org_auth_server_id: OrgAuthServerId
}

interface HistoryRow {
  readonly place_id: bigint
  readonly accesses: bigint
  readonly milliseconds: bigint
}

const keyOf = ({ organization_id: organizationId, org_auth_server_id: person }: LinkedPerson) => [
  organizationId,
  person
]

/** The number of rows that a statement changed; it returns each. */
const count = (db: Database, statement: string, parameters: ReadonlyArray<unknown>) =>
  Effect.map(db.run(statement, parameters), (rows) => rows.length)

/** Erases the rest of a person while movements are stopped, and adds the entry of the ledger. */
const eraseRest = Effect.fnUntraced(function* (
  db: Database,
  person: LinkedPerson,
  history: ReadonlyArray<HistoryRow>,
  now: Timestamp
) {
  const key = keyOf(person)
  const accountLinks = yield* count(db, sql.ERASE_LINK_OF_PERSON, key)
  const openStays = yield* count(db, sql.ERASE_OPEN, [...key, PgTypes.timestamptz(now)])
  const retriedEntrances = yield* count(db, sql.ERASE_RETRIED, key)
  const entries = yield* db.run<{ readonly muster_id: MusterId; readonly is_open: boolean }>(ERASE_ENTRIES, key)
  const audited = yield* count(db, ERASE_AUDITED_PERSON, [...key, ERASED])
  const mentions =
    audited + (yield* count(db, sql.CLEAR_FAVORITES, key)) + (yield* count(db, sql.CLEAR_PERMISSIONS, key))
  // Exits may have added stays to the history since it was erased.
  const places = new Map<bigint, number>()
  let accesses = 0
  for (const row of [...history, ...(yield* db.run<HistoryRow>(sql.ERASE_HISTORY, key))]) {
    accesses += Number(row.accesses)
    places.set(row.place_id, (places.get(row.place_id) ?? 0) + Number(row.milliseconds))
  }
  places.delete(0n)
  const removal = { accesses, openStays, inPlaces: [...places.values()] }
  if (lowersTotals(removal)) {
    const entry = erasureEntry(person.organization_id, now, removal)
    const sums = [entry.people, entry.accesses, entry.openStays, entry.totalTime].map(BigInt)
    yield* db.run(sql.ENTER, [entry.organizationId, entry.day, ...sums])
  }
  yield* publishEvents(
    db,
    person.organization_id,
    entries
      .filter((entry) => entry.is_open)
      .map(({ muster_id: musterId }) => ({ _tag: "MusterChanged", musterId, state: "updated" }))
  )
  const musterEntries = entries.length
  return { ...NOTHING_ERASED, accountLinks, accesses, openStays, retriedEntrances, musterEntries, mentions }
})

/**
 * Erases people. The caller has locked their organizations: their places do not change, and locks are taken in one order. The
 * long part runs first, while movements go on; movements wait for the rest, which is short.
 */
const erasePeople = Effect.fnUntraced(function* <E>(
  db: Database,
  people: ReadonlyArray<LinkedPerson>,
  now: Timestamp,
  whenStill: Effect.Effect<Erased, E>
) {
  yield* liftStatementTimeout(db)
  const histories: Array<ReadonlyArray<HistoryRow>> = []
  for (const person of people) histories.push(yield* db.run<HistoryRow>(sql.ERASE_HISTORY, keyOf(person)))
  if (people.length > 0) yield* stopMovements(db)
  let erased = yield* whenStill
  for (const [i, person] of people.entries()) {
    erased = addErased(erased, yield* eraseRest(db, person, histories[i]!, now))
  }
  return erased
})

/** Removes everything of a person of an organization, in a transaction. */
export const erasePerson = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  person: OrgAuthServerId,
  now: Timestamp
) {
  const linked = { organization_id: organizationId, org_auth_server_id: person }
  const isThere = (yield* lockOrganization(db, organizationId)) !== undefined
  if (isThere) return yield* erasePeople(db, [linked], now, Effect.succeed(NOTHING_ERASED))
  // The audit outlives the organization.
  return { ...NOTHING_ERASED, mentions: yield* count(db, ERASE_AUDITED_PERSON, [...keyOf(linked), ERASED]) }
})

/** Removes everything of a user and of the people that the user is linked to, in a transaction. */
export const eraseUser = Effect.fnUntraced(function* (db: Database, userId: UserId, now: Timestamp) {
  const linked = yield* db.run<LinkedPerson>(sql.LINKS_OF_USER, [userId])
  for (const { organization_id } of linked) yield* lockOrganization(db, organization_id)
  const own = Effect.gen(function* () {
    const links = yield* db.run<LinkedPerson>(sql.ERASE_LINKS_OF_USER, [userId])
    // After the links, as adding a favorite locks its link; and before the people, so that none of these favorites counts as
    // a mention in a favorite of another user.
    const favorites = yield* count(db, sql.ERASE_FAVORITES, [userId])
    const isKnown = (link: LinkedPerson) =>
      linked.some(
        (known) =>
          known.organization_id === link.organization_id && known.org_auth_server_id === link.org_auth_server_id
      )
    // Linked, unlinked, or linked to another person by a concurrent transaction: other people and organizations are concerned.
    if (links.length !== linked.length || !links.every(isKnown)) return yield* new WriteConflict()
    const mentions = yield* count(db, ERASE_NAMED, ["user", userId, ERASED])
    return { ...NOTHING_ERASED, favorites, accountLinks: links.length, mentions }
  })
  return yield* erasePeople(db, linked, now, own)
})

/** Removes everything of an administrator, unless an organization would be left without an owner, in a transaction. */
export const eraseAdministrator = Effect.fnUntraced(function* (
  db: Database,
  administratorId: AdministratorId,
  mailKey: string | null,
  now: Timestamp
) {
  const found = yield* db.run<{ readonly organization_id: OrganizationId; readonly is_bound: boolean }>(
    sql.ORGANIZATIONS_OF_ADMINISTRATOR,
    [administratorId]
  )
  const organizations = []
  for (const { organization_id: organizationId, is_bound: isBound } of found) {
    yield* lockOrganization(db, organizationId)
    if (!isBound) continue
    const rows = yield* db.run<PermissionRow>(`${PERMISSIONS} where p.organization_id = $1::bigint`, [organizationId])
    organizations.push(rows.map(permissionOf))
  }
  yield* Effect.fromResult(requireOtherOwners(administratorId, organizations))
  const owned = organizations
    .flat()
    .filter((permission) => permission.administratorId === administratorId && permission.level === "owner")
    .map(({ organizationId }) => organizationId)
  yield* disableWebhooksOf(db, administratorId, owned, now)
  const permissions = yield* count(db, sql.ERASE_PERMISSIONS, [administratorId])
  const nominations = yield* count(db, sql.CLEAR_NOMINATIONS, [administratorId, ERASED])
  const requests = yield* count(db, sql.CLEAR_REQUESTS, [administratorId, ERASED])
  const musters = yield* count(db, CLEAR_MENTIONS, [administratorId, ERASED])
  const webhooks = yield* count(db, sql.CLEAR_CREATOR, [administratorId, ERASED])
  const audited = yield* count(db, ERASE_NAMED, ["administrator", administratorId, ERASED])
  const accounts = yield* count(db, sql.ERASE_ACCOUNT, [administratorId, mailKey]).pipe(
    // A concurrent transaction granted a permission in another organization.
    Effect.catchIf(missesReference, () => Effect.fail(new WriteConflict()))
  )
  // A concurrent transaction gave the address to another account.
  if (mailKey !== null && accounts === 0) return yield* new WriteConflict()
  return { ...NOTHING_ERASED, accounts, permissions, mentions: nominations + requests + musters + webhooks + audited }
})

/** Removes the name of an operator from their decisions, in a transaction. */
export const eraseOperator = Effect.fnUntraced(function* (db: Database, operatorId: OperatorId) {
  const decisions = yield* count(db, sql.CLEAR_DECISIONS, [operatorId, ERASED])
  const audited = yield* count(db, ERASE_NAMED, ["operator", operatorId, ERASED])
  return { ...NOTHING_ERASED, mentions: decisions + audited }
})
