/** The statements that read feeds, forget their events, and create and delete the feeds of premises. */

/** Creates the feed and the history of the organization $1 at $2. */
export const CREATE_FEED = `
with feed as (insert into presence_feed (organization_id, at) values ($1::bigint, $2::timestamptz))
insert into presence_history (organization_id) values ($1::bigint)`

/** Creates the totals of the premises $2 of the organization $1 at $3. */
export const CREATE_TOTALS = `
insert into presence_totals (organization_id, place_id, began_at) values ($1::bigint, $2::bigint, $3::timestamptz)`

/** Keeps what the place $2 counted, which is about to end, in the open muster of the organization $1 that goes by it. */
export const KEEP_COUNTS = `
update muster m
set premises = array_remove(premises, $2::bigint), entered = m.entered - t.entered, exits = m.exits - t.exits - t.counted_out
from presence_totals t
where m.organization_id = $1::bigint and m.ended_at is null and $2::bigint = any (m.premises)
  and t.organization_id = $1::bigint and t.place_id = $2::bigint`

/** Appends that the people counted at the place $2 of the organization $1 left at $3. */
export const END_COUNTED = `
insert into pending_change (organization_id, place_id, departed, counted, at)
select organization_id, place_id, counted, -counted, $3::timestamptz from counted_people
where organization_id = $1::bigint and place_id = $2::bigint and counted > 0`

export const DELETE_TOTALS = "delete from presence_totals where organization_id = $1::bigint and place_id = $2::bigint"

/** The totals of the premises of the organizations $1 that exist, and the version that they are as of. */
export const SNAPSHOTS = `
select f.organization_id, f.version, t.place_id, t.entered, t.departed, t.capacity, t.warn_at, t.level, t.published_at
from (select distinct unnest($1::bigint[]) as organization_id) a
cross join lateral (
  select organization_id, version from presence_feed where organization_id = a.organization_id limit 1
) f
cross join lateral (select * from presence_totals where organization_id = a.organization_id offset 0) t
order by f.organization_id, t.place_id`

/**
 * At most $3 events after each position: $1 the organizations, $2 the versions. A position without events has one row. `last` is null
 * where the organization does not exist.
 */
export const EVENTS_AFTER = `
select a.n::int as n, f.version as last, e.version, e.at, e.type, e.place_id, e.entered, e.departed, e.inside, e.level, e.capacity,
  e.changed, e.muster_id, e.state, e.place_level, e.parent_id, e.device_id,
  e.corrected
from unnest($1::bigint[], $2::bigint[]) with ordinality as a (organization_id, version, n)
left join lateral (select version from presence_feed where organization_id = a.organization_id limit 1) f on true
left join lateral (
  select * from presence_event
  where organization_id = a.organization_id and version > a.version
  order by version
  limit $3::bigint
) e on true
order by a.n, e.version`

export const GENERATION = "select generation from feed_generation"

/**
 * Deletes at most $2 events before $1 that the history has, except the last event of each feed. An event is kept if one before it is, so
 * versions have no gaps.
 */
export const FORGET_EVENTS = `
with old as materialized (
  select f.organization_id, e.version
  from presence_feed f
  cross join lateral (select version from presence_history where organization_id = f.organization_id limit 1) h
  cross join lateral (
    select version, bool_and(at < $1::timestamptz) over (order by version) as is_old
    from (
      select version, at from presence_event
      where organization_id = f.organization_id and version < least(f.version, h.version + 1)
        and (select at from presence_event where organization_id = f.organization_id order by version limit 1) < $1::timestamptz
      order by version
      limit $2::bigint
    ) first
  ) e
  where e.is_old
  limit $2::bigint
),
forgotten as (
  delete from presence_event e
  using old
  where e.organization_id = any(array[old.organization_id]) and e.version = old.version
  returning 1
)
select count(*) as count from forgotten`
