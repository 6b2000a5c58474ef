/** Closed stays by the million, written by one statement for 100,000: single movements would take many times as long. */
import { type OrganizationId, Retention, StayId, StayPolicyStore, Timestamp } from "@sojourn/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Population, Site } from "./Population.ts"

/** How a history is made. */
export interface HistoryShape {
  /** Over how many years the closed stays are spread. */
  readonly years: number
  /** How many closed stays fill a partition. */
  readonly partitionRows: number
  /** How many of the closed stays belong to the organizations that are measured, at most. */
  readonly ownStays: number
}

/** How many stays one statement writes. */
const BATCH = 100_000

/** How many accesses each site of others has. */
const OTHERS_EACH = 300

/**
 * Stays as a service has them after a while: ids in the order of time, at random sites and of random people, every second
 * one anonymous. $1 and $2 the organizations and places of the anonymous sites, $3 and $4 of the others, $5 how many
 * people each of those knows, $6 how many stays, $7 how many seconds are between two exits, $8 how long ago the last exit was, in seconds,
 * $9 which part of the stays is at these sites: the rest is at $10 sites of others. Their organizations are in no other table, and have
 * negative ids. The first of them is one of these sites, so that a partition is kept as long as that needs it.
 */
const FILL = `
with drawn as materialized (
  select nth as moment, nextval('stay_id') as id, random() as person, make_interval(mins => (random() * 480)::int) as length,
    nth % 2 = 0 as is_anonymous, 1 + floor(random() * cardinality(case nth % 2 when 0 then $1::bigint[] else $3::bigint[] end))::int as site,
    case when random() >= $9::float8 then nullif(floor(random() * $10::int)::int, 0) end as other
  from generate_series(1, $6::int) as nth
),
placed as (
  select drawn.*,
    coalesce(-1 - other / 6, case when is_anonymous then ($1::bigint[])[site] else ($3::bigint[])[site] end) as organization_id,
    coalesce(-other, case when is_anonymous then ($2::bigint[])[site] else ($4::bigint[])[site] end) as place_id,
    now() - make_interval(secs => $8::float8 + ($6::int - moment) * $7::float8) as exited_at
  from drawn
)
insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
select organization_id, place_id, id,
  case when not is_anonymous then 'person-' || organization_id || '-' || floor(person * $5::int)::int end, exited_at - length, exited_at
from placed
order by moment`

const keysOf = (sites: ReadonlyArray<Site>) => [
  sites.map(({ organizationId }) => organizationId),
  sites.map(({ placeId }) => placeId)
]

/** Looks after the partitions, once PostgreSQL has counted rows. Answers how many accesses were forgotten. */
export const keepPartitions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("analyze stay")
  const store = yield* StayPolicyStore
  return yield* store.forgetAtOnce(Timestamp(Date.now()))
})

/**
 * Adds so many closed stays over so many years, as partitions become full, and leaves the tables as autovacuum and a checkpoint leave them.
 * Those at the sites of the population are of the last month, unless there are more; those of others fill all the years.
 */
export const fill = Effect.fnUntraced(function* (
  population: Population,
  size: number,
  { years, partitionRows, ownStays }: HistoryShape
) {
  const sql = yield* SqlClient.SqlClient
  const people = population.authenticated[0]?.people.length ?? 0
  const sites = [...keysOf(population.anonymous), ...keysOf(population.authenticated)]
  const spacing = (years * 365 * 86_400) / size
  const batch = Math.min(BATCH, Math.ceil(partitionRows / 4))
  const own = Math.min(ownStays, size)
  const others = Math.ceil(size / OTHERS_EACH)
  const recent = Math.max(own, Math.round(size / (12 * years)))
  for (let missing = size, kept = 0; missing > 0; missing -= batch) {
    const some = Math.min(batch, missing)
    const part = missing > recent ? 0 : own / recent
    yield* sql.unsafe(FILL, [...sites, people, some, spacing, (missing - some) * spacing, part, others])
    // A server looks every 30 seconds.
    if (size - missing < kept + partitionRows / 20) continue
    kept = size - missing
    yield* keepPartitions
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
  return yield* sql<{
    readonly name: string
    readonly rows: number
    readonly bytes: number
    readonly indexes: number
    readonly partitions: number
  }>`
    select case relispartition when true then 'stay' else relname end as name, count(*)::int as partitions,
      sum(greatest(reltuples, 0))::float8 as rows, sum(pg_total_relation_size(oid))::float8 as bytes,
      sum(pg_indexes_size(oid))::float8 as indexes
    from pg_class
    where oid = 'open_stay'::regclass or oid in (select inhrelid from pg_inherits where inhparent = 'stay'::regclass)
    group by 1 order by 1 desc`
})

/**
 * Gives all organizations a retention of a day, and forgets at once what can be: how many accesses, in how many milliseconds, and how many
 * bytes the disk has back. The first partition stays, as people who were inside before its accesses have left just now.
 */
export const forgetOld = Effect.fnUntraced(function* (population: Population) {
  const store = yield* StayPolicyStore
  const bytesOf = Effect.map(tableSizes, (tables) => tables.find(({ name }) => name === "stay")!.bytes)
  const ids = new Set(
    [...population.anonymous, ...population.authenticated].map(({ organizationId }) => organizationId)
  )
  for (const organizationId of ids) yield* retain(organizationId, 86_400)
  const before = yield* bytesOf
  const began = performance.now()
  const accesses = yield* store.forgetAtOnce(Timestamp(Date.now()))
  return { accesses, milliseconds: performance.now() - began, bytes: before - (yield* bytesOf) }
})

/** Gives an organization a retention, in seconds. */
export const retain = (organizationId: OrganizationId, seconds: number) =>
  StayPolicyStore.use((store) =>
    store.change({ organizationId, decide: () => ({ retention: Retention.make(seconds) }) })
  )
