/** What the hours of weekdays usually have, by the averages of the weeks before. Pure. */
import type { PresenceHistoryRow } from "@sojourn/client"
import { addDays, type Day, localOf } from "../shared/localTime.ts"
import { averageOf, type Sample, STEPS } from "./chart.ts"
import { WEEKS } from "./rows.ts"

/** An hour that fewer weeks have is left out. */
const LEAST_WEEKS = 3

/** The middle of numbers: of an even count the mean of the two in the middle. */
const middleOf = (sorted: ReadonlyArray<number>): number =>
  (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2

/** The date and the hour at an instant, without its minutes. */
const hourOf = (at: number, zone: string): string => localOf(at, zone).slice(0, 13)

/**
 * The least, the middle (as `average`) and the most of the averages that each hour of a day had in the weeks before. `rows` are of hours in that zone.
 * An hour that the clocks repeat is one with the mean of both; in weeks whose clocks skip it, it is missing.
 */
export const usualOf = (
  rows: ReadonlyArray<Pick<PresenceHistoryRow, "from" | "average">>,
  { date, start, end }: Day,
  zone: string
): ReadonlyArray<Sample> => {
  const averages = Map.groupBy(rows, ({ from }) => hourOf(Date.parse(from), zone))
  const hours: Array<Sample> = []
  for (let at = start; at < end; at += STEPS.hour) {
    const hour = hourOf(at, zone).slice(10)
    const known = Array.from({ length: WEEKS }, (_, nth) => averages.get(addDays(date, -7 * (nth + 1)) + hour) ?? [])
      .filter((same) => same.length > 0)
      .map((same) => same.reduce((sum, { average }) => sum + average, 0) / same.length)
      .sort((one, other) => one - other)
    if (known.length >= LEAST_WEEKS)
      hours.push({ at, until: at + STEPS.hour, least: known[0]!, average: middleOf(known), most: known.at(-1)! })
  }
  return hours
}

/** The part of samples after a moment. */
export const after = (samples: ReadonlyArray<Sample>, moment: number): ReadonlyArray<Sample> =>
  samples.filter(({ until }) => until > moment).map((sample) => ({ ...sample, at: Math.max(sample.at, moment) }))

/** The average of each hour of each weekday, 0 for Sunday, by the clock of a time zone; undefined where none is known. */
export const busiestHours = (
  samples: ReadonlyArray<Sample>,
  zone: string
): ReadonlyArray<ReadonlyArray<number | undefined>> => {
  const hours = Map.groupBy(samples, ({ at }) => {
    const local = localOf(at, zone)
    return new Date(local.slice(0, 10)).getUTCDay() * 24 + Number(local.slice(11, 13))
  })
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const found = hours.get(day * 24 + hour)
      return found && averageOf(found)
    })
  )
}
