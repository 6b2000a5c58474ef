/** The statements of devices. */
import { CLOCK_DIFFERENCE } from "../database/clocks.sql.ts"
import { forReader } from "../database/levels.ts"
import { publishingInterval } from "../feed/interval.sql.ts"

/** A device at `now` with its premises in their order, as text (0 is the organization as a whole), and its drift by the rule `publishedDrift`. */
const select = (now: string) => `
select d.*, coalesce(p.place_ids, '{}') as place_ids, d.drift + coalesce(p.drift, 0) as whole_drift
from device d
cross join lateral (
  select ${publishingInterval("o", "s.event_grain")} as publishing_interval
  from organization o left join stay_policy s on s.organization_id = o.id
  where o.id = d.organization_id
) i
cross join lateral (
  select array_agg(place_id order by position)::text as place_ids,
    sum(case when drift_at > date_bin(publishing_interval, ${now}, timestamptz 'epoch') then drift_before else drift end)::bigint
      as drift
  from device_premises where organization_id = d.organization_id and device_id = d.id
) p`

/** $3 now. */
export const LIST = forReader(
  `${select("$3::timestamptz")} where d.organization_id = $1::bigint`,
  "r.creation_date, r.id"
)

/** $2 now. */
export const GET = `${select("$2::timestamptz")} where d.id = $1::bigint`

/** Whether an organization has the places $2, and how many devices it has. */
export const CREATION_FACTS = `
select
  (select count(*)::int from device where organization_id = $1::bigint) as devices,
  (select array_agg(id)::text from place where organization_id = $1::bigint and id = any($2::bigint[])) as known`

/** $1 the organization, $2 the name, $3 now, $4 the hash of the token, $5 the places in their order, $6 the kind. */
export const CREATE = `
with made as (
  insert into device (organization_id, name, creation_date, token_hash, kind)
  values ($1::bigint, $2::text, $3::timestamptz, $4::text, $6::text)
  returning id
),
premises as (
  insert into device_premises (organization_id, device_id, place_id, position)
  select $1::bigint, made.id, a.place_id, a.position
  from made cross join unnest($5::bigint[]) with ordinality as a (place_id, position)
)
select id from made`

export const LOCK = "select organization_id from device where id = $1::bigint for no key update"

/** Gives the device $1 the tokens: $2 the current one, $3 the former one, $4 until when it is valid. */
export const SET_TOKENS = `
update device set token_hash = $2::text, former_hash = $3::text, former_until = $4::timestamptz where id = $1::bigint`

/** Deletes the device $2 of the organization $1. */
export const REMOVE = [
  "delete from device_epoch where organization_id = $1::bigint and device_id = $2::bigint",
  "delete from device_premises where organization_id = $1::bigint and device_id = $2::bigint",
  "delete from device where organization_id = $1::bigint and id = $2::bigint"
]

/** The devices that have one of the hashes $1. */
export const BY_TOKENS = `
select d.* from unnest($1::text[]) as k (hash) join device d on d.token_hash = k.hash
union all
select d.* from unnest($1::text[]) as k (hash) join device d on d.former_hash = k.hash`

/** Those of the devices $1 that were not removed. */
export const EXISTING = "select id from device where id = any($1::bigint[])"

/**
 * The displays $1, seen at $2, to be recorded at $3 by `isNewSighting`; $4 is `DEFAULT_SILENT_AFTER_SECONDS`. Left out are sightings shortly
 * after the last one that was recorded, of the same minute: of a display that shows all day, one in 10 s is written. It skips those that are changed now.
 */
export const SIGHTED = `
select d.id, d.organization_id, d.state, s.at
from unnest($1::bigint[], $2::timestamptz[]) as s (id, at)
join device d on d.id = s.id
left join stay_policy p on p.organization_id = d.organization_id
where d.kind = 'display' and (
  d.seen_at is null or d.seen_at > $3::timestamptz + ${CLOCK_DIFFERENCE} or d.seen_at < s.at and (
    d.state <> 'ok' or date_trunc('minute', d.seen_at) <> date_trunc('minute', s.at)
    or d.seen_at <= $3::timestamptz - least(10, coalesce(p.device_silent_after, $4::bigint) / 2.0) * interval '1 second'
  )
)
order by d.organization_id, d.id
for no key update of d skip locked`

/** Records that the displays $1 were seen at $2. */
export const RECORD_SIGHTINGS = `
update device d set state = 'ok', seen_at = s.at
from unnest($1::bigint[], $2::timestamptz[]) as s (id, at) where d.id = s.id`

/**
 * The devices that are silent at $1 by `silentFrom`, or else behind by `behindFrom`, at most $2; $3 is `DEFAULT_SILENT_AFTER_SECONDS`, $4
 * `BEHIND_AFTER_MS`, and $5 `SIGHTING_DELAY_MS`. It skips those that report now.
 */
const lapsed = (which: string) => `
select d.id, d.organization_id, s.state
from device d
left join stay_policy p on p.organization_id = d.organization_id
cross join lateral (
  select case
    when d.seen_at <= $1::timestamptz - coalesce(p.device_silent_after, $3::bigint) * interval '1 second'
      - case d.kind when 'display' then $5::bigint else 0 end * interval '1 ms' then 'silent'
    when d.state = 'ok' and d.seen_at > d.below_since and d.below_since <= $1::timestamptz - $4::bigint * interval '1 ms' then 'behind'
  end as state
) s
where ${which} and d.state in ('ok', 'behind') and s.state is not null
order by d.organization_id, d.id
limit $2::bigint
for no key update of d skip locked`

export const LAPSED = lapsed("true")

/** Has devices that sent a reading later than $1, by a clock that was ahead, send it at $1. It skips those that report now. */
export const SEEN_AHEAD = `
update device set seen_at = $1::timestamptz where id = any(array(
  select id from device where state in ('ok', 'behind') and seen_at > $1::timestamptz + ${CLOCK_DIFFERENCE}
  order by organization_id, id
  for no key update skip locked
))`

/** Those of the organization $6. */
export const LAPSED_OF = lapsed("d.organization_id = $6::bigint")

/** The organizations with devices that may lapse. */
export const WITH_DEVICES =
  "select distinct organization_id from device where state in ('ok', 'behind') order by organization_id"

/** Writes the states $2 of the devices $1. */
export const MARK = `
update device d set state = s.state from unnest($1::bigint[], $2::text[]) as s (id, state) where d.id = s.id`

/** Takes the place $2 of the organization $1 out of all devices, with what was counted there. Their drift stays. */
export const LEAVE_PLACE = [
  `update device d set drift = d.drift + p.drift from device_premises p
  where p.organization_id = $1::bigint and p.place_id = $2::bigint and p.drift <> 0 and d.id = p.device_id`,
  "delete from device_premises where organization_id = $1::bigint and place_id = $2::bigint",
  "delete from device_epoch where organization_id = $1::bigint and place_id = $2::bigint",
  "delete from counted_people where organization_id = $1::bigint and place_id = $2::bigint"
]
