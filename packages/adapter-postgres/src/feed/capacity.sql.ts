/** The statements of capacities, which are columns of the totals of their premises. */

import { OF_PREMISES } from "../database/premises.sql.ts"
import { publishingInterval, publishingMode } from "./interval.sql.ts"

const LEVELS = "array['none', 'normal', 'warning', 'full', 'over']"

/** `nextLevel` of the columns `capacity`, `warn_from`, `level` and `inside`. It must be equal to it. */
export const NEXT_LEVEL = `(${LEVELS})[case when capacity is null then 1 else greatest(
    case when inside > capacity then 5 when inside = capacity then 4 when inside >= warn_from then 3 else 2 end,
    case array_position(${LEVELS}, level)
      when 5 then case
        when inside > capacity + 1 - greatest(1, capacity / 20) then 5
        when inside > capacity - greatest(1, capacity / 20) then 4
        when inside > warn_from - greatest(1, capacity / 20) then 3 else 2 end
      when 4 then case
        when inside > capacity - greatest(1, capacity / 20) then 4
        when inside > warn_from - greatest(1, capacity / 20) then 3 else 2 end
      when 3 then case when inside > warn_from - greatest(1, capacity / 20) then 3 else 2 end
      else 2
    end
  ) end]`

/** How many are inside of the premises ($1, $2) as far as answers say so; it needs the organization `o`, its policy `s` and totals `t`. */
export const INSIDE = `
  t.entered - t.departed + case when ${publishingInterval("o", "s.event_grain")} is null then (
    select coalesce(sum(entered - departed), 0)::bigint from pending_change
    where organization_id = $1::bigint and place_id = $2::bigint
  ) else 0 end`

/**
 * The capacity of premises, the number of people inside (the open stays; with a publishing interval, as the last event has it), and the
 * level of an administrator: $1 the organization, $2 the place (0: the organization as a whole), $3 who. No row where the premises do
 * not exist.
 */
export const CAPACITY = `
select p.level as permission, t.entered - t.departed as published, ${INSIDE} as inside,
  t.capacity, t.warn_at, t.level, t.published_at, s.event_grain, o.tracking_mode, ${publishingMode("o")} as publishing_mode
from organization o
join presence_totals t on t.organization_id = o.id and t.place_id = $2::bigint
left join permission p on p.organization_id = o.id and p.administrator_id = $3::text
left join stay_policy s on s.organization_id = o.id
where ${OF_PREMISES}`

/** $3 the capacity, $4 from which part of it on and $5 from how many people on the level is a warning, $6 the level. */
export const SET_CAPACITY = `
update presence_totals
set capacity = $3::bigint, warn_at = $4::double precision, warn_from = $5::bigint, level = $6::text
where organization_id = $1::bigint and place_id = $2::bigint`

/** Appends a change without counts, which publishes the level of a capacity that was set: $1 the organization, $2 the place, $3 when. */
export const APPEND_LEVEL = `
insert into pending_change (organization_id, place_id, at) values ($1::bigint, $2::bigint, $3::timestamptz)`
