/**
 * The statements on movements of anonymous organizations: shorter than those of `identified.sql.ts`, as they look up no person.
 * An entrance that they do not write has no row; `MOVE_IDENTIFIED` finds the reason.
 */

import { appendMovements } from "../feed/pendingChanges.sql.ts"
import { IS_THE_STAY } from "./keys.sql.ts"
import { type Columns, PLACE_EXISTS, rowsOfArrays } from "./rows.sql.ts"

const ENTRANCE: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["key_id", "smallint"],
  ["entered_at", "timestamptz"],
  ["now", "timestamptz"],
  ["retry_key", "text"]
]

const EXIT: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["stay_id", "bigint"],
  ["exited_at", "timestamptz"],
  ["now", "timestamptz"]
]

/**
 * Entrances and exits, each a row. The parameters are arrays of the columns, those of entrances first.
 *
 * - An entrance: `entered_at` is null if it may not be written. An entrance with a retry key that exists is not written.
 * - An exit closes an anonymous stay, and claims no person. `exited_at` null is now, and never before the entrance. An exit before its
 *   entrance is left out: a constraint of the table would fail the whole batch. A stay that is named twice is closed once.
 *
 * Exits have negative numbers `n`. Neither part sees what the other writes.
 */
export const MOVE_ANONYMOUS = `
with entering as materialized (
  select asked.*, nextval('stay_id') as id
  from ${rowsOfArrays(1, "asked", ENTRANCE)}
  where asked.entered_at is not null
    and asked.organization_id = any(array(
      select id from organization where id = any($1::bigint[]) and tracking_mode = 'anonymous'
    ))
    and ${PLACE_EXISTS}
    and (asked.retry_key is null or (
      select true from entrance_retry
      where organization_id = asked.organization_id and place_id = asked.place_id and retry_key = asked.retry_key
      limit 1
    ) is null)
),
opened as (
  insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
  select organization_id, place_id, id, key_id, entered_at, now
  from entering
),
remembered as (
  insert into entrance_retry (organization_id, place_id, retry_key, stay_id, key_id, entered_at, used_at)
  select organization_id, place_id, retry_key, id, key_id, entered_at, now
  from entering
  where retry_key is not null
  order by organization_id, place_id, retry_key
),
left_stay as (
  delete from open_stay s
  using ${rowsOfArrays(1 + ENTRANCE.length, "f", EXIT)}
  where ${IS_THE_STAY}
    and s.person is null
    and coalesce(f.exited_at, s.entered_at) >= s.entered_at
  returning f.n, f.now, s.organization_id, s.place_id, s.id, s.entered_at,
    coalesce(f.exited_at, greatest(f.now, s.entered_at)) as exited_at
),
kept as (
  insert into stay (organization_id, place_id, id, entered_at, exited_at)
  select organization_id, place_id, id, entered_at, exited_at
  from left_stay
),${appendMovements([
  "select organization_id, place_id, null::interval as stayed, true as is_anonymous, now from entering",
  "select organization_id, place_id, exited_at - entered_at as stayed, true as is_anonymous, now from left_stay"
])}
select n::int as n, id, null::timestamptz as entered_at
from entering
union all
select -n::int, null, entered_at
from left_stay`

/** One entrance without a retry key, by values in the order of the columns of `MOVE_ANONYMOUS`. */
export const ENTER_ANONYMOUS = `
with recorded as (
  insert into pending_change (organization_id, place_id, entered, at)
  select id, $2::bigint, 1, $5::timestamptz
  from organization
  where id = $1::bigint and tracking_mode = 'anonymous' and $4::timestamptz is not null
    and ($2::bigint = 0 or exists (select from place where organization_id = $1::bigint and id = $2::bigint))
  returning organization_id, place_id, at
)
insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
select organization_id, place_id, nextval('stay_id'), $3::smallint, $4::timestamptz, at
from recorded
returning 1 as n, id`

/** One exit, by values in the order of the columns of `MOVE_ANONYMOUS`. */
export const EXIT_ANONYMOUS = `
with left_stay as (
  delete from open_stay
  where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
    and person is null
    and coalesce($4::timestamptz, entered_at) >= entered_at
  returning organization_id, place_id, id, entered_at,
    coalesce($4::timestamptz, greatest($5::timestamptz, entered_at)) as exited_at
),
recorded as (
  insert into pending_change (organization_id, place_id, departed, exits, stayed, at, is_anonymous)
  select organization_id, place_id, 1, 1, (extract(epoch from exited_at - entered_at) * 1000)::bigint, $5::timestamptz, true
  from left_stay
)
insert into stay (organization_id, place_id, id, entered_at, exited_at)
table left_stay
returning -1 as n, entered_at`
