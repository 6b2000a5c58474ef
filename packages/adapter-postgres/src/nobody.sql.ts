/** The shorter parts of a statement on movements, for those where people are nobody: what `stays.sql.ts` does for anybody. */

import { IS_THE_STAY } from "./keys.sql.ts"
import { asked, type Columns, type Part, PREMISES_EXIST } from "./moving.sql.ts"

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
export const openingsOfNobody = (p: number, isAlone: boolean): Part => ({
  does: `
facts as materialized (
  select asked.*, o.tracking_mode,
    case when o.tracking_mode = 'anonymous' and asked.entered_at is not null then nextval('stay_id') end as new_id
  from ${asked(p, isAlone, "asked", OPENING_OF_NOBODY)}
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
 * the place, the stay, the exit, now.
 */
export const closingsOfNobody = (p: number, isAlone: boolean): Part => ({
  does: `
left_stay as (
  delete from open_stay s
  using ${asked(p, isAlone, "f", CLOSING_OF_NOBODY)}
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
