/**
 * The statements of readings. Each reads the facts that decide who may read, and the data. For a reader who may not read, the
 * data is looked up by null, which costs nothing.
 *
 * Stays are looked up in `lateral` parts that cannot be joined in another order (`limit`, `offset`): a session keeps one plan,
 * and one that was made on an almost empty table could be a full scan.
 */

import { OF_PREMISES } from "../database/premises.sql.ts"
import { hasPublishingInterval } from "../feed/interval.sql.ts"

/** An administrator's level at some premises: $1 the organization, $2 the place (0: the organization as a whole), $3 who. */
const reader = `
  select p.level, case when p.level is not null then o.id end as organization_id
  from organization o
  left join permission p on p.organization_id = o.id and p.administrator_id = $3::text
  where ${OF_PREMISES}`

/**
 * The number of open stays, for each row of the arrays whose premises exist: $1 the organization, $2 the place, $3 the
 * administrator. It is what the feed published, and without a publishing interval what is pending, which costs the same
 * for every crowd; the policy is looked up only where something is. Premises of several rows are counted once, in the row of an administrator who may know the number.
 */
export const COUNT_OPEN = `
select n::int as n, level,
  case when level is not null and row_number() over (partition by organization_id, place_id order by level is null) = 1
    then (
      select coalesce((
        select entered - departed from presence_totals h
        where h.organization_id = reading.organization_id and h.place_id = reading.place_id
      ), 0) + case
        when pending is null then 0
        when ${hasPublishingInterval("reading.organization_id")} then 0
        else pending
      end
      from (
        select sum(entered - departed)::bigint as pending from pending_change d
        where d.organization_id = reading.organization_id and d.place_id = reading.place_id
      ) recorded
    )
  end as inside
from (
  select a.n, a.organization_id, a.place_id, p.level
  from unnest($1::bigint[], $2::bigint[], $3::text[]) with ordinality as a (organization_id, place_id, administrator_id, n)
  cross join lateral (select id from organization where id = a.organization_id limit 1) o
  left join lateral (
    select level from permission
    where organization_id = a.organization_id and administrator_id = a.administrator_id
    limit 1
  ) p on true
  where a.place_id = 0 or (
    select true from place where organization_id = a.organization_id and id = a.place_id limit 1
  )
) reading`

/**
 * Anonymous closed stays, for lists that are each an element of the arrays $1, their organizations, and $2, their places: $3
 * the ids that they ask for, and $4 which of the lists does; $5 and $6 the least and the greatest of these ids, by which PostgreSQL
 * leaves out partitions before it prepares to read them.
 */
export const CLOSED_BY_IDS = `
select a.n::int as n, s.entered_at, s.exited_at
from unnest($3::bigint[], $4::smallint[]) with ordinality as a (id, list, n)
cross join lateral (
  select entered_at, exited_at from stay
  where organization_id = ($1::bigint[])[a.list] and place_id = ($2::bigint[])[a.list] and id = a.id and person is null
    and id between $5::bigint and $6::bigint
  limit 1
) s`

/** Closed stays of people: $4 who. Each is looked for: of an array the planner expects ten, and would rather read the whole place. */
export const CLOSED_BY_PEOPLE = `
with reader as materialized (${reader}
)
select reader.level, s.id, s.person, s.entered_at, s.exited_at
from reader
left join lateral (
  select stays.* from (select distinct unnest($4::text[]) as person) wanted
  cross join lateral (
    select id, person, entered_at, exited_at from stay
    where organization_id = reader.organization_id and place_id = $2::bigint and person = wanted.person
    offset 0
  ) stays
) s on true`

/** A user's own closed stays: $1 the organization, $2 the place, $3 the user, $4 the person they ask for. */
export const CLOSED_BY_USER = `
with reader as materialized (
  select l.org_auth_server_id as linked, case l.org_auth_server_id when $4::text then $4::text end as person
  from organization o
  join account_link l on l.organization_id = o.id and l.user_id = $3::text
  where ${OF_PREMISES}
)
select reader.linked, s.id, s.person, s.entered_at, s.exited_at
from reader
left join lateral (
  select id, person, entered_at, exited_at from stay
  where organization_id = $1::bigint and place_id = $2::bigint and person = reader.person
  offset 0
) s on true`

export const TIME_PER_PERSON = `
with reader as materialized (${reader}
)
select reader.level, s.person, s.milliseconds
from reader
left join lateral (
  select person, sum((extract(epoch from exited_at - entered_at) * 1000)::bigint)::bigint as milliseconds
  from stay
  where stay.organization_id = reader.organization_id and place_id = $2::bigint and person is not null
  group by person
) s on true`
