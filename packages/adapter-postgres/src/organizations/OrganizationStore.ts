/** The port `OrganizationStore` in PostgreSQL. An organization is created with its first owner and its feed. */
import {
  accountAfter,
  alreadyRecorded,
  keptTrackingArea,
  type OrganizationFacts,
  type OrganizationFactsQuery,
  type OrganizationId,
  OrganizationNameTaken,
  OrganizationNotFound,
  type OrganizationStore,
  organizationCreated,
  organizationUpdated,
  type PermissionLevel,
  type PlaceId,
  type Preview,
  recorded
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { changeAccounts } from "../accounts/accountChanges.ts"
import { findAccounts } from "../accounts/accounts.ts"
import { appendingFrom } from "../database/audit.sql.ts"
import { entryOf } from "../database/auditEntries.ts"
import { brokenKey, type Database, missesReference, WriteConflict } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { hasPublishingInterval } from "../feed/interval.sql.ts"
import { publishEventsWith } from "../feed/publish.sql.ts"
import { createFeed, endAnonymity, lockToPublish, publishWith } from "../feed/publishEvents.ts"
import { currentFacts, readOrganization, stopMovements } from "../database/locks.ts"
import { ORGANIZATION_COLUMNS, organizationOf, type OrganizationRow, organizationValues } from "./organizations.ts"
import { pageOf, selectPage } from "./pages.ts"

const columns = ORGANIZATION_COLUMNS.map(([column]) => column).join(", ")
const valuesFrom = (first: number) =>
  ORGANIZATION_COLUMNS.map(([, type], index) => `$${index + first}::${type}`).join(", ")

/** $1 the creation date, then the columns. */
const CREATE = `insert into organization (creation_date, ${columns}) values ($1::timestamptz, ${valuesFrom(2)}) returning *`

/** $4 and further ones the columns, then those of the entry. */
const UPDATE = publishEventsWith(`updated as (
  update organization set (${columns}) = row (${valuesFrom(4)}) where id = $1::bigint
),
${appendingFrom(4 + ORGANIZATION_COLUMNS.length)}`)

/** A row of the organization $1 with the level of the administrator $2, and one of each place if $3. */
const FACTS = `
select * from (
  select o.*, a.level, null::bigint as place_id, null as place_area
  from organization o
  left join permission a on a.organization_id = $1::bigint and a.administrator_id = $2::text
  where o.id = $1::bigint
  union all
  select (null::organization).*, null, id, tracking_area from place where $3::boolean and organization_id = $1::bigint
  offset 0
) facts
order by place_id nulls first`

const FIND_BY_NAME = "select * from organization where name = $1::text"

const LIST = selectPage("organization", "id > $1::bigint")

/**
 * The number of people inside of the organization `o`, as far as answers say so: in it, or in its outermost places together where they have more.
 * It is what the feed published, and without a publishing interval what is pending.
 */
const INSIDE = `coalesce((
  select greatest(sum(inside) filter (where place_id = 0), sum(inside) filter (where is_outermost))::bigint
  from (
    select place_id, entered - departed as inside from presence_totals where organization_id = o.id
    union all
    select place_id, entered - departed from pending_change
    where organization_id = o.id and not ${hasPublishingInterval("o.id")}
  ) counts
  left join lateral (
    select ancestors = '{}' as is_outermost from place where organization_id = o.id and id = counts.place_id
  ) p on true
), 0)`

/** The page of {@link LIST} of at most $2 organizations, with their numbers. */
const OVERVIEW = `
select o.*, ${INSIDE} as inside,
  (select count(*) from place where organization_id = o.id) as places,
  (select count(*) from permission where organization_id = o.id) as administrators
from (${selectPage("organization", "id > $1::bigint", { most: "$2::int" })}) o
order by o.id`

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

type FactsRow = OrganizationRow & { readonly revision: bigint; readonly level: PermissionLevel | null } & {
  readonly place_id: PlaceId
  readonly place_area: string
}

interface OverviewRow extends OrganizationRow {
  readonly has_more: boolean
  readonly places: bigint
  readonly administrators: bigint
  readonly inside: bigint
}

/** Reads the facts of a change. */
const readFacts = Effect.fnUntraced(function* (
  db: Database,
  { organizationId, administratorId, withPlaces }: OrganizationFactsQuery
) {
  const [row, ...places] = yield* db.run<FactsRow>(FACTS, [
    organizationId,
    Option.getOrNull(administratorId),
    withPlaces
  ])
  if (row === undefined) return yield* new OrganizationNotFound({ organizationId })
  return {
    revision: row.revision,
    facts: {
      organization: organizationOf(row),
      level: Option.fromNullishOr(row.level),
      places: places.map(({ place_id: id, place_area: text }) => ({ id, trackingArea: keptTrackingArea(text) }))
    }
  } satisfies Preview<OrganizationFacts>
})

export const makeOrganizationStore = (db: Database, storing: Storing): OrganizationStore["Service"] => ({
  create: ({ organization, owner, now, decide }) =>
    storing
      .by(`administrator ${owner.administratorId ?? owner.mail}`)
      .transaction("create an organization", function* () {
        const accounts = yield* findAccounts(db, owner)
        const change = yield* Effect.fromResult(decide(accounts))
        const [row] = yield* unlessTaken(
          organization.name,
          db.run<OrganizationRow>(CREATE, [PgTypes.timestamptz(now), ...organizationValues(organization, now)])
        )
        const created = organizationOf(row!)
        yield* changeAccounts(db, change, accounts)
        const { administratorId } = Option.getOrThrow(accountAfter(change, accounts))
        yield* db
          .run(BIND_OWNER, [created.id, administratorId])
          // The account was an invitation, which a concurrent sign-in took over.
          .pipe(Effect.catchIf(missesReference, () => Effect.fail(new WriteConflict())))
        yield* createFeed(db, created.id, now)
        return recorded(created, organizationCreated(created))
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

  overview: ({ after = 0n as OrganizationId, limit }) =>
    storing(
      "list organizations with their numbers",
      Effect.map(db.run<OverviewRow>(OVERVIEW, [after, limit]), (rows) =>
        pageOf(rows, (row) => ({
          organization: organizationOf(row),
          places: Number(row.places),
          administrators: Number(row.administrators),
          inside: Number(row.inside)
        }))
      )
    ),

  preview: (query) => storing("read what a change of an organization is decided on", readFacts(db, query)),

  update: ({ preview, decide, ...query }) =>
    storing.by(query.organizationId).transaction("change an organization", function* () {
      const { organizationId } = query
      const locked = yield* lockToPublish<OrganizationRow>(db, organizationId)
      const facts = yield* currentFacts(preview, locked, readFacts(db, query))
      const { organization } = facts
      const changed = yield* Effect.fromResult(decide(facts))
      const act = organizationUpdated(organization, changed)
      if (act === undefined) return recorded(changed, act)
      if (changed.trackingMode !== organization.trackingMode) yield* stopMovements(db)
      if (organization.trackingMode === "anonymous" && changed.trackingMode !== organization.trackingMode) {
        yield* endAnonymity(db, organizationId)
      }
      yield* unlessTaken(
        changed.name,
        publishWith(db, locked!, UPDATE, { _tag: "OrganizationChanged", changed: "updated" }, [
          ...organizationValues(changed, changed.lastChangeDate),
          ...(yield* entryOf(act))
        ])
      )
      return alreadyRecorded(changed)
    })
})
