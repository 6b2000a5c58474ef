/** The statements of devices. */

/** A device with its premises in their order, as text: 0 is the organization as a whole. */
const SELECT = `
select d.*, coalesce((
    select array_agg(p.place_id order by p.position)::text from device_premises p
    where p.organization_id = d.organization_id and p.device_id = d.id
  ), '{}') as place_ids
from device d`

export const LIST = `${SELECT} where d.organization_id = $1::bigint order by d.creation_date, d.id`

export const GET = `${SELECT} where d.id = $1::bigint`

/** Whether an organization has the places $2, and how many devices it has. */
export const CREATION_FACTS = `
select
  (select count(*)::int from device where organization_id = $1::bigint) as devices,
  (select array_agg(id)::text from place where organization_id = $1::bigint and id = any($2::bigint[])) as known`

/** $1 the organization, $2 the name, $3 now, $4 the hash of the token, $5 the places in their order. */
export const CREATE = `
with made as (
  insert into device (organization_id, name, creation_date, token_hash)
  values ($1::bigint, $2::text, $3::timestamptz, $4::text)
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

/** The devices that are silent at $1 by `silentFrom`, at most $2; $3 is `DEFAULT_SILENT_AFTER`. It skips those that report now. */
const silent = (which: string) => `
select d.id, d.organization_id from device d
left join stay_policy p on p.organization_id = d.organization_id
where ${which} and d.state = 'ok' and d.seen_at <= $1::timestamptz - coalesce(p.device_silent_after, $3::bigint) * interval '1 second'
order by d.organization_id, d.id
limit $2::bigint
for no key update of d skip locked`

export const SILENT = silent("true")

/** Those of the organization $4. */
export const SILENT_OF = silent("d.organization_id = $4::bigint")

/** The organizations with devices that may be silent. */
export const WITH_DEVICES = "select distinct organization_id from device where state = 'ok' order by organization_id"

export const MARK_SILENT = "update device set state = 'silent' where id = any($1::bigint[])"

/** Takes the place $2 of the organization $1 out of all devices, with what was counted there. */
export const LEAVE_PLACE = [
  "delete from device_premises where organization_id = $1::bigint and place_id = $2::bigint",
  "delete from device_epoch where organization_id = $1::bigint and place_id = $2::bigint",
  "delete from counted_people where organization_id = $1::bigint and place_id = $2::bigint"
]
