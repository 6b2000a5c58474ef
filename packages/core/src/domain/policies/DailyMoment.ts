/** The moments of a policy that come once a day, at a local time: when the next one is stored, it is known which server found it due. */
import { LONGEST_DAY_MS, nextTimeOfDay } from "../shared/LocalTime.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { StayPolicy } from "./StayPolicy.ts"

/** The parts of a policy that are times of day. */
export const DAILY_PARTS = ["countedResetAt", "staysEndAt"] as const
export type DailyPart = (typeof DAILY_PARTS)[number]

/** The next moments of the parts of a policy that are set. */
export type DailyMoments = { readonly [Part in DailyPart]?: Timestamp | undefined }

/** Whether a next moment that is stored was computed by a clock that was ahead: then it is computed anew, and nothing is done. */
export const isMomentAhead = (next: Timestamp, now: Timestamp): boolean => next > now + LONGEST_DAY_MS

/**
 * The next moments of an organization after a change of its policy: those of the policy before, unless their time or the time zone
 * changed. None of parts that are not set.
 */
export const momentsAfterChange = ({
  before,
  after,
  next,
  now
}: {
  readonly before: Pick<StayPolicy, DailyPart | "timeZone">
  readonly after: Pick<StayPolicy, DailyPart | "timeZone">
  readonly next: DailyMoments
  readonly now: Timestamp
}): DailyMoments => {
  const momentOf = (part: DailyPart): Timestamp | undefined => {
    const timeOfDay = after[part]
    if (timeOfDay === undefined) return undefined
    const isSame = before[part] === timeOfDay && before.timeZone === after.timeZone
    return isSame ? next[part] : nextTimeOfDay(timeOfDay, after.timeZone, now)
  }
  return { countedResetAt: momentOf("countedResetAt"), staysEndAt: momentOf("staysEndAt") }
}
