/**
 * Statements of the stay log beside those on movements (`anonymous.sql.ts`, `identified.sql.ts`). Each names the organization and the
 * place (0: the organization as a whole), which begin every key that it uses.
 */

import { OF_PREMISES } from "../database/premises.sql.ts"

/** The facts that a movement is decided on; no row where the premises do not exist. `user` is a parameter. */
const factsFor = (user: string) => `
  select o.tracking_mode, l.org_auth_server_id as linked
  from organization o
  left join account_link l on l.organization_id = o.id and l.user_id = ${user}::text
  where ${OF_PREMISES}`

/** The tracking mode of premises, and the person whom a user is linked to: $3 the user. */
export const FACTS = factsFor("$3")

/** Has entrances with the retry key $2 in the organization $1 follow each other: what the first one ended, the others do not look for. */
export const LOCK_RETRY_KEY = "select pg_advisory_xact_lock(hashtextextended(current_schema() || $2::text, $1::bigint))"

/** Whether the retry key $3 was used after $4. */
export const IS_REPEATED = `
select from entrance_retry
where organization_id = $1::bigint and place_id = $2::bigint and retry_key = $3::text and used_at > $4::timestamptz`

/** Locks the link of the user $2, so that the entrances of one person that end others follow each other. */
export const LOCK_LINK = `
select from account_link where organization_id = $1::bigint and user_id = $2::text for no key update`

/** The ancestors of the place $2, if the places of the organization $1 are exclusive. */
export const EXCLUSIVE_PLACE = `
select p.ancestors from place p
join stay_policy s on s.organization_id = p.organization_id and s.exclusive_places
join organization o on o.id = p.organization_id and o.tracking_mode = 'authenticated'
where p.organization_id = $1::bigint and p.id = $2::bigint`

/** The open stays of the organization $1 with the ids $2, and those of the person $3. */
export const OTHER_STAYS = `
select s.place_id, s.id, s.person, s.key_id, s.entered_at
from (
  select 0::bigint as place_id
  union all
  select id from place where organization_id = $1::bigint
) premises
cross join lateral (
  select * from open_stay where organization_id = $1::bigint and place_id = premises.place_id and id = any($2::bigint[])
  union
  select * from open_stay where organization_id = $1::bigint and place_id = premises.place_id and person = $3::text
) s`

/** Deletes a retry key that is expired: $3 the key, $4 the instant at and before which it was used. */
export const FORGET = `
delete from entrance_retry
where organization_id = $1::bigint and place_id = $2::bigint and retry_key = $3::text and used_at <= $4::timestamptz`

/** Deletes at most $2 retry keys that were used at or before $1, and returns how many. */
export const FORGET_SOME = `
with forgotten as (
  delete from entrance_retry
  where ctid = any(array(select ctid from entrance_retry where used_at <= $1::timestamptz or used_at > $3::timestamptz limit $2::bigint))
  returning 1
)
select count(*) as count from forgotten`

/** The facts and the stay, open or closed: $3 the stay, $4 the user. */
export const STAY_OF_EXIT = `
with facts as (${factsFor("$4")}
)
select facts.tracking_mode, facts.linked, s.person, s.entered_at, s.exited_at
from facts
left join (
  select person, entered_at, null::timestamptz as exited_at
  from open_stay where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
  union all
  select person, entered_at, exited_at
  from stay where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
) s on true`
