/** The port `OrganizationStore` in PostgreSQL. An organization is created with its first owner and its feed. */
import {
  hasOrganizationChanged,
  type OrganizationFacts,
  type OrganizationFactsQuery,
  type OrganizationId,
  OrganizationNameTaken,
  type OrganizationStore
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { placeRecords } from "../areas/areas.ts"
import { changeAccounts } from "../accounts/accountChanges.ts"
import { findAccounts } from "../accounts/accounts.ts"
import { levelIn } from "../database/levels.ts"
import { brokenKey, type Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { createFeed, endAnonymity, publishEvents } from "../feed/publishEvents.ts"
import { lockOrganization, readOrganization, requireOrganization, stopMovements } from "../database/locks.ts"
import { ORGANIZATION_COLUMNS, organizationOf, type OrganizationRow, organizationValues } from "./organizations.ts"
import { pageOf, selectPage } from "./pages.ts"

const columns = ORGANIZATION_COLUMNS.map(([column]) => column).join(", ")
const values = ORGANIZATION_COLUMNS.map(([, type], index) => `$${index + 2}::${type}`).join(", ")

/** $1 the creation date, then the columns. */
const CREATE = `insert into organization (creation_date, ${columns}) values ($1::timestamptz, ${values}) returning *`

/** $1 the organization, then the columns. */
const UPDATE = `update organization set (${columns}) = row (${values}) where id = $1::bigint`

const FIND_BY_NAME = "select * from organization where name = $1::text"

const LIST = selectPage("organization", "id > $1::bigint")

const BIND_OWNER = `
insert into permission (organization_id, administrator_id, level, nominated_by)
values ($1::bigint, $2::text, 'owner', $2::text)`

/** Maps a violation of the unique key of names to its refusal. */
const unlessTaken = <A>(
  name: string,
  write: Effect.Effect<A, SqlError>
): Effect.Effect<A, SqlError | OrganizationNameTaken> =>
  Effect.catchIf(
    write,
    (error) => brokenKey(error) === "organization_name",
    () => Effect.fail(new OrganizationNameTaken({ name }))
  )

/** Reads the facts of a change, and locks the organization until the transaction ends, or only reads it. */
const factsFor = Effect.fnUntraced(function* (
  db: Database,
  { organizationId, administratorId, withPlaces }: OrganizationFactsQuery,
  read: typeof lockOrganization
) {
  const organization = organizationOf(yield* requireOrganization<OrganizationRow>(db, organizationId, read))
  return {
    organization,
    level: Option.isSome(administratorId) ? yield* levelIn(db, organizationId, administratorId.value) : Option.none(),
    places: withPlaces ? yield* placeRecords(db, organizationId) : []
  } satisfies OrganizationFacts
})

export const makeOrganizationStore = (db: Database, storing: Storing): OrganizationStore["Service"] => ({
  create: ({ organization, owner, now, decide }) =>
    storing.by(`administrator ${owner.administratorId}`).transaction("create an organization", function* () {
      const accounts = yield* findAccounts(db, owner)
      const change = yield* Effect.fromResult(decide(accounts))
      const [row] = yield* unlessTaken(
        organization.name,
        db.run<OrganizationRow>(CREATE, [PgTypes.timestamptz(now), ...organizationValues(organization, now)])
      )
      const created = organizationOf(row!)
      yield* changeAccounts(db, change, accounts)
      yield* db.run(BIND_OWNER, [created.id, owner.administratorId])
      yield* createFeed(db, created.id, now)
      return created
    }),

  get: (organizationId) =>
    storing(
      "read an organization",
      Effect.map(readOrganization<OrganizationRow>(db, organizationId), (row) =>
        Option.map(Option.fromUndefinedOr(row), organizationOf)
      )
    ),

  findByName: (name) =>
    storing(
      "find an organization by its name",
      Effect.map(db.run<OrganizationRow>(FIND_BY_NAME, [name]), ([row]) =>
        Option.map(Option.fromUndefinedOr(row), organizationOf)
      )
    ),

  list: (after = 0n as OrganizationId) =>
    storing(
      "list organizations",
      Effect.map(db.run<OrganizationRow & { readonly has_more: boolean }>(LIST, [after]), (rows) =>
        pageOf(rows, organizationOf)
      )
    ),

  facts: (query) =>
    storing("read what a change of an organization is decided on", factsFor(db, query, readOrganization)),

  update: ({ decide, ...query }) =>
    storing.by(query.organizationId).transaction("change an organization", function* () {
      const { organizationId } = query
      const facts = yield* factsFor(db, query, lockOrganization)
      const { organization } = facts
      const changed = yield* Effect.fromResult(decide(facts))
      if (changed === organization) return changed
      if (changed.trackingMode !== organization.trackingMode) yield* stopMovements(db)
      if (organization.trackingMode === "anonymous" && changed.trackingMode !== organization.trackingMode) {
        yield* endAnonymity(db, organizationId)
      }
      yield* unlessTaken(
        changed.name,
        db.run(UPDATE, [organizationId, ...organizationValues(changed, changed.lastChangeDate)])
      )
      if (hasOrganizationChanged(organization, changed)) {
        yield* publishEvents(db, organizationId, [{ _tag: "OrganizationChanged", changed: "updated" }])
      }
      return changed
    })
})
