/** The history of premises as the chart shows it, which is read again each minute. */
import { serverNow } from "../shared/clock.ts"
import { usePage } from "../shared/context.ts"
import { type Day, sameTime } from "../shared/localTime.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { averageOf, moveDays, mostOf, type RangeName, RANGES, samplesOf, sinceBeginning } from "./chart.ts"
import { endOf, type HistoryOf, readDay, type ReadRows, readWeeks, rowsOf } from "./rows.ts"
import { usualOf } from "./usual.ts"

/** How often the history is read again, in milliseconds. */
const RELOAD_INTERVAL_MS = 60_000

/** How long what is compared is kept until it is read again, in milliseconds: it is read so much further. */
const COMPARED_INTERVAL_MS = 3_600_000

const readHistory = async (read: ReadRows, name: RangeName, day: Day) => {
  const { length, step: usual } = RANGES[name]
  const isDay = name === "day"
  const now = serverNow()
  const [from, until] = isDay ? [day.start, endOf(day)] : [now - length, now]
  const { step, rows } = isDay ? await readDay(read, day) : { step: usual, rows: await read(usual, from, until) }
  const samples = samplesOf(rows, step, until)
  const [first] = samples
  const begins = first !== undefined && first.at > from ? first : undefined
  const minutes =
    begins === undefined || step === "minute"
      ? []
      : samplesOf(await read("minute", begins.at, Math.max(begins.until, begins.at + 1)), "minute", until)
  return {
    from,
    /** The end of the chart, and of what there is of it. */
    to: isDay ? day.end : until,
    until,
    /** Whether it lasts until now. */
    isLive: !isDay || now < day.end,
    rows,
    samples,
    least: samples.reduce((least, sample) => Math.min(least, sample.least), Infinity),
    most: mostOf(samples),
    /** Weighted by time, over the time that the feed has existed. */
    average: averageOf(begins === undefined ? samples : sinceBeginning(samples, minutes)),
    /** When the feed began, where that is within the range. */
    beganAt: begins && (minutes[0] ?? begins).at
  }
}

export type LoadedHistory = Awaited<ReturnType<typeof readHistory>>

/** Reads what a chart compares a history with. */
const readCompared = async (read: ReadRows, name: RangeName, day: Day, zone: string) => {
  const now = serverNow()
  const [from, to] = name === "day" ? [day.start, day.end] : [now - RANGES.week.length, now + COMPARED_INTERVAL_MS]
  const [before, end] = [sameTime(from, -7, zone), sameTime(to, -7, zone)]
  const [rows, weeks] = await Promise.all([
    name === "quarter" ? [] : read("hour", before, end),
    name === "day" && day.end > now ? readWeeks(read, day.start, zone) : []
  ])
  const weekBefore = moveDays(samplesOf(rows, "hour", end), 7, zone)
  const usual = usualOf(weeks, day, zone)
  return {
    /** A week before, moved to the days that are shown. */
    weekBefore,
    /** What the hours of the day usually have. */
    usual,
    most: mostOf([...weekBefore, ...usual])
  }
}

/** Reads a range of a history, which for `day` is that day, in the time zone of the formats. */
export const useHistory = (of: HistoryOf, name: RangeName, day: Day) => {
  const { api, formats } = usePage()
  const { zone } = formats
  const read = rowsOf(api, of, zone)
  const isPast = name === "day" && day.end <= serverNow()
  const asked = [of.organizationId, of.placeId, name, zone, name === "day" && day.start, isPast]
  const history = useLoaded(() => readHistory(read, name, day), asked, {
    intervalMs: isPast ? undefined : RELOAD_INTERVAL_MS
  })
  const compared = useLoaded(() => readCompared(read, name, day, zone), asked, {
    intervalMs: isPast ? undefined : COMPARED_INTERVAL_MS
  })
  return { history: history.value, failure: history.failure, compared: compared.value }
}
