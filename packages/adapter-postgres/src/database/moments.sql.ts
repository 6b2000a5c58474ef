/** The moments of policies that come once a day. */
import { type DailyPart, LONGEST_DAY_MS } from "@sojourn/core"

/** The columns of the times of day, and of the next moments. */
export const MOMENT_COLUMNS = {
  countedResetAt: { timeOfDay: "counted_reset_at", moment: "reset_at" },
  staysEndAt: { timeOfDay: "stays_end_at", moment: "end_at" }
} as const satisfies Record<DailyPart, { readonly timeOfDay: string; readonly moment: string }>

/** Whether a moment was due at a time, or `isMomentAhead` of it. */
const isDue = (moment: string, now: string) =>
  `(${moment} <= ${now} or ${moment} > ${now} + interval '${LONGEST_DAY_MS / 1000} seconds')`

/** The statements on the moments of a part of the policy. */
export const momentsOf = (part: DailyPart) => {
  const { timeOfDay, moment } = MOMENT_COLUMNS[part]
  return {
    /** The organizations whose moment was due at $1, or is to be computed anew. */
    DUE: `
select organization_id from stay_policy where ${isDue(moment, "$1::timestamptz")} order by organization_id`,

    /** Reads the moment of the organization $1 if it was due at $2, or is to be computed anew. */
    READ: `
select p.${moment} as moment, p.${timeOfDay} as time_of_day, o.time_zone, p.${moment} <= $2::timestamptz as is_due
from stay_policy p join organization o on o.id = $1::bigint
where p.organization_id = $1::bigint and ${isDue(`p.${moment}`, "$2::timestamptz")}`,

    /** Sets the next moment $3 of the organization $1, if it still was $2. */
    SET: `
update stay_policy set ${moment} = $3::timestamptz
where organization_id = $1::bigint and ${moment} = $2::timestamptz
returning organization_id`
  }
}

/** A moment that is due, or was computed by a clock that was ahead. */
export interface MomentRow {
  readonly moment: Date
  readonly time_of_day: string
  readonly time_zone: string | null
  readonly is_due: boolean
}
