/** The statements that adopt stays from before the first movement of an organization, $1. */

/** The totals of the premises, and whether a movement was recorded. The transaction holds the lock of the feed. */
export const TOTALS = `
select t.place_id, t.entered, t.departed, t.capacity, t.warn_at, t.level, t.published_at,
  t.entered > 0 or exists (
    select from pending_change where organization_id = $1::bigint and place_id = t.place_id and entered > 0
  ) as has_movements
from presence_totals t
where t.organization_id = $1::bigint`

export const BEGIN_AT = `
update presence_totals set began_at = $2::timestamptz where organization_id = $1::bigint and began_at > $2::timestamptz`

/** Writes the totals of some premises, published at $7: $2 their places, $3 to $6 `entered`, `departed`, `exits` and `level`. */
export const SET_TOTALS = `
update presence_totals t set
  entered = a.entered, departed = a.departed, exits = a.exits, level = a.level, published_at = $7::timestamptz
from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[]) as a (place_id, entered, departed, exits, level)
where t.organization_id = $1::bigint and t.place_id = a.place_id`

/** Opens stays with the key $2, and answers their ids in their order: $3 their places, $4 their entrances. */
export const OPEN = `
with opened as materialized (
  select nextval('stay_id') as id, place_id, entered_at, n
  from unnest($3::bigint[], $4::timestamptz[]) with ordinality as a (place_id, entered_at, n)
),
added as (
  insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
  select $1::bigint, place_id, id, $2::smallint, entered_at, entered_at from opened
)
select id from opened order by n`

/** The columns of a bucket after its premises, each of which is an array from $2 on. */
export const ADD_BUCKETS = `
insert into presence_bucket (
  organization_id, place_id, step, began_at, changed_at, entered, departed, exits, stayed, inside_before, least, most, inside_time
)
select $1::bigint, * from unnest(
  $2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
  $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[]
)`

/** Takes all events of the feed as rolled up. */
export const ROLLED_UP = `
update presence_history r set version = f.version
from presence_feed f
where r.organization_id = $1::bigint and f.organization_id = $1::bigint`
