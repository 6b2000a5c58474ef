import {
  type AuthenticationServerUrl,
  keptTrackingArea,
  type NewOrganization,
  type Organization,
  type OrganizationId,
  parseAuthenticationServerUrl,
  type Timestamp,
  type TrackingMode
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import { type Database, isLockTimeout } from "./Database.ts"

/** An organization as its table holds it. */
export interface OrganizationRow {
  readonly id: OrganizationId
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly street: string | null
  readonly number: string | null
  readonly post_code: string | number | null
  readonly city: string | null
  readonly country: string | null
  readonly authentication_server: string | null
  readonly tracking_area: string
  readonly tracking_mode: TrackingMode
  readonly max_area: number | null
  readonly creation_date: Date
  readonly last_change_date: Date
}

/** The columns that a request may set, in the order of {@link organizationValues}. */
export const ORGANIZATION_COLUMNS = [
  ["name", "text"],
  ["description", "text"],
  ["image", "text"],
  ["street", "text"],
  ["number", "text"],
  ["post_code", "jsonb"],
  ["city", "text"],
  ["country", "text"],
  ["authentication_server", "text"],
  ["tracking_area", "text"],
  ["tracking_mode", "text"],
  ["max_area", "double precision"],
  ["last_change_date", "timestamptz"]
] as const

/** The values of {@link ORGANIZATION_COLUMNS}. */
export const organizationValues = (
  organization: NewOrganization,
  lastChangeDate: Timestamp
): ReadonlyArray<unknown> => [
  organization.name,
  organization.description ?? null,
  organization.image ?? null,
  organization.street ?? null,
  organization.number ?? null,
  // As JSON, which tells the text "35100" from the integer.
  organization.postCode === undefined ? null : JSON.stringify(organization.postCode),
  organization.city ?? null,
  organization.country ?? null,
  organization.authenticationServer?.text ?? null,
  organization.trackingArea.text,
  organization.trackingMode,
  organization.maxArea ?? null,
  PgTypes.timestamptz(lastChangeDate)
]

/** What was allowed when it was written down: whether it still is, is asked when it is used. */
const keptServer = (text: string): AuthenticationServerUrl => Result.getOrThrow(parseAuthenticationServerUrl(text))

export const organizationOf = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  description: row.description ?? undefined,
  image: row.image ?? undefined,
  street: row.street ?? undefined,
  number: row.number ?? undefined,
  postCode: row.post_code ?? undefined,
  city: row.city ?? undefined,
  country: row.country ?? undefined,
  authenticationServer: row.authentication_server === null ? undefined : keptServer(row.authentication_server),
  trackingArea: keptTrackingArea(row.tracking_area),
  trackingMode: row.tracking_mode,
  maxArea: row.max_area ?? undefined,
  creationDate: row.creation_date.getTime() as Timestamp,
  lastChangeDate: row.last_change_date.getTime() as Timestamp
})

/**
 * Changes of one organization's area, places and permissions follow each other on this row: whoever holds it reads what
 * they decide on after it was granted. A movement waits for nobody who holds it.
 */
const LOCK = "select * from organization where id = $1::bigint for no key update"

/** The organization, locked until the transaction ends; nothing where there is none, or it was deleted while waiting. */
export const lockOrganization = (db: Database, organizationId: OrganizationId) =>
  Effect.map(db.run<OrganizationRow>(LOCK, [organizationId]), ([row]) => row)

const HOLD = "select * from organization where id = $1::bigint for key share"

/** The organization, which is not deleted until the transaction ends; nothing where there is none. */
export const holdOrganization = (db: Database, organizationId: OrganizationId) =>
  Effect.map(db.run<OrganizationRow>(HOLD, [organizationId]), ([row]) => row)

/** A history may be long: the bound on statements does not hold for this transaction's. */
export const takeYourTime = (db: Database) => db.run("set local statement_timeout = 0", [])

/**
 * Waits until no movement is being written and keeps new ones waiting, until the transaction ends. Whatever a movement is
 * decided on can then be changed without one that knows nothing of it coming after. Movements take no lock on these facts
 * themselves, which would cost each of them a write; so who changes them takes this, last of all and for a moment.
 */
export const stopMovements = (db: Database): Effect.Effect<void, SqlError> => tryToStop(db, STOPPING)

/**
 * How long each attempt to stop movements may wait, in milliseconds. A vacuum of the table is in the way for as long as it runs, and
 * movements that come after the attempt wait with it: so they go on after a short one. The last outlives `deadlock_timeout`
 * (a second), after which PostgreSQL ends a vacuum of its own accord that others wait for.
 */
const STOPPING: ReadonlyArray<number> = [100, 200, 400, 1_500]

/** How long movements go on before the next attempt. */
const BETWEEN = "200 millis"

const tryToStop = (db: Database, [wait, ...others]: ReadonlyArray<number>): Effect.Effect<void, SqlError> =>
  db
    .transaction(
      Effect.andThen(
        db.run(`set local lock_timeout = ${wait}`, []),
        db.run("lock table open_stay in share row exclusive mode", [])
      )
    )
    .pipe(
      Effect.andThen(db.run("set local lock_timeout to default", [])),
      Effect.asVoid,
      Effect.catchIf(
        (error) => others.length > 0 && isLockTimeout(error),
        () => Effect.delay(tryToStop(db, others), BETWEEN)
      )
    )
