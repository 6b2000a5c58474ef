/**
 * The statements that collect and erase personal data. Those on a person have the organization as `$1` and the person as `$2`,
 * the others the data subject as `$1`.
 */

import { forgetImports } from "../imports/imports.sql.ts"
import { appendEnds } from "../feed/pendingChanges.sql.ts"

/** Every place of the organization $1, and 0: stays are found by their index, premises by premises. */
const EVERYWHERE =
  "place_id = any(array(select 0::bigint union all select id from place where organization_id = $1::bigint))"
const OF_PERSON = "organization_id = $1::bigint and person = $2::text"

export const LINKS_OF_USER = `
select organization_id, org_auth_server_id from account_link where user_id = $1::text order by organization_id`

export const LINKS_OF_PERSON = `
select user_id from account_link where organization_id = $1::bigint and org_auth_server_id = $2::text`

export const FAVORITES_OF_USER = "select * from favorite where user_id = $1::text"

export const FAVORITES_OF_PERSON = `
select * from favorite where organization_id = $1::bigint and org_auth_server_id = $2::text`

export const OPEN_STAYS = `select * from open_stay where ${OF_PERSON} and ${EVERYWHERE}`
/** A long history is read in portions, so that no other request waits until all its rows are decoded. */
export const OPEN_HISTORY = `
declare history no scroll cursor for
select * from stay where ${OF_PERSON} and ${EVERYWHERE} order by entered_at, id`
export const PORTION_ROWS = 1_000
export const READ_HISTORY = `fetch ${PORTION_ROWS} from history`
export const CLOSE_HISTORY = "close history"
/** By names, as a view of this table on Citus has more columns (`SYSTEM_COLUMNS`), which are no text that can be decoded. */
export const RETRIED = `select organization_id, place_id, entered_at, used_at from entrance_retry where ${OF_PERSON}`

export const ACCOUNT = `
select administrator_id, mail, is_invitation, is_mail_unproved, password_hash is not null as has_password
from administrator_account where administrator_id = $1::text`

export const ACCOUNT_BY_MAIL = "select administrator_id from administrator_account where mail_key = $1::text"

export const NOMINATIONS = `
select organization_id, level from permission
where nominated_by = $1::text and administrator_id <> $1::text order by organization_id, granted`

/** The organizations with a permission that an administrator holds or has nominated, or with a place that they searched in a muster. */
export const ORGANIZATIONS_OF_ADMINISTRATOR = `
select organization_id, bool_or(is_bound) as is_bound
from (
  select organization_id, administrator_id = $1::text as is_bound
  from permission where administrator_id = $1::text or nominated_by = $1::text
  union all
  select organization_id, false from muster where swept_by @> array[$1::text]
) named
group by organization_id order by organization_id`

/** Deletes closed stays, with the keys of those that were imported, and returns their number and total time for each place, which reports lose. */
export const ERASE_HISTORY = `
with gone as (
  delete from stay where ${OF_PERSON} and ${EVERYWHERE}
  returning place_id, id, (extract(epoch from exited_at - entered_at) * 1000)::bigint as milliseconds
),${forgetImports("gone")}
select place_id, count(*) as accesses, sum(milliseconds)::bigint as milliseconds from gone group by place_id`

/** $3 now. */
export const ERASE_OPEN = `
with gone as (
  delete from open_stay where ${OF_PERSON} and ${EVERYWHERE} returning organization_id, place_id
),${appendEnds("gone", "$3")}
select place_id from gone`
export const ERASE_RETRIED = `delete from entrance_retry where ${OF_PERSON} returning stay_id`

export const ERASE_LINKS_OF_USER = `
delete from account_link where user_id = $1::text returning organization_id, org_auth_server_id`

export const ERASE_LINK_OF_PERSON = `
delete from account_link where organization_id = $1::bigint and org_auth_server_id = $2::text returning user_id`

export const ERASE_FAVORITES = "delete from favorite where user_id = $1::text returning organization_id"

export const CLEAR_FAVORITES = `
update favorite set org_auth_server_id = null
where organization_id = $1::bigint and org_auth_server_id = $2::text returning user_id`

export const CLEAR_PERMISSIONS = `
update permission set org_auth_server_id = null
where organization_id = $1::bigint and org_auth_server_id = $2::text returning administrator_id`

export const ERASE_PERMISSIONS = "delete from permission where administrator_id = $1::text returning organization_id"

export const CLEAR_NOMINATIONS = `
update permission set nominated_by = $2::text where nominated_by = $1::text returning organization_id`

export const CREATED_WEBHOOKS = `
select id, organization_id, creation_date from webhook where created_by = $1::text order by id`

/** Rows are locked in the order of their ids, as by all statements that lock several. */
export const CLEAR_CREATOR = `
with owned as materialized (select id from webhook where created_by = $1::text order by id for no key update)
update webhook w set created_by = $2::text from owned where w.id = owned.id returning w.id`

export const CLEAR_REQUESTS = `
update deletion_request set administrator_id = $2::text, reason = null where administrator_id = $1::text returning id`

export const CLEAR_DECISIONS = `
update deletion_request set decided_by = $2::text where decided_by = $1::text returning id`

/** $2 the mail address that the account must still have, or null. */
export const ERASE_ACCOUNT = `
delete from administrator_account
where administrator_id = $1::text and ($2::text is null or mail_key = $2::text)
returning administrator_id`

export const ENTER = `
insert into erasure (organization_id, day, people, accesses, open_stays, total_time)
values ($1::bigint, $2::text::date, $3::bigint, $4::bigint, $5::bigint, $6::bigint)
on conflict (organization_id, day) do update set
  people = erasure.people + excluded.people,
  accesses = erasure.accesses + excluded.accesses,
  open_stays = erasure.open_stays + excluded.open_stays,
  total_time = erasure.total_time + excluded.total_time`

export const LEDGER = `
select o.id as organization_id, to_char(e.day, 'YYYY-MM-DD') as day, e.people, e.accesses, e.open_stays, e.total_time
from organization o
left join erasure e on e.organization_id = o.id
where o.id = $1::bigint
order by e.day`
