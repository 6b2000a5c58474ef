/** The statements of people counted. Each transaction that writes them runs {@link LOCK_PLACES} first. */
import { INSIDE } from "../feed/capacity.sql.ts"
import { publishingInterval } from "../feed/interval.sql.ts"
import { OF_PREMISES } from "../database/premises.sql.ts"

/** No place is deleted until the transaction ends: its deletion locks this table in a mode that conflicts. */
export const LOCK_PLACES = "lock table open_stay in row exclusive mode"

/** Locks the devices $1. */
export const DEVICES = `
select id, organization_id, state from device where id = any($1::bigint[]) order by id for no key update`

/** The premises of the devices $2, whose organizations are $1, and the number of the newest epoch there. */
export const PREMISES = `
select p.device_id, p.place_id, p.newest
from unnest($1::bigint[], $2::bigint[]) as d (organization_id, id)
join device_premises p on p.organization_id = d.organization_id and p.device_id = d.id`

const KEYS =
  "select distinct organization_id, place_id from unnest($1::bigint[], $2::bigint[]) as k (organization_id, place_id)"

/** Locks the numbers of the premises ($1, $2). */
export const LOCK_COUNTED = `
select c.organization_id, c.place_id, c.counted
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

/** Writes the devices that sent readings: $1 their ids, $2 what is added to their drift, $3 now. */
export const SEEN = `
update device d set state = 'ok', seen_at = greatest(d.seen_at, s.now), drift = d.drift + s.missing
from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as s (id, missing, now)
where d.id = s.id`

/** Writes epochs: $1 organizations, $2 devices, $3 places, $4 names, $5 numbers, $6 and $7 totals. */
export const WRITE_EPOCHS = `
with written as (
  insert into device_epoch (organization_id, device_id, place_id, epoch, number, in_total, out_total)
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
  on conflict (organization_id, device_id, place_id, epoch) do update
    set in_total = excluded.in_total, out_total = excluded.out_total
)
update device_premises p set newest = e.newest
from (
  select organization_id, device_id, place_id, max(number) as newest
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $5::bigint[]) as e (organization_id, device_id, place_id, number)
  group by organization_id, device_id, place_id
) e
where p.organization_id = e.organization_id and p.device_id = e.device_id and p.place_id = e.place_id
  and p.newest < e.newest
returning p.organization_id, p.device_id, p.place_id, p.newest`

/** Forgets epochs of a device ($1, $2) at premises $3 up to the number $4. */
export const FORGET_EPOCHS = `
delete from device_epoch
where organization_id = $1::bigint and device_id = $2::bigint and place_id = $3::bigint and number <= $4::bigint`

/**
 * Writes the numbers of premises ($1, $2), and appends their changes: $3 the numbers, $4 how many were counted in, $5 out, and $6 now.
 */
export const WRITE_COUNTED = `
with written as (
  update counted_people c set counted = k.counted
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as k (organization_id, place_id, counted)
  where c.organization_id = k.organization_id and c.place_id = k.place_id
)
insert into pending_change (organization_id, place_id, entered, departed, counted, counted_out, at)
select organization_id, place_id, entered, departed, entered - departed, departed, now
from unnest($1::bigint[], $2::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[])
  as c (organization_id, place_id, entered, departed, now)
where entered + departed > 0`

/** Appends corrections of numbers by rows of `corrected`: `organization_id`, `place_id`, `change`. `now` is SQL. */
const appendCorrections = (now: string) => `
insert into pending_change (organization_id, place_id, entered, departed, counted, is_correction, at)
select organization_id, place_id, greatest(change, 0), greatest(-change, 0), change, true, ${now}
from corrected where change <> 0`

/** Corrects the number of the premises ($1, $2), which is locked, to $3 at $4. */
export const CORRECT = `
with corrected as (
  select organization_id, place_id, $3::bigint - counted as change from counted_people
  where organization_id = $1::bigint and place_id = $2::bigint
),
written as (
  update counted_people set counted = $3::bigint where organization_id = $1::bigint and place_id = $2::bigint
)
${appendCorrections("$4::timestamptz")}`

/** The organizations whose reset was due at $1. */
export const DUE_RESETS =
  "select organization_id from stay_policy where reset_at <= $1::timestamptz order by organization_id"

/** Locks the policy of $1 if its reset was due at $2. */
export const LOCK_DUE = `
select counted_reset_at, time_zone from stay_policy
where organization_id = $1::bigint and reset_at <= $2::timestamptz
for no key update`

export const SET_RESET = "update stay_policy set reset_at = $2::timestamptz where organization_id = $1::bigint"

/** Corrects all numbers of the organization $1 to 0 at $2. */
export const RESET = `
with corrected as materialized (
  select organization_id, place_id, -counted as change from counted_people
  where organization_id = $1::bigint and counted > 0
  order by place_id
  for no key update
),
written as (
  update counted_people c set counted = 0
  from corrected r
  where c.organization_id = $1::bigint and c.place_id = r.place_id
)
${appendCorrections("$2::timestamptz")}`

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
