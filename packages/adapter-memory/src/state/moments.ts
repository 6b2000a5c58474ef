import { type DailyPart, isMomentAhead, nextTimeOfDay, type Timestamp } from "@sojourn/core"
import type { OrganizationRecord } from "./State.ts"

/** Sets the next moment of a part of the policy if it was due, or was computed by a clock that was ahead. Answers the one that was due. */
export const takeMoment = (
  organization: OrganizationRecord,
  part: DailyPart,
  now: Timestamp
): Timestamp | undefined => {
  const { [part]: timeOfDay, timeZone } = organization.policy
  const { [part]: moment } = organization.moments
  if (moment === undefined || timeOfDay === undefined) return undefined
  const isDue = moment <= now
  if (isDue || isMomentAhead(moment, now)) {
    organization.moments = { ...organization.moments, [part]: nextTimeOfDay(timeOfDay, timeZone, now) }
  }
  return isDue ? moment : undefined
}
