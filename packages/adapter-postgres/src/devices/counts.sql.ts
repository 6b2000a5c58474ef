/** The statements of people counted. Each transaction that writes them runs {@link LOCK_PLACES} first. */
import { REMEMBERED_EPOCHS } from "@sojourn/core"
import { CLOCK_DIFFERENCE } from "../database/clocks.sql.ts"
import { INSIDE } from "../feed/capacity.sql.ts"
import { publishingInterval } from "../feed/interval.sql.ts"
import { OF_PREMISES } from "../database/premises.sql.ts"

/** No place is deleted until the transaction ends: its deletion locks this table in a mode that conflicts. */
export const LOCK_PLACES = "lock table open_stay in row exclusive mode"

/** Locks the devices $1. */
export const DEVICES = `
select id, organization_id, state, seen_at, below_since, begun_since, begun_people from device where id = any($1::bigint[]) order by id for no key update`

/** The premises of the devices $2, whose organizations are $1, and the number of the newest epoch there. */
export const PREMISES = `
select p.device_id, p.place_id, p.newest
from unnest($1::bigint[], $2::bigint[]) as d (organization_id, id)
join device_premises p on p.organization_id = d.organization_id and p.device_id = d.id`

const KEYS =
  "select distinct organization_id, place_id from unnest($1::bigint[], $2::bigint[]) as k (organization_id, place_id)"

/** Locks the numbers of the premises ($1, $2). */
export const LOCK_COUNTED = `
select c.organization_id, c.place_id, c.counted, c.missing, c.corrected_until
from (${KEYS}) k
join counted_people c on c.organization_id = k.organization_id and c.place_id = k.place_id
order by c.organization_id, c.place_id
for no key update of c`

/** Adds the numbers of the premises ($1, $2) where there are none. */
export const ADD_COUNTED = `
insert into counted_people (organization_id, place_id) select * from (${KEYS}) k order by 1, 2 on conflict do nothing`

/** The epochs of readings, where they are known: $1 their organizations, $2 devices, $3 places, $4 names. */
export const EPOCHS = `
select e.device_id, e.place_id, e.epoch, e.number, e.in_total, e.out_total
from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) as k (organization_id, device_id, place_id, epoch)
join device_epoch e on e.organization_id = k.organization_id and e.device_id = k.device_id and e.place_id = k.place_id
  and e.epoch = k.epoch`

/** Writes the devices that sent readings: $1 their ids, $2 states, $3 since when they are below, $4 and $5 what new epochs counted, $6 now. */
export const SEEN = `
update device d set state = s.state, below_since = s.below_since, begun_since = s.begun_since, begun_people = s.begun_people,
  seen_at = case when d.seen_at > s.now + ${CLOCK_DIFFERENCE} then s.now else greatest(d.seen_at, s.now) end
from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::timestamptz[])
  as s (id, state, below_since, begun_since, begun_people, now)
where d.id = s.id`

/** The first multiple of an interval since the Unix epoch that is not before `at`: null without an interval. */
const multipleFrom = (interval: string, at: string) =>
  `date_bin(${interval}, ${at} + ${interval} - interval '1 microsecond', timestamptz 'epoch')`

/** The publishing interval of the organization `id`, which is SQL. */
const intervalOf = (id: string) => `(
  select ${publishingInterval("o", "s.event_grain")} as publishing_interval
  from organization o left join stay_policy s on s.organization_id = o.id
  where o.id = ${id}
)`

/**
 * Changes the drift of devices at premises by the rule `changeDrift`: $1 organizations, $2 devices, $3 places, $4 changes, $5 now. Their
 * numbers are locked.
 */
export const WRITE_DRIFT = `
update device_premises p set drift = p.drift + c.change, drift_at = c.now,
  drift_before = case
    when ${multipleFrom("c.publishing_interval", "p.drift_at")} = ${multipleFrom("c.publishing_interval", "c.now")} then p.drift_before
    else p.drift
  end
from (
  select c.*, ${intervalOf("c.organization_id")} as publishing_interval
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[])
    as c (organization_id, device_id, place_id, change, now)
) c
where p.organization_id = c.organization_id and p.device_id = c.device_id and p.place_id = c.place_id`

/** Writes epochs, and forgets those that are not remembered beside them (`isRememberedEpoch`): $1 organizations, $2 devices, $3 places, $4 names, $5 numbers, $6 and $7 totals. */
export const WRITE_EPOCHS = `
with written as (
  insert into device_epoch (organization_id, device_id, place_id, epoch, number, in_total, out_total)
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
  on conflict (organization_id, device_id, place_id, epoch) do update
    set in_total = excluded.in_total, out_total = excluded.out_total
),
latest as materialized (
  select organization_id, device_id, place_id, max(number) as newest
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $5::bigint[]) as e (organization_id, device_id, place_id, number)
  group by organization_id, device_id, place_id
),
forgotten as (
  delete from device_epoch d using latest e
  where d.organization_id = e.organization_id and d.device_id = e.device_id and d.place_id = e.place_id
    and d.number <= e.newest - ${REMEMBERED_EPOCHS}
)
update device_premises p set newest = e.newest
from latest e
where p.organization_id = e.organization_id and p.device_id = e.device_id and p.place_id = e.place_id
  and p.newest < e.newest`

/**
 * Writes the numbers of premises ($1, $2), and appends their changes: $3 the numbers, $4 how many were counted in, $5 out, $6 now, and $7 what is missing.
 */
export const WRITE_COUNTED = `
with written as (
  update counted_people c set counted = k.counted, missing = k.missing
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $7::text[]) as k (organization_id, place_id, counted, missing)
  where c.organization_id = k.organization_id and c.place_id = k.place_id
)
insert into pending_change (organization_id, place_id, entered, departed, counted, counted_out, at)
select organization_id, place_id, entered, departed, entered - departed, departed, now
from unnest($1::bigint[], $2::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[])
  as c (organization_id, place_id, entered, departed, now)
where entered + departed > 0`

/**
 * Corrects the numbers of the premises `which` of the organization $1 to $2 at $3. With a publishing interval the correction takes the place of
 * what devices have counted and will count there until the next multiple, with its drift, so that it reveals nothing of it. The transaction
 * holds the locks of the numbers, and then that of the feed.
 */
const correct = (which: string) => `
with corrected as materialized (
  select c.place_id, c.counted, i.*
  from counted_people c
  cross join lateral (
    select publishing_interval, ${multipleFrom("publishing_interval", "$3::timestamptz")} as until
    from ${intervalOf("$1::bigint")} i
  ) i
  where c.organization_id = $1::bigint${which}
),
withdrawn as (
  delete from pending_change d
  using corrected c
  where d.organization_id = $1::bigint and d.place_id = c.place_id and c.publishing_interval is not null
    and (d.counted <> 0 or d.counted_out <> 0)
  returning d.place_id, d.counted
),
undrifted as (
  update device_premises d set drift = d.drift_before, drift_at = null
  from corrected c
  where d.organization_id = $1::bigint and d.place_id = c.place_id and ${multipleFrom("c.publishing_interval", "d.drift_at")} = c.until
),
written as (
  update counted_people n set counted = $2::bigint, missing = default, corrected_until = c.until
  from corrected c
  where n.organization_id = $1::bigint and n.place_id = c.place_id
)
insert into pending_change (organization_id, place_id, entered, departed, counted, is_correction, at)
select $1::bigint, place_id, greatest(change, 0), greatest(-change, 0), change, true, $3::timestamptz
from (
  select place_id, $2::bigint - counted
    + coalesce((select sum(w.counted)::bigint from withdrawn w where w.place_id = c.place_id), 0) as change
  from corrected c
) changes
where change <> 0
returning departed`

/** Corrects the number of the place $4. */
export const CORRECT = correct(" and c.place_id = $4::bigint")

/** Corrects the numbers of the premises $4 to $5. Answers how many people each takes off. */
export const CORRECT_ALL = correct(" and c.place_id between $4::bigint and $5::bigint")

/** Locks the numbers of the premises $2 to $3 of the organization $1. */
export const LOCK_ALL_COUNTED = `
select from counted_people where organization_id = $1::bigint and place_id between $2::bigint and $3::bigint
order by place_id for no key update`

/**
 * How many people devices count at the place `placeId` of the organization $1, without what is not published yet where it
 * `hasInterval` (both are SQL); null before anything was counted there.
 */
export const publishedCounted = (placeId: string, hasInterval: string) => `(
  select c.counted - case when ${hasInterval} then coalesce((
    select sum(counted)::bigint from pending_change where organization_id = $1::bigint and place_id = ${placeId}
  ), 0) else 0 end
  from counted_people c where c.organization_id = $1::bigint and c.place_id = ${placeId}
)`

/** The people of premises, and the level of an administrator: $1 the organization, $2 the place, $3 who. */
export const PEOPLE = `
select p.level as permission, ${INSIDE} as inside,
  coalesce(${publishedCounted("$2::bigint", `${publishingInterval("o", "s.event_grain")} is not null`)}, 0) as counted
from organization o
join presence_totals t on t.organization_id = o.id and t.place_id = $2::bigint
left join permission p on p.organization_id = o.id and p.administrator_id = $3::text
left join stay_policy s on s.organization_id = o.id
where ${OF_PREMISES}`
