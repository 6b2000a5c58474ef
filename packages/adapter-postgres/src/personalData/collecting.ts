/** Reads what the database stores about a data subject, for the export of personal data. */
import {
  type AdministratorId,
  type ClosedStay,
  type DeletionDecision,
  entryForSubject,
  type Favorite,
  mergeStoredData,
  type MusterId,
  type Nomination,
  NOTHING_STORED,
  type OperatorId,
  type OrganizationId,
  type OrgAuthServerId,
  type PlaceId,
  type PermissionLevel,
  type RecordedStay,
  type RetriedEntrance,
  type StayId,
  type StoredData,
  type StoredMusterEntry,
  type UserId,
  type WebhookId
} from "@sojourn/core"
import { Effect } from "effect"
import { ENTRIES_NAMING, ENTRIES_OF_PERSON as AUDITED_PERSON } from "../database/audit.sql.ts"
import { type AuditRow, entryOfRow } from "../database/auditEntries.ts"
import type { Database } from "../database/Database.ts"
import { type DeletionRequestRow, requestOf } from "../organizations/deletionRequests.ts"
import { entryOf, type EntryRow, musterOf, type MusterRow } from "../musters/musters.ts"
import { ENTRIES_OF_PERSON, STARTED_MUSTERS, SWEPT_PLACES } from "../musters/musters.sql.ts"
import { timestampOf } from "../database/rows.ts"
import { accountOf, type AccountRow } from "../accounts/accounts.ts"
import { PERMISSIONS, permissionOf, type PermissionRow } from "../accounts/permissions.ts"
import * as sql from "./personalData.sql.ts"
import { premisesOf } from "../database/PremisesDirectory.ts"

interface FavoriteRow {
  readonly organization_id: OrganizationId
  readonly user_id: UserId
  readonly org_auth_server_id: OrgAuthServerId | null
  readonly creation_date: Date
}

interface StayRow {
  readonly organization_id: OrganizationId
  readonly place_id: bigint
  readonly id: StayId
  readonly entered_at: Date
}

interface StoredAccountRow extends AccountRow {
  readonly has_password: boolean
}

const favoriteOf = (row: FavoriteRow): Favorite => ({
  userId: row.user_id,
  organizationId: row.organization_id,
  orgAuthServerId: row.org_auth_server_id ?? undefined,
  creationDate: timestampOf(row.creation_date)
})

const whereOf = ({ organization_id: organizationId, place_id: placeId }: Omit<StayRow, "id">) => ({
  organizationId,
  premises: premisesOf({ organizationId, placeId })
})

/** The closed stays of a person, in `ClosedStayOrder`. */
const collectHistory = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  orgAuthServerId: OrgAuthServerId
) {
  yield* db.run(sql.OPEN_HISTORY, [organizationId, orgAuthServerId])
  const stays: Array<ClosedStay> = []
  let rows: ReadonlyArray<StayRow & { readonly exited_at: Date }>
  do {
    rows = yield* db.run<(typeof rows)[number]>(sql.READ_HISTORY, [])
    for (const row of rows) {
      stays.push({
        _tag: "ClosedStay",
        id: row.id,
        ...whereOf(row),
        orgAuthServerId,
        entrance: timestampOf(row.entered_at),
        exit: timestampOf(row.exited_at)
      })
    }
  } while (rows.length === sql.PORTION_ROWS)
  yield* db.run(sql.CLOSE_HISTORY, [])
  return stays
})

/** Reads the data of a person of an organization. */
const collectPerson = Effect.fnUntraced(function* (
  db: Database,
  organizationId: OrganizationId,
  person: OrgAuthServerId
) {
  const key = [organizationId, person]
  const named = { orgAuthServerId: person }
  const links = yield* db.run<{ readonly user_id: UserId }>(sql.LINKS_OF_PERSON, key)
  const open = yield* db.run<StayRow & { readonly key_id: number; readonly recorded_at: Date }>(sql.OPEN_STAYS, key)
  const accesses = yield* collectHistory(db, organizationId, person)
  const retried = yield* db.run<StayRow & { readonly used_at: Date }>(sql.RETRIED, key)
  const musters = yield* db.run<EntryRow & { readonly muster_id: MusterId }>(ENTRIES_OF_PERSON, key)
  const favorites = yield* db.run<FavoriteRow>(sql.FAVORITES_OF_PERSON, key)
  const audited = yield* db.run<AuditRow>(AUDITED_PERSON, key)
  const permissions = yield* db.run<PermissionRow>(
    `${PERMISSIONS} where p.organization_id = $1::bigint and p.org_auth_server_id = $2::text order by p.granted`,
    key
  )
  return {
    ...NOTHING_STORED,
    accountLinks: links.map(({ user_id: userId }) => ({ userId, organizationId, ...named })),
    favorites: favorites.map(favoriteOf),
    accesses,
    openStays: open.map((row): RecordedStay => ({
      _tag: "OpenStay",
      id: row.id,
      ...whereOf(row),
      ...named,
      keyId: row.key_id,
      entrance: timestampOf(row.entered_at),
      recordedAt: timestampOf(row.recorded_at)
    })),
    retriedEntrances: retried.map((row): RetriedEntrance => ({
      ...whereOf(row),
      ...named,
      entrance: timestampOf(row.entered_at),
      usedAt: timestampOf(row.used_at)
    })),
    musterEntries: musters.map((row): StoredMusterEntry => ({
      ...entryOf(row, person),
      musterId: row.muster_id,
      organizationId
    })),
    permissions: permissions.map(permissionOf),
    auditEntries: audited.map(entryOfRow)
  } satisfies StoredData
})

export const collectOne = (db: Database, organizationId: OrganizationId, person: OrgAuthServerId) =>
  Effect.map(collectPerson(db, organizationId, person), (data) => mergeStoredData([data]))

/** Reads the data of a user, and of the people that the user is linked to. */
export const collectUser = Effect.fnUntraced(function* (db: Database, userId: UserId) {
  const own = yield* db.run<FavoriteRow>(sql.FAVORITES_OF_USER, [userId])
  const linked = yield* db.run<{
    readonly organization_id: OrganizationId
    readonly org_auth_server_id: OrgAuthServerId
  }>(sql.LINKS_OF_USER, [userId])
  const audited = yield* db.run<AuditRow>(ENTRIES_NAMING, ["user", userId])
  const parts: Array<StoredData> = [
    { ...NOTHING_STORED, favorites: own.map(favoriteOf), auditEntries: audited.map(entryOfRow) }
  ]
  for (const { organization_id, org_auth_server_id } of linked) {
    const person = yield* collectPerson(db, organization_id, org_auth_server_id)
    parts.push({ ...person, favorites: person.favorites.filter((favorite) => favorite.userId !== userId) })
  }
  return mergeStoredData(parts)
})

/** Reads the data of an administrator. */
export const collectAdministrator = Effect.fnUntraced(function* (db: Database, administratorId: AdministratorId) {
  const accounts = yield* db.run<StoredAccountRow>(sql.ACCOUNT, [administratorId])
  const permissions = yield* db.run<PermissionRow>(
    `${PERMISSIONS} where p.administrator_id = $1::text order by p.organization_id`,
    [administratorId]
  )
  const nominations = yield* db.run<{ readonly organization_id: OrganizationId; readonly level: PermissionLevel }>(
    sql.NOMINATIONS,
    [administratorId]
  )
  const requests = yield* db.run<DeletionRequestRow>(
    "select * from deletion_request where administrator_id = $1::text order by id",
    [administratorId]
  )
  const started = yield* db.run<MusterRow>(STARTED_MUSTERS, [administratorId])
  const swept = yield* db.run<{
    readonly organization_id: OrganizationId
    readonly id: MusterId
    readonly place_id: PlaceId
    readonly at: Date
  }>(SWEPT_PLACES, [administratorId])
  const webhooks = yield* db.run<{
    readonly id: WebhookId
    readonly organization_id: OrganizationId
    readonly creation_date: Date
  }>(sql.CREATED_WEBHOOKS, [administratorId])
  const audited = yield* db.run<AuditRow>(ENTRIES_NAMING, ["administrator", administratorId])
  return {
    ...NOTHING_STORED,
    accounts: accounts.map((row) => ({ ...accountOf(row), hasPassword: row.has_password })),
    permissions: permissions.map(permissionOf),
    nominations: nominations.map((row): Nomination => ({ organizationId: row.organization_id, level: row.level })),
    deletionRequests: requests.map(requestOf),
    startedMusters: started.map(musterOf).map(({ id, organizationId, kind, note, startedAt }) => ({
      id,
      organizationId,
      kind,
      note,
      startedAt
    })),
    sweptPlaces: swept.map((row) => ({
      musterId: row.id,
      organizationId: row.organization_id,
      placeId: row.place_id,
      at: timestampOf(row.at)
    })),
    createdWebhooks: webhooks.map((row) => ({
      webhookId: row.id,
      organizationId: row.organization_id,
      creationDate: timestampOf(row.creation_date)
    })),
    auditEntries: audited.map(entryOfRow).map(entryForSubject({ kind: "administrator", id: administratorId }))
  } satisfies StoredData
})

/** Reads the data of an operator. */
export const collectOperator = Effect.fnUntraced(function* (db: Database, operatorId: OperatorId) {
  const rows = yield* db.run<DeletionRequestRow>(
    "select * from deletion_request where decided_by = $1::text order by id",
    [operatorId]
  )
  const audited = yield* db.run<AuditRow>(ENTRIES_NAMING, ["operator", operatorId])
  return {
    ...NOTHING_STORED,
    deletionDecisions: rows.map(requestOf).flatMap((request): ReadonlyArray<DeletionDecision> => {
      if (request.status === "pending") return []
      const { id, organizationId, status, decisionDate } = request
      return [{ id, organizationId, status, decisionDate }]
    }),
    auditEntries: audited.map(entryOfRow).map(entryForSubject({ kind: "operator", id: operatorId }))
  } satisfies StoredData
})
