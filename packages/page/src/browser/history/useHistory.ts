/** The history of premises as the chart shows it, which is read again each minute. */
import type { PresenceHistoryRow, SojournClient } from "@sojourn/client"
import type { Premises } from "../organizations/model.ts"
import { serverNow } from "../shared/clock.ts"
import { usePage } from "../shared/context.ts"
import { type Day, sameTime } from "../shared/localTime.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import {
  averageOf,
  moveDays,
  mostOf,
  type RangeName,
  RANGES,
  type Sample,
  samplesOf,
  sinceBeginning,
  type StepName,
  STEPS
} from "./chart.ts"
import { usualOf, WEEKS } from "./usual.ts"

/** How often the history is read again, in milliseconds. */
const RELOAD_INTERVAL_MS = 60_000

/** How long what is compared is kept until it is read again, in milliseconds: it is read so much further. */
const COMPARED_INTERVAL_MS = 3_600_000

/** The premises whose history it is. */
export interface HistoryOf extends Pick<Premises, "placeId"> {
  readonly organizationId: number
}

/** The rows of a history, at most 1,500: `zone` has the days, and the hours where it is not whole hours from UTC. */
export const readRows = (
  api: SojournClient,
  { organizationId, placeId }: HistoryOf,
  {
    from,
    to,
    step,
    zone
  }: { readonly from: number; readonly to: number; readonly step: StepName; readonly zone: string }
): Promise<ReadonlyArray<PresenceHistoryRow>> => {
  const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), step, timeZone: zone }
  return placeId === undefined
    ? api.history.organizationHistory({ organizationId, ...query })
    : api.history.placeHistory({ placeId, ...query })
}

/** The end of what there is of a day: now, or its own. */
export const endOf = ({ start, end }: Day): number => Math.min(end, Math.max(serverNow(), start + 1))

/** The rows of a day until now: those of its minutes, or of its hours where minutes are not kept any more. */
export const readDay = async (api: SojournClient, of: HistoryOf, day: Day, zone: string) => {
  const range = { from: day.start, to: endOf(day), zone }
  const minutes = await readRows(api, of, { ...range, step: "minute" })
  const [first] = minutes
  if (first !== undefined && Date.parse(first.from) === day.start) return { step: "minute", rows: minutes } as const
  const hours = await readRows(api, of, { ...range, step: "hour" })
  // Where the feed began on this day, its minutes begin within its first hour.
  const firstHour = hours[0] === undefined ? Infinity : Date.parse(hours[0].from)
  const isKept = first !== undefined && Date.parse(first.from) < firstHour + STEPS.hour
  return isKept ? ({ step: "minute", rows: minutes } as const) : ({ step: "hour", rows: hours } as const)
}

/** The rows of the hours of whole weeks until a moment, but that in which the feed began: a part of it is before the beginning. */
export const readWeeks = async (api: SojournClient, of: HistoryOf, to: number, zone: string) => {
  const from = sameTime(to, -7 * WEEKS, zone)
  const rows = await readRows(api, of, { from, to, step: "hour", zone })
  return rows.filter((row, nth) => nth > 0 || Date.parse(row.from) <= from)
}

const readHistory = async (api: SojournClient, of: HistoryOf, name: RangeName, day: Day, zone: string) => {
  const { length, step: usual } = RANGES[name]
  const isDay = name === "day"
  const now = serverNow()
  const [from, until] = isDay ? [day.start, endOf(day)] : [now - length, now]
  const { step, rows } = isDay
    ? await readDay(api, of, day, zone)
    : { step: usual, rows: await readRows(api, of, { from, to: until, step: usual, zone }) }
  const samples = samplesOf(rows, step, until)
  const read = { from, to: isDay ? day.end : until, until, isLive: !isDay || now < day.end, rows, samples }
  const [first] = samples
  if (first === undefined || first.at <= from) return { ...read, known: samples, beganAt: undefined }
  const firstStep = { from: first.at, to: Math.max(first.until, first.at + 1), step: "minute", zone } as const
  const minutes = step === "minute" ? [] : samplesOf(await readRows(api, of, firstStep), "minute", until)
  return { ...read, known: sinceBeginning(samples, minutes), beganAt: minutes[0]?.at ?? first.at }
}

export interface LoadedHistory {
  readonly from: number
  /** The end of the chart, and of what there is of it. */
  readonly to: number
  readonly until: number
  /** Whether it lasts until now. */
  readonly isLive: boolean
  readonly rows: ReadonlyArray<PresenceHistoryRow>
  readonly samples: ReadonlyArray<Sample>
  readonly least: number
  readonly most: number
  /** Weighted by time, over the time that the feed has existed. */
  readonly average: number
  /** When the feed began, where that is within the range. */
  readonly beganAt: number | undefined
}

/** What a chart compares a history with. */
interface Compared {
  /** A week before, moved to the days that are shown. */
  readonly weekBefore: ReadonlyArray<Sample>
  /** What the hours of the day usually have. */
  readonly usual: ReadonlyArray<Sample>
  readonly most: number
}

/** Reads a range of a history, which for `day` is that day, in the time zone of the formats. */
export const useHistory = (of: HistoryOf, name: RangeName, day: Day) => {
  const { api, formats } = usePage()
  const { zone } = formats
  const isPast = name === "day" && day.end <= serverNow()
  const asked = [of.organizationId, of.placeId, name, zone, name === "day" && day.start, isPast]
  const history = useLoaded(
    async (): Promise<LoadedHistory> => {
      const { known, samples, ...read } = await readHistory(api, of, name, day, zone)
      return {
        ...read,
        samples,
        least: samples.reduce((least, sample) => Math.min(least, sample.least), Infinity),
        most: mostOf(samples),
        average: averageOf(known)
      }
    },
    asked,
    { intervalMs: isPast ? undefined : RELOAD_INTERVAL_MS }
  )
  const compared = useLoaded(
    async (): Promise<Compared> => {
      const now = serverNow()
      const [from, to] = name === "day" ? [day.start, day.end] : [now - RANGES.week.length, now + COMPARED_INTERVAL_MS]
      const before = { from: sameTime(from, -7, zone), to: sameTime(to, -7, zone), step: "hour", zone } as const
      const [rows, weeks] = await Promise.all([
        name === "quarter" ? [] : readRows(api, of, before),
        name === "day" && !isPast ? readWeeks(api, of, day.start, zone) : []
      ])
      const weekBefore = moveDays(samplesOf(rows, "hour", before.to), 7, zone)
      const usual = usualOf(weeks, day, zone)
      return { weekBefore, usual, most: mostOf([...weekBefore, ...usual]) }
    },
    asked,
    { intervalMs: isPast ? undefined : COMPARED_INTERVAL_MS }
  )
  return { history: history.value, failure: history.failure, compared: compared.value }
}
