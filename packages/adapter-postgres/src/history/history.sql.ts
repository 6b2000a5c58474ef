/** The statements of the history of presence. A step is its length in seconds. */

import { OF_PREMISES } from "../database/premises.sql.ts"
import { publishingMode } from "../feed/interval.sql.ts"

/** Milliseconds between two instants. */
const milliseconds = (from: string, to: string) => `(extract(epoch from ${to} - ${from}) * 1000)::bigint`

/** An instant as milliseconds since 1970. */
const instant = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`

/** The columns of a bucket as they are read. */
const BUCKET = "began_at, changed_at, entered, departed, exits, stayed, inside_before, least, most, inside_time"

/** The buckets of the range, merged to its steps by the rule `mergeBuckets`. */
const MERGED = `
select start as began_at, (array_agg(changed_at order by began_at desc))[1] as changed_at, sum(entered) as entered,
  sum(departed) as departed, sum(exits) as exits, sum(stayed) as stayed,
  (array_agg(inside_before + entered - departed order by began_at desc))[1] - sum(entered) + sum(departed) as inside_before,
  min(least) as least, max(most) as most,
  sum(inside_time + inside_before * ${milliseconds("coalesce(last_change, start)", "began_at")}) as inside_time
from (
  select *, lag(changed_at) over (partition by start order by began_at) as last_change
  from (
    select *, ($5::timestamptz[])[width_bucket(began_at, $5::timestamptz[])] as start
    from presence_bucket
    where organization_id = $1::bigint and place_id = $2::bigint and step = $4::int
      and began_at >= ($5::timestamptz[])[1] and began_at < $6::timestamptz
  ) started
) bucket
group by start`
/** The columns of a bucket as a JSON array of numbers. */
export const BUCKET_COLUMNS = `json_build_array(
  ${instant("began_at")}, ${instant("changed_at")}, entered, departed, exits, stayed, inside_before, least, most, inside_time
)`

/**
 * What an administrator may read of the history of premises: $1 the organization, $2 the place (0: the organization as a whole), $3
 * who, $4 the step of the buckets, $5 the beginnings of the range's steps, $6 its end.
 */
export const READ = `
select p.level as permission, ${publishingMode("o")} as publishing_mode, s.smallest_count,
  case o.tracking_mode when 'authenticated' then o.anonymous_until end as anonymous_until, t.began_at, t.entered - t.departed as inside,
  case when $4::int = 60 then r.minutes_from end as kept_from,
  (
    select min(at) from pending_change where organization_id = $1::bigint and place_id = $2::bigint
  ) as pending_since,
  case when p.level is not null then (
    select json_agg(${BUCKET_COLUMNS} order by began_at)::text
    from (
      (${MERGED})
      union all
      (
        select ${BUCKET} from presence_bucket
        where organization_id = $1::bigint and place_id = $2::bigint and step = $4::int and began_at >= $6::timestamptz
        order by began_at
        limit 1
      )
    ) bucket
  ) end as buckets,
  case when p.level is not null then (
    select json_agg(json_build_array(${instant("at")}, entered, departed, inside, exits, stayed) order by version)::text
    from presence_event
    where organization_id = $1::bigint and version > r.version
      and place_id = $2::bigint and type = 'presence.changed'
  ) end as changes
from organization o
left join permission p on p.organization_id = o.id and p.administrator_id = $3::text
left join stay_policy s on s.organization_id = o.id
join presence_totals t on t.organization_id = o.id and t.place_id = $2::bigint
join presence_history r on r.organization_id = o.id
where ${OF_PREMISES}`

/** The time zone of the organization $1, in which the place $2 exists. */
export const TIME_ZONE = `select o.time_zone from organization o where ${OF_PREMISES}`

/** The number of organizations of one roll-up. */
const ORGANIZATIONS = 50

/**
 * Adds at most $1 events of each of some organizations to their buckets, by the rule `mergeBuckets`, and moves their positions.
 *
 * It waits for no lock: an organization is left for the next call while another transaction moves its position, or deletes one of
 * its premises. Premises are locked before the position, in the order in which the deletion of an organization locks them.
 */
const rollUpOf = (which: string) => `
with behind as materialized (
  select r.organization_id, r.version
  from presence_history r
  join presence_feed f using (organization_id)
  where ${which} and f.version > r.version
  order by r.organization_id
  limit ${ORGANIZATIONS}
),
next as materialized (
  select b.organization_id, b.version, e.*
  from behind b
  cross join lateral (
    select count(*) as count, max(version) as last, array_agg(distinct place_id) filter (where type = 'presence.changed') as places
    from (
      select version, type, place_id from presence_event
      where organization_id = b.organization_id and version > b.version
      order by version
      limit $1::bigint
    ) event
  ) e
  where e.count > 0
),
ready as materialized (
  select n.organization_id, n.version, n.last, n.count, locked.places
  from next n
  cross join lateral (
    select count(*) as count from presence_totals where organization_id = n.organization_id and place_id = any(n.places)
  ) existing
  cross join lateral (
    select count(*) as count, array_agg(place_id) as places
    from (
      select place_id from presence_totals
      where organization_id = n.organization_id and place_id = any(n.places)
      order by place_id
      for key share skip locked
    ) totals
  ) locked
  cross join lateral (
    select version from presence_history
    where organization_id = n.organization_id and locked.count = existing.count
    limit 1
    for update skip locked
  ) r
  where r.version = n.version
),
change as (
  select t.organization_id, e.*, s.step, to_timestamp(floor(extract(epoch from e.at) / s.step) * s.step) as began_at,
    e.inside - e.entered + e.departed as inside_before
  from ready t
  cross join lateral (
    select version, at, place_id, entered, departed, inside, exits, stayed from presence_event
    where organization_id = t.organization_id and version > t.version and version <= t.last
      and type = 'presence.changed' and place_id = any(t.places)
  ) e
  cross join unnest(array[60, 900, 86400]) as s (step)
),
part as (
  select *, first_value(inside_before) over step as inside_first,
    inside_before * ${milliseconds("coalesce(lag(at) over step, began_at)", "at")} as inside_time
  from change
  window step as (partition by organization_id, place_id, step, began_at order by version)
),
added as (
  insert into presence_bucket as b (
    organization_id, place_id, step, began_at, changed_at, entered, departed, exits, stayed, inside_before, least, most,
    inside_time
  )
  select organization_id, place_id, step, began_at, (array_agg(at order by version desc))[1],
    sum(entered), sum(departed), sum(exits), sum(stayed),
    min(inside_first), least(min(inside_before), min(inside)), greatest(max(inside_before), max(inside)), sum(inside_time)
  from part
  group by organization_id, place_id, step, began_at
  order by organization_id, place_id, step, began_at
  on conflict (organization_id, place_id, step, began_at) do update set
    changed_at = excluded.changed_at,
    entered = b.entered + excluded.entered,
    departed = b.departed + excluded.departed,
    exits = b.exits + excluded.exits,
    inside_before = excluded.inside_before - b.entered + b.departed,
    stayed = b.stayed + excluded.stayed,
    least = least(b.least, excluded.least),
    most = greatest(b.most, excluded.most),
    inside_time = b.inside_time + excluded.inside_time
      - excluded.inside_before * ${milliseconds("b.began_at", "b.changed_at")}
),
moved as (
  update presence_history r set version = t.last from ready t where r.organization_id = any(array[t.organization_id])
)
select coalesce(sum(count), 0)::bigint as count from ready`

export const ROLL_UP = rollUpOf("true")

/** The same of the organization $2 alone. */
export const ROLL_UP_ONE = rollUpOf("r.organization_id = $2::bigint")

/** The organizations with events that are not rolled up. */
export const BEHIND = `
select r.organization_id from presence_history r join presence_feed f using (organization_id)
where f.version > r.version order by r.organization_id`

/** Notes that minutes are kept from $1 on. */
export const KEEP_MINUTES_FROM = `
with late as materialized (
  select organization_id from presence_history
  where minutes_from is null or minutes_from < $1::timestamptz
  order by organization_id
  for update
)
update presence_history r set minutes_from = $1::timestamptz from late where r.organization_id = any(array[late.organization_id])`

/** Deletes at most $2 buckets of minutes before $1, but of organizations with an import after $3. */
export const FORGET_MINUTES = `
with forgotten as (
  delete from presence_bucket
  where ctid = any(array(
    select old.ctid
    from presence_totals t
    join presence_history r on r.organization_id = t.organization_id and coalesce(r.imported_at <= $3::timestamptz, true)
    cross join lateral (
      select ctid from presence_bucket
      where organization_id = t.organization_id and place_id = t.place_id and step = 60 and began_at < $1::timestamptz
      order by began_at
      limit $2::bigint
      for update skip locked
    ) old
    limit $2::bigint
  ))
  returning 1
)
select count(*) as count from forgotten`
