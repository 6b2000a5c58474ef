/** The statements of imports into the organization $1. */
import { BUCKET_COLUMNS } from "../history/history.sql.ts"

/** Locks the history of the organization until the transaction ends: imports follow each other, and roll-ups leave it for later. */
export const LOCK_HISTORY = "select from presence_history where organization_id = $1::bigint for update"

export const PLACES = "select id, name from place where organization_id = $1::bigint"

/** Keeps the places $2 until the transaction ends, and returns those that are there. */
export const HOLD_PLACES = `
select id from place where organization_id = $1::bigint and id = any($2::bigint[]) order by id for key share`

/** The premises with changes that were appended until $2 and are in no event. */
export const PENDING_UNTIL = `
select distinct place_id from pending_change where organization_id = $1::bigint and at <= $2::timestamptz`

/**
 * Adds closed stays whose keys are new, and returns which: $2 their numbers, $3 their places, $4 their people, $5 and $6 their times, $7 their
 * keys. No two of them have one key.
 */
export const ADD_STAYS = `
with sent as materialized (
  select * from unnest($2::int[], $3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[]::uuid[])
    as s (n, place_id, person, entered_at, exited_at, key)
),
kept as (
  insert into import_key (organization_id, key)
  select $1::bigint, key from sent where key is not null order by key
  on conflict do nothing
  returning key
),
fresh as materialized (
  select nextval('stay_id') as id, * from sent where key is null or key in (select key from kept)
),
added as (
  insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
  select $1::bigint, place_id, id, person, entered_at, exited_at from fresh
),
noted as (
  insert into imported_stay (organization_id, place_id, stay_id, exited_at, import_key)
  select $1::bigint, place_id, id, exited_at, key from fresh
)
select n from fresh`

/** Deletes what is kept of the imported ones among the stays of a CTE with \`place_id\` and \`id\`, which are deleted as well, with their keys. */
export const forgetImports = (stays: string) => `
imported as (
  delete from imported_stay
  where organization_id = $1::bigint and place_id = any(array(select distinct place_id from ${stays}))
    and stay_id = any(array(select id from ${stays}))
  returning import_key
),
forgotten_key as (
  delete from import_key where organization_id = $1::bigint and key = any(array(select import_key from imported))
)`

/** The beginnings $3 of the histories of premises $2, where they are earlier. */
export const BEGIN_AT = `
update presence_totals t set began_at = a.began_at
from unnest($2::bigint[], $3::timestamptz[]) as a (place_id, began_at)
where t.organization_id = $1::bigint and t.place_id = a.place_id and t.began_at > a.began_at`

const buckets = (step: number) => `(
  select json_agg(${BUCKET_COLUMNS} order by began_at)::text from presence_bucket
  where organization_id = $1::bigint and place_id = $2::bigint and step = ${step}
    and began_at >= $3::timestamptz and began_at < $4::timestamptz
)`

/**
 * The buckets of the premises $2 from $3 to before $4, by step: with those inside at the beginning of the next day, and when that begins; and those
 * inside after the day before.
 */
export const READ_PART = `
select ${buckets(60)} as minutes, ${buckets(900)} as quarters, ${buckets(86400)} as days,
  next.began_at as next_at, next.inside_before as next_inside, (
    select inside_before + entered - departed from presence_bucket
    where organization_id = $1::bigint and place_id = $2::bigint and step = 86400 and began_at < $3::timestamptz
    order by began_at desc
    limit 1
  ) as former_inside
from (select) part
left join lateral (
  select began_at, inside_before from presence_bucket
  where organization_id = $1::bigint and place_id = $2::bigint and step = 86400 and began_at >= $4::timestamptz
  order by began_at
  limit 1
) next on true`

/** Writes buckets of the premises $2: $3 their steps, and then their columns. */
export const PUT_BUCKETS = `
insert into presence_bucket (
  organization_id, place_id, step, began_at, changed_at, entered, departed, exits, stayed, inside_before, least, most, inside_time
)
select $1::bigint, $2::bigint, * from unnest(
  $3::int[], $4::timestamptz[], $5::timestamptz[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
  $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[]
)
on conflict (organization_id, place_id, step, began_at) do update set
  changed_at = excluded.changed_at, entered = excluded.entered, departed = excluded.departed, exits = excluded.exits,
  stayed = excluded.stayed, inside_before = excluded.inside_before, least = excluded.least, most = excluded.most,
  inside_time = excluded.inside_time`

/** Notes that accesses were imported at $2. */
export const NOTE_IMPORT = `
update presence_history set imported_at = $2::timestamptz where organization_id = $1::bigint`

/** Issues $1 ids of places. */
export const ISSUE_PLACES = "select nextval('place_id') as id from generate_series(1, $1::int)"

/** Adds places: $2 their ids, and then their columns. */
export const ADD_PLACES = `
insert into place (organization_id, id, name, tracking_area, level, floor, ancestors, west, east, south, north, area_points)
select $1::bigint, id, name, tracking_area, level, floor, ancestors::bigint[], west, east, south, north, area_points
from unnest(
  $2::bigint[], $3::text[], $4::text[], $5::smallint[], $6::smallint[], $7::text[], $8::float8[], $9::float8[], $10::float8[],
  $11::float8[], $12::int[]
) as p (id, name, tracking_area, level, floor, ancestors, west, east, south, north, area_points)`

/** Begins the histories of the places $2 at $3: $4 to $6 their capacities, and $7 their levels. */
export const ADD_TOTALS = `
insert into presence_totals (organization_id, place_id, began_at, capacity, warn_at, warn_from, level)
select $1::bigint, place_id, $3::timestamptz, capacity, warn_at, warn_from, level
from unnest($2::bigint[], $4::bigint[], $5::float8[], $6::bigint[], $7::text[]) as t (place_id, capacity, warn_at, warn_from, level)`
