/** Reads the rows of a history. */
import type { PresenceHistoryRow, SojournClient } from "@sojourn/client"
import type { Premises } from "../organizations/model.ts"
import { serverNow } from "../shared/clock.ts"
import { type Day, sameTime } from "../shared/localTime.ts"
import { type StepName, STEPS } from "./chart.ts"

/** The premises whose history it is. */
export interface HistoryOf extends Pick<Premises, "placeId"> {
  readonly organizationId: number
}

/** Reads the rows between two moments, in milliseconds since 1970, at most 1,500. */
export type ReadRows = (step: StepName, from: number, to: number) => Promise<ReadonlyArray<PresenceHistoryRow>>

/** Reads rows with the days of a time zone, and its hours where it is not whole hours from UTC. */
export const rowsOf =
  (api: SojournClient, { organizationId, placeId }: HistoryOf, timeZone: string): ReadRows =>
  (step, from, to) => {
    const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), step, timeZone }
    return placeId === undefined
      ? api.history.organizationHistory({ organizationId, ...query })
      : api.history.placeHistory({ placeId, ...query })
  }

/** The end of what there is of a day: now, or its own. */
export const endOf = ({ start, end }: Day): number => Math.min(end, Math.max(serverNow(), start + 1))

/** The rows of a day until now: those of its minutes, or of its hours where minutes are not kept any more. */
export const readDay = async (read: ReadRows, day: Day) => {
  const minutes = await read("minute", day.start, endOf(day))
  const first = minutes[0] === undefined ? Infinity : Date.parse(minutes[0].from)
  if (first === day.start) return { step: "minute", rows: minutes } as const
  const hours = await read("hour", day.start, endOf(day))
  // Where the feed began on this day, its minutes begin within its first hour.
  const firstHour = hours[0] === undefined ? Infinity : Date.parse(hours[0].from)
  const isKept = first < firstHour + STEPS.hour
  return isKept ? ({ step: "minute", rows: minutes } as const) : ({ step: "hour", rows: hours } as const)
}

/** How many weeks back {@link readWeeks} reads. */
export const WEEKS = 8

/** The rows of the hours of whole weeks until a moment, but that in which the feed began: a part of it is before the beginning. */
export const readWeeks = async (read: ReadRows, to: number, zone: string) => {
  const from = sameTime(to, -7 * WEEKS, zone)
  const rows = await read("hour", from, to)
  return rows.filter((row, nth) => nth > 0 || Date.parse(row.from) <= from)
}
