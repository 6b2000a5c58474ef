/** Closed stays by the million, written by one statement for 100,000: single movements would take many times as long. */
import { StayId } from "@sojourn/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Population, Site } from "./Population.ts"

/** How many stays one statement writes. */
const BATCH = 100_000

/**
 * Stays as a service has them after a while: ids in the order of time, at random sites and of random people, every second
 * one anonymous. $1 and $2 the organizations and places of the anonymous sites, $3 and $4 of the others, $5 how many
 * people each of those knows, $6 how many stays.
 */
const FILL = `
with site as (
  select 'anonymous' as mode, nth, organization_id, place_id
  from unnest($1::bigint[], $2::bigint[]) with ordinality as anonymous (organization_id, place_id, nth)
  union all
  select 'authenticated', nth, organization_id, place_id
  from unnest($3::bigint[], $4::bigint[]) with ordinality as authenticated (organization_id, place_id, nth)
),
drawn as materialized (
  select nth as moment, nextval('stay_id') as id, random() as person, make_interval(mins => (random() * 480)::int) as length,
    case nth % 2 when 0 then 'anonymous' else 'authenticated' end as mode,
    1 + floor(random() * case nth % 2 when 0 then cardinality($1::bigint[]) else cardinality($3::bigint[]) end)::int as site
  from generate_series(1, $6::int) as nth
)
insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
select site.organization_id, site.place_id, drawn.id,
  case drawn.mode when 'authenticated' then
    'person-' || site.organization_id || '-' || floor(drawn.person * $5::int)::int end,
  now() - drawn.length - make_interval(secs => ($6::int - moment) * 0.1), now() - make_interval(secs => ($6::int - moment) * 0.1)
from drawn
join site on site.mode = drawn.mode and site.nth = drawn.site
order by drawn.moment`

const keysOf = (sites: ReadonlyArray<Site>) => [
  sites.map(({ organizationId }) => organizationId),
  sites.map(({ placeId }) => placeId)
]

/** Adds so many closed stays, and leaves the tables as autovacuum and a checkpoint leave them. */
export const fill = Effect.fnUntraced(function* (population: Population, size: number) {
  const sql = yield* SqlClient.SqlClient
  const people = population.authenticated[0]?.people.length ?? 0
  const sites = [...keysOf(population.anonymous), ...keysOf(population.authenticated)]
  for (let missing = size; missing > 0; missing -= BATCH) {
    yield* sql.unsafe(FILL, [...sites, people, Math.min(BATCH, missing)])
  }
  for (const table of ["stay", "open_stay"]) yield* sql.unsafe(`vacuum analyze ${table}`)
  yield* sql.unsafe("checkpoint")
})

/** Closed anonymous stays at one site, spread over the whole history: what a phone that asks for its own may hold. */
export const someClosedAt = Effect.fnUntraced(function* (site: Site, count: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: bigint }>`
    select id from stay
    where organization_id = ${site.organizationId}::bigint and place_id = ${site.placeId}::bigint and person is null
    order by random() limit ${count}::int`
  return rows.map(({ id }) => StayId.make(id))
})

/** What the tables take on the disk, indexes and all, in bytes, and how many rows they hold. */
export const tableSizes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly name: string; readonly rows: number; readonly bytes: number; readonly indexes: number }>`
    select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes,
      pg_indexes_size(oid)::float8 as indexes
    from pg_class where oid in ('stay'::regclass, 'open_stay'::regclass) order by relname desc`
})
