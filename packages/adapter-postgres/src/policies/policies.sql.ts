/**
 * The statements of stay policies. A sweep locks the policy while it runs, so that it has no effect after its lease is over or
 * the policy was removed. It does not wait for movements: it skips locked rows, which the next sweep finds.
 */

import { DAILY_PARTS, type StayPolicy } from "@sojourn/core"
import { MOMENT_COLUMNS } from "../database/moments.sql.ts"
import { appendEnds } from "../feed/pendingChanges.sql.ts"
import { publishEventsWith } from "../feed/publish.sql.ts"
import { keepEnding } from "../musters/musters.sql.ts"
import { IS_THE_STAY } from "../database/premises.sql.ts"

/** The column of each part of a policy but its time zone, with its type. */
export const POLICY_COLUMNS = {
  longestStay: ["longest_stay", "bigint"],
  retention: ["retention", "bigint"],
  eventGrain: ["event_grain", "bigint"],
  smallestCount: ["smallest_count", "bigint"],
  countedResetAt: [MOMENT_COLUMNS.countedResetAt.timeOfDay, "text"],
  staysEndAt: [MOMENT_COLUMNS.staysEndAt.timeOfDay, "text"],
  deviceSilentAfter: ["device_silent_after", "bigint"],
  exclusivePlaces: ["exclusive_places", "boolean"]
} as const satisfies {
  readonly [Part in keyof Omit<StayPolicy, "timeZone">]-?: readonly [column: string, type: string]
}

const typed = [
  ...Object.values(POLICY_COLUMNS),
  ...DAILY_PARTS.map((part) => [MOMENT_COLUMNS[part].moment, "timestamptz"] as const)
]
const columns = typed.map(([column]) => column)

/** The policy of $1. A row may have none of the values. */
export const GET = `select ${columns.join()} from stay_policy where organization_id = $1::bigint`

/** $1 the organization, then the columns in their order, and those of the next moments. */
export const PUT = `
insert into stay_policy (organization_id, ${columns.join()})
values ($1::bigint, ${typed.map(([, type], i) => `$${i + 2}::${type}`).join()})
on conflict (organization_id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join()}`

/** Writes the time zone $4 of the organization $1, with the event. */
export const SET_TIME_ZONE = publishEventsWith(`updated as (
  update organization set time_zone = $4::text where id = $1::bigint
),
`)

export const LIST = `
select organization_id from stay_policy
where longest_stay is not null or retention is not null
order by organization_id`

/** Takes the lease of $1 at $3, where `isLeaseDue` after $2 milliseconds. */
export const TAKE_LEASE = `
update stay_policy set lease_number = lease_number + 1, leased_at = $3::timestamptz
where organization_id = $1::bigint
  and (longest_stay is not null or retention is not null)
  and (leased_at is null or abs(extract(epoch from $3::timestamptz - leased_at)) * 1000 >= $2::bigint)
returning lease_number`

/** The instant before which something is older than the policy allows: $1 the organization, $2 the number of the lease, $3 now. */
const bound = (column: "longest_stay" | "retention") => `
bound as materialized (
  select $3::timestamptz - ${column} * interval '1 second' as edge
  from stay_policy
  where organization_id = $1::bigint and lease_number = $2::bigint and ${column} is not null
  for share
)`

/** Deletes at most $4 stays that `isOverdue`. It scans the open stays of the organization in the order of their key. */
export const ABANDON = `
with ${bound("longest_stay")},
overdue as materialized (
  select $1::bigint as organization_id, s.place_id, s.id as stay_id
  from bound
  cross join lateral (
    select place_id, id from open_stay
    where organization_id = $1::bigint and recorded_at < bound.edge
    order by place_id, id
    limit $4::bigint
    for update skip locked
  ) s
),
abandoned as (
  delete from open_stay s
  using overdue f
  where ${IS_THE_STAY}
  returning s.organization_id, s.place_id, s.person, s.entered_at
),${appendEnds("abandoned", "$3")},
kept as (${keepEnding("abandoned", "$3::timestamptz")})
select count(*) as count from abandoned`

/**
 * Deletes at most $4 accesses that `isPastRetention`. Those that were imported are found by their exits. Ids of other stays follow the order in which
 * entrances were reported. So it scans the history of each premises from its beginning, and stops at a stay that was entered after the cutoff: later stays were
 * reported later, and no exit of them that was reported in time is before the cutoff. No index by time is needed, which would
 * cost each exit.
 *
 * It deletes by arrays and joins nothing: where stays have one partition, which is small, the planner would join by reading all of it, though
 * that is disabled. No two stays have one id.
 *
 * The scan reads one stay, then longer portions. Most premises have no old stays. But each batch must scan past the stays that
 * span the cutoff, and reading these one by one took 15 us for each.
 */
export const FORGET_ACCESSES = `
with recursive ${bound("retention")},
premises as materialized (
  select 0::bigint as place_id
  union all
  select id from place where organization_id = $1::bigint
),
walked as (
  select p.place_id, bound.edge, 0::bigint as last, 1::bigint as step, null::bigint[] as old
  from bound
  cross join premises p
  union all
  select w.place_id, w.edge, part.last, least(w.step * 8, 1000), part.old
  from walked w
  cross join lateral (
    select case when bool_and(entered_at < w.edge) then max(id) end as last,
      array_agg(id) filter (where exited_at < w.edge) as old
    from (
      select id, entered_at, exited_at from stay
      where organization_id = $1::bigint and place_id = w.place_id and id > w.last
      order by id
      limit w.step
    ) next
  ) part
  where w.last is not null
),
old as materialized (
  select place_id, id
  from (
    select walked.place_id, past.id
    from walked
    cross join lateral unnest(walked.old) as past (id)
    union all
    select i.place_id, i.stay_id
    from bound
    cross join lateral (
      select place_id, stay_id from imported_stay
      where organization_id = $1::bigint and exited_at < bound.edge
      order by exited_at
      limit $4::bigint
    ) i
  ) past
  limit $4::bigint
),
held as materialized (
  select s.place_id, s.id as stay_id
  from old
  cross join lateral (
    select place_id, id from stay
    where organization_id = $1::bigint and place_id = old.place_id and id = old.id
    limit 1
    for update skip locked
  ) s
),
forgotten as (
  delete from stay
  where organization_id = $1::bigint and place_id = any(array(select distinct place_id from held)) and id = any(array(select stay_id from held))
  returning 1
),
imported as (
  delete from imported_stay i
  where organization_id = $1::bigint and place_id = any(array(select distinct place_id from old))
    and stay_id = any(array(
      select id from old
      where id = any(array(select stay_id from held)) or (
        select true from stay where organization_id = $1::bigint and place_id = old.place_id and id = old.id limit 1
      ) is null
    ))
)
select count(*) as count from forgotten`
