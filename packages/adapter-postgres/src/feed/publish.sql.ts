/**
 * The statements that publish pending changes as events. All but the search for due organizations name one organization, in each
 * table that they read or write.
 *
 * The row of an organization in `presence_feed` is the lock of its feed. A transaction takes it before it adds events or changes
 * totals, so versions have no gaps, and a later statement of the transaction reads totals that no other transaction changes.
 */
import { CLOCK_DIFFERENCE } from "../database/clocks.sql.ts"
import { NEXT_LEVEL } from "./capacity.sql.ts"
import { publishingInterval } from "./interval.sql.ts"

/** The channel on which servers of one schema notify each other of new events, as SQL. Channels belong to a whole database. */
export const CHANNEL = "'sojourn_feed_' || hashtext(current_schema())"

/** Notifies all servers of new events of an organization once the transaction commits. PostgreSQL drops repeated notifications. */
const notify = (organizationId: string) => `pg_notify(${CHANNEL}, ${organizationId}::text)`

const UNIX_EPOCH = "timestamptz 'epoch'"

/** The last multiple of an interval that is not after `at`, as `publishingMoment`: null without an interval. */
const momentAt = (interval: string, at: string) => `date_bin(${interval}, ${at}, ${UNIX_EPOCH})`

/** The first multiple of an interval that is not before `at`. */
const multipleFrom = (interval: string, at: string) =>
  momentAt(interval, `${at} + ${interval} - interval '1 microsecond'`)

/** A time, or null where it comes from a clock that was wrong. `now` is SQL. */
const credible = (at: string, now: string) => `case when ${at} <= ${now} + ${CLOCK_DIFFERENCE} then ${at} end`

/** The intervals of the organization `o` with the policy `p`: `event_interval`, and `publishing_interval`, which may be null. */
const INTERVALS = `
  coalesce(p.event_grain, case o.tracking_mode when 'anonymous' then 1 else 0 end) * interval '1 second' as event_interval,
  ${publishingInterval("o", "p.event_grain")} as publishing_interval`

/**
 * When the next event of premises may be published, by `publishableFrom` or `nextPublishingMoment`: null if not after $1, which is now.
 * It needs the columns of {@link INTERVALS}, `feed_at` of the feed and `published_at` of the totals. `appendedAt` is when the first
 * pending change was appended.
 */
const publishableAt = (appendedAt: string) => `
  case when publishing_interval is not null then
    nullif(greatest(
      $1::timestamptz,
      ${momentAt("publishing_interval", credible("published_at", "$1::timestamptz"))} + publishing_interval,
      ${multipleFrom("publishing_interval", credible("feed_at", "$1::timestamptz"))},
      ${multipleFrom("publishing_interval", credible(appendedAt, "$1::timestamptz"))}
    ), $1::timestamptz)
  when published_at <= $1::timestamptz + event_interval then
    nullif(greatest(published_at + event_interval, $1::timestamptz), $1::timestamptz)
  end`

/** The organizations with pending changes: whether changes of some premises are due at $1, and when the next of the others are. */
export const PENDING = `
select c.organization_id, bool_or(publishable_at is null) as is_due, min(publishable_at) as next_at
from (
  select organization_id, place_id, min(at) as appended_at from pending_change group by organization_id, place_id
) c
cross join lateral (select id, tracking_mode, anonymous_until from organization where id = c.organization_id limit 1) o
cross join lateral (select at as feed_at from presence_feed where organization_id = c.organization_id limit 1) f
left join lateral (select event_grain from stay_policy where organization_id = c.organization_id limit 1) p on true
cross join lateral (
  select published_at from presence_totals where organization_id = c.organization_id and place_id = c.place_id limit 1
) t
cross join lateral (select ${INTERVALS}) i
cross join lateral (select ${publishableAt("appended_at")} as publishable_at) due
group by c.organization_id
order by c.organization_id`

/** Locks those feeds of the organizations $1 that no other transaction has locked. */
export const LOCK_FREE_FEEDS = `
select organization_id from presence_feed where organization_id = any($1::bigint[])
order by organization_id
for no key update skip locked`

/** Locks the feed of the organization $1. Answers whether it has a publishing interval. */
export const LOCK_FEED = `
select ${publishingInterval("o", "p.event_grain")} is not null as has_publishing_interval
from presence_feed f
join organization o on o.id = f.organization_id
left join stay_policy p on p.organization_id = f.organization_id
where f.organization_id = $1::bigint
for no key update of f`

/**
 * Whether a pending change `c` of premises with the totals `t` is published at $1. `f` is the feed. Corrections and other changes of
 * premises are published apart, the kind first of which the earlier change is; with a publishing interval at the same multiple.
 */
const IS_DUE = `${publishableAt("feed_at")} is null
    and (not f.has_corrections or publishing_interval is not null or c.is_correction = (
      select is_correction from pending_change
      where organization_id = $2::bigint and place_id = c.place_id
      order by at, is_correction
      limit 1
    ))
    and (publishing_interval is null or c.at <= f.moment or c.at > $1::timestamptz + ${CLOCK_DIFFERENCE})`

/** The rule `isInMeanStay`. */
const IS_IN_MEAN_STAY = "(feed.tracking_mode = 'anonymous' or not taken.is_anonymous)"

/**
 * Publishes pending changes of the organization $2 at $1, by the rules `publishChange` and `eventAt`. The transaction holds the lock of
 * the feed. Answers whether there are new events, and when the changes may be published that a publishing interval leaves.
 */
const publish = (condition: string) => `
with feed as materialized (
  select f.version, o.tracking_mode, ${credible("f.at", "$1::timestamptz")} as feed_at, i.*,
    ${momentAt("publishing_interval", "$1::timestamptz")} as moment,
    exists (select from pending_change where organization_id = $2::bigint and is_correction) as has_corrections
  from presence_feed f
  join organization o on o.id = $2::bigint
  left join stay_policy p on p.organization_id = $2::bigint
  cross join lateral (select ${INTERVALS}) i
  where f.organization_id = $2::bigint
),
taken as (
  delete from pending_change c
  using feed f, presence_totals t
  where c.organization_id = $2::bigint and t.organization_id = $2::bigint and t.place_id = c.place_id and ${condition}
  returning c.*
),
changed as materialized (
  select *, ${NEXT_LEVEL} as next_level
  from (
    select s.*, t.capacity, t.warn_from, t.level,
      t.entered - t.departed + sum(s.entered - s.departed) over (partition by s.place_id)::bigint as inside,
      t.entered - t.departed + sum(s.entered - s.departed) over (partition by s.place_id order by s.is_correction)::bigint as inside_then,
      row_number() over (partition by s.place_id order by s.is_correction desc) = 1 as is_last
    from (
      select place_id, sum(entered)::bigint as entered, sum(departed)::bigint as departed, sum(exits)::bigint as exits,
        sum(case when ${IS_IN_MEAN_STAY} then exits else 0 end)::bigint as measured,
        sum(case when ${IS_IN_MEAN_STAY} then stayed else 0 end)::bigint as stayed, sum(counted_out)::bigint as counted_out, bool_and(is_correction) as is_correction,
        max(at) as appended_at
      from taken
      cross join feed
      group by place_id, case when feed.publishing_interval is not null then is_correction end
    ) s
    join presence_totals t on t.organization_id = $2::bigint and t.place_id = s.place_id
  ) sums
),
event as (
  insert into presence_event (
    organization_id, version, at, type, place_id, inside, entered, departed, exits, stayed, level, capacity, corrected
  )
  select $2::bigint, f.version + row_number() over feed,
    greatest(feed_at, max(coalesce(f.moment, appended_at)) over feed), data.*
  from changed c
  cross join feed f
  cross join lateral (
    select 'presence.changed' as type, place_id, inside_then as inside, entered, departed, measured, stayed, null::text, null::bigint,
      nullif(is_correction, false)
    where entered + departed > 0
    union all
    select 'capacity.changed', place_id, inside, null, null, null, null, next_level, capacity, null
    where next_level <> level and is_last
  ) data
  window feed as (order by coalesce(f.moment, appended_at), c.place_id, data.type desc, c.is_correction)
  returning version, at
),
new_totals as (
  update presence_totals t set
    entered = t.entered + c.entered, departed = t.departed + c.departed, exits = t.exits + c.exits,
    counted_out = t.counted_out + c.counted_out, level = c.next_level,
    published_at = coalesce(f.moment, $1::timestamptz)
  from (
    select place_id, sum(entered)::bigint as entered, sum(departed)::bigint as departed, sum(exits)::bigint as exits,
      sum(counted_out)::bigint as counted_out, max(next_level) as next_level
    from changed
    group by place_id
  ) c
  cross join feed f
  where t.organization_id = $2::bigint and t.place_id = c.place_id
),
new_feed as (
  update presence_feed f set version = e.version, at = e.at
  from (select max(version) as version, max(at) as at from event) e
  where f.organization_id = $2::bigint and e.version is not null
)
select e.has_events, case when e.has_events then ${notify("$2::bigint")} end, (
    select greatest(
      ${multipleFrom("f.publishing_interval", "min(c.at)")}, ${multipleFrom("f.publishing_interval", "f.feed_at")}
    )
    from pending_change c
    where c.organization_id = $2::bigint and c.at > f.moment and c.at <= $1::timestamptz + ${CLOCK_DIFFERENCE}
    having count(*) > 0
    union all
    select $1::timestamptz where f.has_corrections and f.event_interval = interval '0'
    limit 1
  ) as next_at
from feed f
cross join (select exists (select from event) as has_events) e`

/**
 * Notes that the organization $1 is anonymous no longer at $2: later events have no exit of an anonymous stay. The transaction holds the
 * lock of the feed.
 */
export const END_ANONYMITY = `
update organization o set anonymous_until = greatest(o.anonymous_until, f.at, $2::timestamptz)
from presence_feed f
where o.id = $1::bigint and f.organization_id = $1::bigint`

/** Publishes the changes that are due. */
export const PUBLISH_DUE = publish(IS_DUE)

/** Publishes all changes of one premises, $3, whatever is due. */
export const PUBLISH_PREMISES = publish("c.place_id = $3::bigint")

/**
 * Adds the events $3, a JSON array of the columns, to the feed of $1 at $2, in one statement with `writes`. The transaction holds the lock of the feed if it
 * has a publishing interval. `placeId` is the place of an event in SQL, where it is another one.
 */
export const publishEventsWith = (writes: string, placeId = "place_id") => `
with ${writes}data as materialized (
  select * from rows from (json_to_recordset($3::json) as (
    type text, place_id bigint, entered bigint, departed bigint, inside bigint, level text, capacity bigint, changed text,
    muster_id bigint, state text, place_level smallint, parent_id bigint,
    device_id bigint, corrected boolean
  )) with ordinality as data (
    type, place_id, entered, departed, inside, level, capacity, changed, muster_id, state, place_level, parent_id,
    device_id, corrected, n
  )
),
feed as (
  update presence_feed set
    version = version + (select count(*) from data), at = greatest(${credible("at", "$2::timestamptz")}, $2::timestamptz)
  where organization_id = $1::bigint
  returning version - (select count(*) from data) as version, at
)
insert into presence_event (
  organization_id, version, at, type, place_id, entered, departed, inside, exits, stayed, level, capacity, changed, muster_id,
  state, place_level, parent_id, device_id, corrected
)
select $1::bigint, feed.version + n, feed.at, type, coalesce(${placeId}, 0), entered, departed, inside,
  case type when 'presence.changed' then 0 end, case type when 'presence.changed' then 0 end, level, capacity, changed,
  muster_id, state, place_level, parent_id, device_id, corrected
from feed
cross join data
returning place_id, ${notify("$1::bigint")}`

export const PUBLISH_EVENTS = publishEventsWith("")
