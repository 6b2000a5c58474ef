/** Shorter statements on movements, for those where people are nobody: what `stays.sql.ts` does for anybody. */

import { IS_THE_STAY } from "./keys.sql.ts"
import { askedTogether, type Columns, type Part, PREMISES_EXIST } from "./moving.sql.ts"

export const OPENING_OF_NOBODY: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["key_id", "smallint"],
  ["entered_at", "timestamptz"],
  ["now", "timestamptz"]
]

/**
 * Entrances where an organization tracks nobody in particular, without a retry key, which meet nothing that was
 * there: the organization, the place, the token's key, the entrance (null: none that may be written), now. It opens nothing
 * where the organization turns out to know people.
 */
export const openingsOfNobody = (p: number): Part => ({
  does: `
facts as materialized (
  select asked.*, o.tracking_mode,
    case when o.tracking_mode = 'anonymous' and asked.entered_at is not null then nextval('stay_id') end as new_id
  from ${askedTogether(p, "asked", OPENING_OF_NOBODY)}
  cross join lateral (select tracking_mode from organization where id = asked.organization_id limit 1) o
  where ${PREMISES_EXIST}
),
opened as (
  insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
  select organization_id, place_id, new_id, key_id, entered_at, now
  from facts
  where new_id is not null
)`,
  from: "facts",
  n: "n",
  answers: { tracking_mode: "tracking_mode", id: "new_id" }
})

const CLOSING_OF_NOBODY: Columns = [
  ["organization_id", "bigint"],
  ["place_id", "bigint"],
  ["stay_id", "bigint"],
  ["exited_at", "timestamptz"],
  ["now", "timestamptz"]
]

/**
 * Exits whose callers claim to be nobody, of stays that are nobody's: who calls is not asked. The organization,
 * the place, the stay, the exit, now. One that is before its entrance is left out: the table would refuse it, and the others
 * with it.
 */
export const closingsOfNobody = (p: number): Part => ({
  does: `
left_stay as (
  delete from open_stay s
  using ${askedTogether(p, "f", CLOSING_OF_NOBODY)}
  where ${IS_THE_STAY}
    and s.person is null
    and coalesce(f.exited_at, s.entered_at) >= s.entered_at
  returning f.n, s.organization_id, s.place_id, s.id, s.entered_at,
    coalesce(f.exited_at, greatest(f.now, s.entered_at)) as exited_at
),
kept as (
  insert into stay (organization_id, place_id, id, entered_at, exited_at)
  select organization_id, place_id, id, entered_at, exited_at
  from left_stay
)`,
  from: "left_stay",
  n: "-n",
  answers: { entered_at: "entered_at" }
})

/**
 * The entrance of `openingsOfNobody` that is alone, with the same parameters. Nothing is answered of one that may not be
 * written, for whatever reason: the statement for anybody finds it.
 */
export const LONE_OPENING_OF_NOBODY = `
insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
select id, $2::bigint, nextval('stay_id'), $3::smallint, $4::timestamptz, $5::timestamptz
from organization
where id = $1::bigint and tracking_mode = 'anonymous' and $4::timestamptz is not null
  and ($2::bigint = 0 or exists (select from place where organization_id = $1::bigint and id = $2::bigint))
returning 1 as n, id`

/** The exit of `closingsOfNobody` that is alone, with the same parameters and the same answer. */
export const LONE_CLOSING_OF_NOBODY = `
with left_stay as (
  delete from open_stay
  where organization_id = $1::bigint and place_id = $2::bigint and id = $3::bigint
    and person is null
    and coalesce($4::timestamptz, entered_at) >= entered_at
  returning organization_id, place_id, id, entered_at, coalesce($4::timestamptz, greatest($5::timestamptz, entered_at))
)
insert into stay (organization_id, place_id, id, entered_at, exited_at)
table left_stay
returning -1 as n, entered_at`
