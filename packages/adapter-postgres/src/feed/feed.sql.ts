/**
 * The statements of presence feeds. Whatever adds events or changes heads locks the row of the organization in `presence_feed`
 * first. `tell` skips organizations that are locked, so that it waits for no transaction.
 *
 * A lateral part with `for no key update` returns the row as it is after the lock was granted; a plain read would return it as of the
 * beginning of the statement. Rows that refer to the locked one, such as buckets of the history, can be added meanwhile.
 */

import { OF_PREMISES } from "../database/premises.sql.ts"
import { publishingInterval } from "./interval.sql.ts"

/** The channel on which servers tell each other of new events. */
export const CHANNEL = "sojourn_feed"

/** The longest payload of a notification is below 8000 bytes. A longer list of organizations is notified as an empty one. */
const LONGEST_PAYLOAD = 7900

/** Notifies other servers of the organizations whose ids, as one text, are `ids`. */
const notify = (ids: string) =>
  `pg_notify('${CHANNEL}', case when length(${ids}) > ${LONGEST_PAYLOAD} then '' else ${ids} end)`

const LEVELS = "array['none', 'normal', 'warning', 'full', 'over']"

/** `nextLevel` of the columns `capacity`, `warn_from`, `level` and `inside`. It must be equal to it. */
export const NEXT_LEVEL = `(${LEVELS})[case when capacity is null then 1 else greatest(
    case when inside > capacity then 5 when inside = capacity then 4 when inside >= warn_from then 3 else 2 end,
    case array_position(${LEVELS}, level)
      when 5 then case
        when inside > capacity + 1 - greatest(1, capacity / 20) then 5
        when inside > capacity - greatest(1, capacity / 20) then 4
        when inside > warn_from - greatest(1, capacity / 20) then 3 else 2 end
      when 4 then case
        when inside > capacity - greatest(1, capacity / 20) then 4
        when inside > warn_from - greatest(1, capacity / 20) then 3 else 2 end
      when 3 then case when inside > warn_from - greatest(1, capacity / 20) then 3 else 2 end
      else 2
    end
  ) end]`

/** `LARGEST_CLOCK_DIFFERENCE`. It must be equal to it. */
const CLOCK_DIFFERENCE = "interval '1 minute'"

const EPOCH_BEGIN = "timestamptz 'epoch'"

/** The last multiple of the interval `every` that is not after `at`, as `publishingMoment`: null where there is no interval. */
const momentAt = (every: string, at: string) => `date_bin(${every}, ${at}, ${EPOCH_BEGIN})`

/** The first multiple of the interval `every` that is not before `at`. */
const multipleFrom = (every: string, at: string) => momentAt(every, `${at} + ${every} - interval '1 microsecond'`)

/** A time unless it is of a clock that was wrong. $1 is now. */
const right = (at: string) => `case when ${at} <= $1::timestamptz + ${CLOCK_DIFFERENCE} then ${at} end`

/**
 * When the next event of premises may be told: null where `tellableFrom`, or `publishableFrom` with an interval `every`, is not after $1,
 * which is now. The names are SQL.
 */
const tellableAt = (row: {
  readonly grain: string
  readonly every: string
  readonly toldAt: string
  readonly feedAt: string
  readonly recordedAt: string
}) =>
  `case when ${row.every} is not null then
    nullif(greatest(
      $1::timestamptz,
      ${momentAt(row.every, right(row.toldAt))} + ${row.every},
      ${multipleFrom(row.every, right(row.feedAt))},
      ${multipleFrom(row.every, right(row.recordedAt))}
    ), $1::timestamptz)
  when ${row.toldAt} <= $1::timestamptz + ${row.grain} then
    nullif(greatest(${row.toldAt} + ${row.grain}, $1::timestamptz), $1::timestamptz)
  end`

/**
 * The premises with deltas, of organizations whose feed has begun, as of the beginning of the statement: most calls find none that is
 * due, and lock and write nothing then. Feeds of other organizations begin, and deltas of deleted organizations are removed.
 */
const ALL_WAITING = `
recorded as materialized (
  select r.organization_id, r.places, r.recorded_at, o.id is not null as exists, f.organization_id is not null as has_begun,
    f.at as feed_at,
    coalesce(p.event_grain, case o.tracking_mode when 'anonymous' then 1 else 0 end) * interval '1 second' as grain,
    ${publishingInterval("o.tracking_mode", "p.event_grain")} as every
  from (
    select organization_id, array_agg(place_id) as places, array_agg(at) as recorded_at
    from (
      select organization_id, place_id, min(at) as at from presence_delta group by organization_id, place_id
    ) premises
    group by organization_id
  ) r
  left join lateral (select id, tracking_mode from organization where id = r.organization_id limit 1) o on true
  left join lateral (select organization_id, at from presence_feed where organization_id = o.id limit 1) f on true
  left join lateral (select event_grain from stay_policy where organization_id = o.id limit 1) p on true
),
begun as (
  insert into presence_feed (organization_id, at)
  select o.id, $1::timestamptz
  from recorded r
  cross join lateral (select id from organization where id = r.organization_id limit 1 for key share skip locked) o
  where r.exists and not r.has_begun
  on conflict do nothing
),
orphans as (
  delete from presence_delta d
  using recorded r
  where not r.exists and d.organization_id = any(array[r.organization_id])
),
waiting as materialized (
  select r.organization_id, place_id, r.grain, r.every, ${momentAt("r.every", "$1::timestamptz")} as moment,
    ${tellableAt({ grain: "r.grain", every: "r.every", toldAt: "h.told_at", feedAt: "r.feed_at", recordedAt: "premises.recorded_at" })}
      as tellable
  from recorded r
  cross join lateral unnest(r.places, r.recorded_at) as premises (place_id, recorded_at)
  left join lateral (
    select told_at from presence_head where organization_id = r.organization_id and place_id = premises.place_id limit 1
  ) h on true
  where r.has_begun
)`

/**
 * Tells the deltas of the premises in `waiting` that are due at $1, and takes them. A server of the version before creates premises
 * without a feed and a head. The first call that finds their deltas begins the feed, the next the head, and the next tells them: only
 * rows that are older than the statement can be locked and read as they are then. A head whose premises have ended meanwhile has
 * no deltas any more, and does not begin again.
 */
const tell = (waiting: string, lock: string, hasSkipped: string) => `
with ${waiting},
due as materialized (
  select organization_id, grain, every, moment, array_agg(place_id) as places
  from waiting
  where tellable is null
  group by organization_id, grain, every, moment
),
feed as materialized (
  select f.organization_id, f.version, d.places, d.grain, d.every, d.moment, ${right("f.at")} as at
  from due d
  cross join lateral (
    select organization_id, version, at from presence_feed
    where organization_id = d.organization_id
    limit 1
    for ${lock}
  ) f
),
head as materialized (
  select f.organization_id, f.version, f.at, place_id, h.level is not null as has_begun, h.entered - h.departed as inside,
    h.capacity, h.warn_from, h.level, f.every, f.moment,
    ${tellableAt({ grain: "f.grain", every: "f.every", toldAt: "h.told_at", feedAt: "f.at", recordedAt: "f.at" })} as tellable
  from feed f
  cross join lateral unnest(f.places) as premises (place_id)
  left join lateral (
    select entered, departed, capacity, warn_from, level, told_at from presence_head
    where organization_id = f.organization_id and place_id = premises.place_id
    limit 1
    for no key update
  ) h on true
),
begun_heads as (
  insert into presence_head (organization_id, place_id, began_at)
  select h.organization_id, h.place_id, d.at
  from head h
  cross join lateral (
    select at from presence_delta where organization_id = h.organization_id and place_id = h.place_id
    order by at
    limit 1
    for key share
  ) d
  where not h.has_begun
  on conflict do nothing
),
taken as (
  delete from presence_delta d
  using head h
  where d.organization_id = any(array[h.organization_id]) and d.place_id = h.place_id and h.has_begun and h.tellable is null
    and (h.every is null or d.at <= h.moment or d.at > $1::timestamptz + ${CLOCK_DIFFERENCE})
  returning h.organization_id, h.place_id, h.version, h.at, h.inside, h.capacity, h.warn_from, h.level, h.moment, d.entered,
    d.departed, d.exits, d.stayed, d.at as recorded_at
),
later as (
  select ${multipleFrom("h.every", "d.at")} as tellable
  from head h
  cross join lateral (
    select min(at) as at from presence_delta
    where organization_id = h.organization_id and place_id = h.place_id and at > h.moment
      and at <= $1::timestamptz + ${CLOCK_DIFFERENCE}
  ) d
  where h.every is not null and h.tellable is null
),
sums as (
  select organization_id, place_id, version, at, capacity, warn_from, level, moment,
    inside + sum(entered)::bigint - sum(departed)::bigint as inside, sum(entered)::bigint as entered,
    sum(departed)::bigint as departed, sum(exits)::bigint as exits, sum(stayed)::bigint as stayed,
    coalesce(moment, max(recorded_at)) as recorded_at
  from taken
  group by organization_id, place_id, version, at, inside, capacity, warn_from, level, moment
),
levels as materialized (
  select *, ${NEXT_LEVEL} as next_level from sums
),
told as materialized (
  select organization_id, place_id, kind, inside, entered, departed, exits, stayed, capacity, next_level,
    version + row_number() over feed as version, greatest(at, max(recorded_at) over feed) as at
  from levels
  cross join lateral (
    select 'presence.changed' as kind where entered + departed > 0
    union all
    select 'capacity.changed' where next_level <> level
  ) kinds
  window feed as (partition by organization_id order by recorded_at, place_id, kind desc)
),
events as (
  insert into presence_event (
    organization_id, version, at, type, place_id, inside, entered, departed, exits, stayed, level, capacity
  )
  select organization_id, version, at, kind, place_id, inside,
    case kind when 'presence.changed' then entered end, case kind when 'presence.changed' then departed end,
    case kind when 'presence.changed' then exits end, case kind when 'presence.changed' then stayed end,
    case kind when 'capacity.changed' then next_level end, case kind when 'capacity.changed' then capacity end
  from told
),
heads as (
  update presence_head h set
    entered = h.entered + l.entered, departed = h.departed + l.departed, exits = h.exits + l.exits, level = l.next_level,
    told_at = coalesce(l.moment, $1::timestamptz)
  from levels l
  where h.organization_id = any(array[l.organization_id]) and h.place_id = l.place_id
),
feeds as (
  update presence_feed f set version = t.version, at = t.at
  from (select organization_id, max(version) as version, max(at) as at from told group by organization_id) t
  where f.organization_id = any(array[t.organization_id])
  returning f.organization_id
)
select n.organizations,
  least((select min(tellable) from waiting), (select min(tellable) from head), (select min(tellable) from later)) as next_at,
  (select count(*) from due) > (select count(*) from feed) or exists (select from head where not has_begun)${hasSkipped}
    as has_skipped,
  case when n.organizations <> '' then ${notify("n.organizations")} end
from (select coalesce(string_agg(organization_id::text, ',' order by organization_id), '') as organizations from feeds) n`

/** Tells what is due at $1 of all organizations whose feed no other transaction has locked. */
export const TELL = tell(
  ALL_WAITING,
  "no key update skip locked",
  " or exists (select from recorded where exists and not has_begun)"
)

/** The organization $2 and its interval. */
const PUBLISHING = `
publishing as materialized (
  select o.id as organization_id, ${publishingInterval("o.tracking_mode", "p.event_grain")} as every
  from organization o
  left join stay_policy p on p.organization_id = o.id
  where o.id = $2::bigint
)`

/** Tells all that is recorded of one premises, whose head has begun: $2 the organization, $3 the place. */
export const TELL_PREMISES = tell(
  `${PUBLISHING},
waiting as materialized (
  select organization_id, $3::bigint as place_id, interval '0' as grain, null::interval as every,
    ${momentAt("every", "$1::timestamptz")} as moment, null::timestamptz as tellable
  from publishing
)`,
  "no key update",
  ""
)

/** Tells what is due at $1 of the organization $2 if it has a publishing interval, and waits for the lock on its feed. */
export const TELL_DUE = tell(
  `${PUBLISHING},
waiting as materialized (
  select p.organization_id, d.place_id, interval '0' as grain, p.every, ${momentAt("p.every", "$1::timestamptz")} as moment,
    ${tellableAt({ grain: "interval '0'", every: "p.every", toldAt: "h.told_at", feedAt: "f.at", recordedAt: "d.recorded_at" })}
      as tellable
  from publishing p
  cross join lateral (select at from presence_feed where organization_id = p.organization_id limit 1) f
  cross join lateral (
    select place_id, min(at) as recorded_at from presence_delta where organization_id = p.organization_id group by place_id
  ) d
  left join lateral (
    select told_at from presence_head where organization_id = p.organization_id and place_id = d.place_id limit 1
  ) h on true
  where p.every is not null
)`,
  "no key update",
  ""
)

/** Records that the level of a premises is another one by the capacity that was set: $1 the organization, $2 the place, $3 when. */
export const RECORD_LEVEL = `
insert into presence_delta (organization_id, place_id, at) values ($1::bigint, $2::bigint, $3::timestamptz)`

/** Lets the feed of $1 begin at $2, unless it has. */
export const BEGIN_FEED = `
insert into presence_feed (organization_id, at) values ($1::bigint, $2::timestamptz) on conflict do nothing`

/**
 * Lets the feed of premises begin at $3, or with their first delta, unless it has: $1 the organization, whose feed has begun, $2 the
 * place.
 */
export const BEGIN_HEAD = `
insert into presence_head (organization_id, place_id, began_at)
select $1::bigint, $2::bigint, least($3::timestamptz, (
  select min(at) from presence_delta where organization_id = $1::bigint and place_id = $2::bigint
))
on conflict do nothing`

export const END_HEAD = "delete from presence_head where organization_id = $1::bigint and place_id = $2::bigint"

/** Adds the events $3, a JSON array of the columns, to the feed of $1 at $2, and locks it until the transaction ends. */
export const TELL_NEWS = `
with news as materialized (
  select * from rows from (json_to_recordset($3::json) as (
    type text, place_id bigint, entered bigint, departed bigint, inside bigint, level text, capacity bigint, changed text,
    muster_id bigint, state text
  )) with ordinality as news (
    type, place_id, entered, departed, inside, level, capacity, changed, muster_id, state, n
  )
),
feed as (
  insert into presence_feed (organization_id, version, at) values ($1::bigint, (select count(*) from news), $2::timestamptz)
  on conflict (organization_id) do update
    set version = presence_feed.version + excluded.version,
      at = greatest(
        case when presence_feed.at <= excluded.at + ${CLOCK_DIFFERENCE} then presence_feed.at end, excluded.at
      )
  returning version - (select count(*) from news) as version, at
),
events as (
  insert into presence_event (
    organization_id, version, at, type, place_id, entered, departed, inside, exits, stayed, level, capacity, changed, muster_id,
    state
  )
  select $1::bigint, feed.version + n, feed.at, type, coalesce(place_id, 0), entered, departed, inside,
    case type when 'presence.changed' then 0 end, case type when 'presence.changed' then 0 end, level, capacity, changed,
    muster_id, state
  from feed
  cross join news
)
select ${notify("$1::bigint::text")}`

/** The head of each premises of the organizations $1 that exist, and the version that it is of. */
export const SNAPSHOTS = `
select o.id as organization_id, coalesce(f.version, 0) as version, p.place_id, coalesce(h.entered, 0) as entered,
  coalesce(h.departed, 0) as departed, h.capacity, h.warn_at, coalesce(h.level, 'none') as level, h.told_at
from (select distinct unnest($1::bigint[]) as id) a
cross join lateral (select id from organization where id = a.id limit 1) o
left join lateral (select version from presence_feed where organization_id = o.id limit 1) f on true
cross join lateral (
  select 0::bigint as place_id
  union all
  select id from place where organization_id = o.id
) p
left join lateral (
  select entered, departed, capacity, warn_at, level, told_at from presence_head
  where organization_id = o.id and place_id = p.place_id
  limit 1
) h on true
order by o.id, p.place_id`

/** At most $3 events after each position: $1 the organizations, $2 the versions. A position without events has one row. */
export const EVENTS_AFTER = `
select a.n::int as n, o.id is not null as exists, coalesce(f.version, 0) as last, e.version, e.at, e.type, e.place_id,
  e.entered, e.departed, e.inside, e.level, e.capacity, e.changed, e.muster_id, e.state
from unnest($1::bigint[], $2::bigint[]) with ordinality as a (organization_id, version, n)
left join lateral (select id from organization where id = a.organization_id limit 1) o on true
left join lateral (select version from presence_feed where organization_id = o.id limit 1) f on true
left join lateral (
  select * from presence_event
  where organization_id = o.id and version > a.version
  order by version
  limit $3::bigint
) e on true
order by a.n, e.version`

export const EPOCH = "select epoch from presence_epoch"

/**
 * Deletes at most $2 events told before $1 that the history has, except the last of each feed, and events of deleted organizations. The
 * first one that is not so old ends them, as events never leave a gap.
 */
export const FORGET_EVENTS = `
with recursive organizations as (
  (select organization_id from presence_event order by organization_id limit 1)
  union all
  select (
    select e.organization_id from presence_event e
    where e.organization_id > o.organization_id order by e.organization_id limit 1
  )
  from organizations o where o.organization_id is not null
),
old as materialized (
  select e.organization_id, e.version
  from organizations o
  left join lateral (
    select least(f.version, coalesce(r.version, 0) + 1) as version
    from presence_feed f
    left join presence_history r using (organization_id)
    where f.organization_id = o.organization_id
    limit 1
  ) f on true
  cross join lateral (
    select organization_id, version, bool_and(at < $1::timestamptz) over (order by version) as is_old
    from (
      select organization_id, version, at from presence_event
      where organization_id = o.organization_id and version < coalesce(f.version, 9223372036854775807)
        and (select at from presence_event where organization_id = o.organization_id order by version limit 1) < $1::timestamptz
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
select count(*) as forgotten from forgotten`

/**
 * The capacity of premises, the number of people inside (the open stays; with a publishing interval, as the last event has it), and the
 * level of an administrator: $1 the organization, $2 the place (0: the organization as a whole), $3 who. No row where the premises do
 * not exist.
 */
export const CAPACITY = `
select p.level as permission, coalesce(h.entered - h.departed, 0) as told,
  coalesce(h.entered - h.departed, 0) + case when ${publishingInterval("o.tracking_mode", "s.event_grain")} is null then (
    select coalesce(sum(entered - departed), 0)::bigint from presence_delta
    where organization_id = o.id and place_id = $2::bigint
  ) else 0 end as inside,
  h.capacity, h.warn_at, coalesce(h.level, 'none') as level, h.told_at, s.event_grain, o.tracking_mode
from organization o
left join permission p on p.organization_id = o.id and p.administrator_id = $3::text
left join stay_policy s on s.organization_id = o.id
left join presence_head h on h.organization_id = o.id and h.place_id = $2::bigint
where ${OF_PREMISES}`

/** $3 the capacity, $4 from which part of it on and $5 from how many people on the level is a warning, $6 the level. */
export const SET_CAPACITY = `
update presence_head
set capacity = $3::bigint, warn_at = $4::double precision, warn_from = $5::bigint, level = $6::text
where organization_id = $1::bigint and place_id = $2::bigint`
