/** The anonymous variants of the statements on movements: shorter than those of `stays.sql.ts`, as they look up no person. */

import { IS_THE_STAY } from "./keys.sql.ts"
import { type Columns, type Form, type Part, PREMISES_EXIST, RECORDING } from "./moving.sql.ts"

export const ANONYMOUS_OPENING: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["key_id", "smallint"],
  ["entered_at", "timestamptz"],
  ["now", "timestamptz"]
]

/**
 * Entrances of anonymous organizations, without a retry key: the organization, the place, the token's key, the entrance (null:
 * none that may be written), now. Nothing is written where the organization turns out to be authenticated.
 */
export const anonymousOpenings = (p: number, { rows }: Form): Part => ({
  does: `
facts as materialized (
  select asked.*, o.tracking_mode,
    case when o.tracking_mode = 'anonymous' and asked.entered_at is not null then nextval('stay_id') end as new_id
  from ${rows(p, "asked", ANONYMOUS_OPENING)}
  cross join lateral (select tracking_mode from organization where id = asked.organization_id limit 1) o
  where ${PREMISES_EXIST}
),
opened as (
  insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
  select organization_id, place_id, new_id, key_id, entered_at, now
  from facts
  where new_id is not null
)`,
  moved: "select organization_id, place_id, null::interval as stayed, now from facts where new_id is not null",
  from: "facts",
  n: "n",
  answers: { tracking_mode: "tracking_mode", id: "new_id" }
})

const ANONYMOUS_CLOSING: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["stay_id", "bigint"],
  ["exited_at", "timestamptz"],
  ["now", "timestamptz"]
]

/**
 * Exits without a claimed person, of anonymous stays; the link of the caller is not read. The organization, the place, the stay,
 * the exit, now. An exit before its entrance is left out: a constraint of the table would fail the whole batch.
 */
export const anonymousClosings = (p: number, { rows }: Form): Part => ({
  does: `
left_stay as (
  delete from open_stay s
  using ${rows(p, "f", ANONYMOUS_CLOSING)}
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
)`,
  moved: "select organization_id, place_id, exited_at - entered_at as stayed, now from left_stay",
  from: "left_stay",
  n: "-n",
  answers: { entered_at: "entered_at" }
})

/**
 * A single entrance, with the parameters of `anonymousOpenings`. No row where it may not be written: the identified variant finds the
 * reason. PostgreSQL sets up fewer steps for it than for a statement of parts.
 */
export const LONE_OPENING = `${RECORDING} with recorded as (
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

/** A single exit, with the parameters of `anonymousClosings`. */
export const LONE_CLOSING = `${RECORDING} with left_stay as (
  delete from open_stay
  where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
    and person is null
    and coalesce($4::timestamptz, entered_at) >= entered_at
  returning organization_id, place_id, id, entered_at,
    coalesce($4::timestamptz, greatest($5::timestamptz, entered_at)) as exited_at
),
recorded as (
  insert into pending_change (organization_id, place_id, departed, exits, stayed, at)
  select organization_id, place_id, 1, 1, (extract(epoch from exited_at - entered_at) * 1000)::bigint, $5::timestamptz
  from left_stay
)
insert into stay (organization_id, place_id, id, entered_at, exited_at)
table left_stay
returning -1 as n, entered_at`
