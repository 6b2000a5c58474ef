/**
 * The statements on movements of any organization: each reads the facts of its movements, writes what the rule allows on them, and
 * returns both.
 */

import { appendEach, appendMovements } from "../feed/pendingChanges.sql.ts"
import { IS_THE_STAY } from "./keys.sql.ts"
import { type Columns, PLACE_EXISTS, type Rows, rowOfValues, rowsOfArrays } from "./rows.sql.ts"

const ENTRANCE: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["key_id", "smallint"],
  ["entered_at", "timestamptz"],
  ["now", "timestamptz"],
  ["retry_key", "text"],
  ["user_id", "text"],
  ["claimed", "text"],
  ["ends_others", "boolean"]
]

/**
 * Whether the organization of an entrance has exclusive places. A statement looks once whether any has, and then for each organization.
 */
const IS_EXCLUSIVE = `(
  o.tracking_mode = 'authenticated' and asked.place_id <> 0
  and (select true from stay_policy where exclusive_places limit 1) is not null
  and (select true from stay_policy where organization_id = asked.organization_id and exclusive_places limit 1) is not null
)`

/**
 * Entrances, each a row, and how long a retry key stands. `entered_at` is null if the entrance may not be written. A row is answered for
 * each entrance whose premises exist.
 *
 * An entrance into a place of an organization with exclusive places is written where it `ends_others`: the transaction ends the other stays
 * of the person.
 *
 * `id` is the stay of the entrance: one that the retry key or the person opened earlier, with its key and its entrance, or a
 * new one. It is null where the rule refuses. A new one is not `written` where a concurrent transaction opened a stay for the
 * person.
 *
 * All batches insert people, and retry keys after them, in one order, which prevents deadlocks. A lookup that does not apply
 * (a link in an anonymous organization, a retry key that is not there) compares with null, which costs nothing. Of two
 * entrances with one new retry key the later violates the key of `entrance_retry`, and its whole statement is rolled back.
 */
const entering = (rows: Rows) => `
facts as materialized (
  select found.*, case when is_granted and earlier_id is null then nextval('stay_id') end as new_id
  from (
    select asked.*, o.tracking_mode, l.org_auth_server_id as linked,
      asked.entered_at is not null
        and (o.tracking_mode = 'anonymous' or l.org_auth_server_id = coalesce(asked.claimed, l.org_auth_server_id))
        and (asked.ends_others or not ${IS_EXCLUSIVE})
        as is_granted,
      ${IS_EXCLUSIVE} as is_exclusive,
      r.stay_id is not null as is_repeated,
      coalesce(r.stay_id, s.id) as earlier_id,
      case when r.stay_id is null then l.org_auth_server_id else r.person end as person,
      coalesce(r.key_id, s.key_id) as earlier_key,
      coalesce(r.entered_at, s.entered_at) as earlier_entrance
    from ${rows(1, "asked", ENTRANCE)}
    cross join lateral (select tracking_mode from organization where id = asked.organization_id limit 1) o
    left join lateral (
      select org_auth_server_id from account_link
      where organization_id = asked.organization_id
        and user_id = case o.tracking_mode when 'authenticated' then asked.user_id end
      limit 1
    ) l on true
    left join lateral (
      select stay_id, person, key_id, entered_at from entrance_retry
      where organization_id = asked.organization_id and place_id = asked.place_id and retry_key = asked.retry_key
        and used_at > asked.now - $${1 + ENTRANCE.length}::interval
      limit 1
    ) r on true
    left join lateral (
      select id, key_id, entered_at from open_stay
      where organization_id = asked.organization_id and place_id = asked.place_id and person = l.org_auth_server_id
      limit 1
    ) s on true
    where ${PLACE_EXISTS}
  ) found
),
opened as (
  insert into open_stay (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
  select organization_id, place_id, new_id, person, key_id, entered_at, now
  from facts
  where new_id is not null
  order by organization_id, place_id, person
  on conflict (organization_id, place_id, person) where person is not null do nothing
  returning organization_id, place_id, id, person, recorded_at
),
remembered as (
  insert into entrance_retry (organization_id, place_id, retry_key, stay_id, person, key_id, entered_at, used_at)
  select organization_id, place_id, retry_key, coalesce(earlier_id, new_id), person, coalesce(earlier_key, key_id),
    coalesce(earlier_entrance, entered_at), now
  from facts
  where retry_key is not null and is_granted and not is_repeated
    and (earlier_id is not null or new_id in (select id from opened))
  order by organization_id, place_id, retry_key
)`

const EXIT: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["stay_id", "bigint"],
  ["exited_at", "timestamptz"],
  ["now", "timestamptz"],
  ["user_id", "text"],
  ["claimed", "text"]
]

/**
 * Exits, each a row. `exited_at` null is now, and never before the entrance. A row is answered for each exit that closed its stay, which
 * the rule `settle` allows. A stay that is named twice is closed once.
 */
const leaving = (p: number, rows: Rows) => `
leaving as materialized (
  select asked.*, o.tracking_mode, l.org_auth_server_id as linked
  from ${rows(p, "asked", EXIT)}
  cross join lateral (select tracking_mode from organization where id = asked.organization_id limit 1) o
  left join lateral (
    select org_auth_server_id from account_link
    where organization_id = asked.organization_id and user_id = asked.user_id
    limit 1
  ) l on true
),
left_stay as (
  delete from open_stay s
  using leaving f
  where ${IS_THE_STAY}
    and (s.person is null or f.linked is null or f.linked = s.person)
    and (f.tracking_mode = 'anonymous' or f.claimed is null
      or f.claimed = coalesce(f.linked, s.person, f.claimed))
    and coalesce(f.exited_at, s.entered_at) >= s.entered_at
  returning f.n, f.now, f.tracking_mode, f.linked, s.organization_id, s.place_id, s.id, s.person, s.entered_at,
    coalesce(f.exited_at, greatest(f.now, s.entered_at)) as exited_at
),
kept as (
  insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
  select organization_id, place_id, id, person, entered_at, exited_at
  from left_stay
)`

const OPENED = `
  select organization_id, place_id, null::interval as stayed, person is null as is_anonymous, recorded_at as now from opened`
const CLOSED = `
  select organization_id, place_id, exited_at - entered_at as stayed, person is null as is_anonymous, now from left_stay`

const ENTRANCES = `
select n::int as n, tracking_mode, linked, person, coalesce(earlier_id, new_id) as id, earlier_key as key_id,
  earlier_entrance as entered_at, new_id in (select id from opened) as is_written, is_repeated, is_exclusive
from facts`

const EXITS = `
select -n::int as n, tracking_mode, linked, person, null::bigint as id, null::smallint as key_id, entered_at, true as is_written,
  false as is_repeated, false as is_exclusive
from left_stay`

/**
 * Entrances and exits. The parameters are arrays of the columns, those of entrances first. Exits have negative numbers `n`. It inserts
 * entrances before it closes stays, which prevents deadlocks. Neither part sees what the other writes.
 */
export const MOVE_IDENTIFIED = `
with ${entering(rowsOfArrays)},
${leaving(2 + ENTRANCE.length, rowsOfArrays)},${appendMovements([OPENED, CLOSED])}${ENTRANCES}
union all${EXITS}`

/** One entrance, by values in the order of the columns of `MOVE_IDENTIFIED`. */
export const ENTER_IDENTIFIED = `
with ${entering(rowOfValues)},${appendEach([OPENED])}${ENTRANCES}`

/** One exit, by values in the order of the columns of `MOVE_IDENTIFIED`. */
export const EXIT_IDENTIFIED = `
with ${leaving(1, rowOfValues)},${appendEach([CLOSED])}${EXITS}`
