/** The statements that end stays which no exit ended. Of the organization $1 they concern the premises from a first to a last one. */
import { IS_THE_STAY } from "../database/premises.sql.ts"
import { appendEnds, appendMovements } from "../feed/pendingChanges.sql.ts"
import { keepEnding } from "../musters/musters.sql.ts"
import { MOMENT_COLUMNS } from "../database/moments.sql.ts"

/**
 * Ends the open stays of the people $4 in the premises $2 to $3 at $5, by the rule `endedStay`, and answers how many, and of how many people: null is $6, which is now,
 * and never before the entrance. They get new ids, so that no exit token leads to them. It looks through the crowd for the people, in
 * a hashed subplan, and locks stays in the order in which exits do.
 */
export const END = `
with ending as materialized (
  select found.*, nextval('stay_id') as new_id
  from (
    select organization_id, place_id, id as stay_id, entered_at from open_stay
    where organization_id = $1::bigint and place_id between $2::bigint and $3::bigint
      and (person in (select unnest($4::text[]))) is true
      and coalesce($5::timestamptz, entered_at) >= entered_at
    order by id
    for update
  ) found
),
left_stay as (
  delete from open_stay s
  using ending f
  where ${IS_THE_STAY}
  returning s.organization_id, s.place_id, f.new_id as id, s.person, s.entered_at,
    coalesce($5::timestamptz, greatest($6::timestamptz, s.entered_at)) as exited_at
),
kept as (
  insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
  select organization_id, place_id, id, person, entered_at, exited_at
  from left_stay
),${appendMovements([
  `
  select organization_id, place_id, exited_at - entered_at as stayed, false as is_anonymous, $6::timestamptz as now
  from left_stay`
])}
select count(*) as count, count(distinct person) as people from left_stay`

/** Whether a stay of the premises $2 to $3 is open. */
export const IS_ANY_OPEN = `
select from open_stay where organization_id = $1::bigint and place_id between $2::bigint and $3::bigint limit 1`

/**
 * Abandons at most $7 open stays of the premises $2 to $3 at $6, which follow the place $4 and the stay $5 in the order of their key and that
 * `which` is a condition for. Answers how many, and the last one that was looked at; no row where there is none. It locks stays in the
 * order in which exits do, so as not to wait for an exit that waits for it.
 */
const abandon = (bound: string, which: string) => `
with ${bound}picked as materialized (
  select $1::bigint as organization_id, place_id, id as stay_id
  from (
    select place_id, id from open_stay s${bound === "" ? "" : " cross join bound"}
    where organization_id = $1::bigint and place_id between $2::bigint and $3::bigint
      and (place_id, id) > ($4::bigint, $5::bigint) and ${which}
    order by place_id, id
    limit $7::bigint
  ) next
  order by id
),
abandoned as (
  delete from open_stay s
  using picked f
  where ${IS_THE_STAY}
  returning s.organization_id, s.place_id, s.person, s.entered_at
),${appendEnds("abandoned", "$6")},
kept as (${keepEnding("abandoned", "$6::timestamptz")})
select (select count(*) from abandoned) as count, place_id, stay_id
from picked
order by place_id desc, stay_id desc
limit 1`

const { moment: MOMENT } = MOMENT_COLUMNS.staysEndAt

/** Those that were open when the last stay was $8. */
export const CLEAR = abandon("", "id <= $8::bigint")

/**
 * Begins the end of the day $2 of the organization $1, where a stay `isEndedDaily`: a row for one of the servers, also where an end that was cut off goes on.
 */
export const BEGIN_DAILY = `
update stay_policy set end_begun_at = ${MOMENT}
where organization_id = $1::bigint and ${MOMENT} = $2::timestamptz and end_begun_at is distinct from ${MOMENT}
  and exists (select from open_stay where organization_id = $1::bigint and recorded_at < $2::timestamptz)
returning organization_id`

/** Those `isEndedDaily` at the moment $8, while it is that of the policy. */
export const END_DAILY = abandon(
  `bound as materialized (
  select ${MOMENT} as moment from stay_policy
  where organization_id = $1::bigint and ${MOMENT} = $8::timestamptz
  for share
),
`,
  "recorded_at < moment"
)

/** The last id of a stay that was issued. */
export const LAST_STAY = "select last_value as last_stay from stay_id"

/** How many people are inside of the premises $2 to $3 of the organization $1, as published. */
export const PUBLISHED_INSIDE = `
select coalesce(sum(entered - departed), 0)::bigint as count from presence_totals
where organization_id = $1::bigint and place_id between $2::bigint and $3::bigint`
