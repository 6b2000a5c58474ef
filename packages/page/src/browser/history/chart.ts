/** The geometry of the history's chart, without a component, so that it is tested without a browser. */
import type { PresenceHistoryRow } from "@sojourn/client"
import { addDays, dateOf, dayOf, instantOf, sameTime } from "../shared/localTime.ts"

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

export const STEPS = { minute: MINUTE, hour: HOUR, day: DAY } as const

export type StepName = keyof typeof STEPS

/** What a chart shows: a day, or the time until now. Lengths are in milliseconds. */
export const RANGES = {
  day: { length: DAY, step: "minute" },
  week: { length: 7 * DAY, step: "hour" },
  quarter: { length: 90 * DAY, step: "day" }
} as const satisfies { readonly [name: string]: { readonly length: number; readonly step: StepName } }

export type RangeName = keyof typeof RANGES

/** How many were inside from one moment until another, in milliseconds since 1970. */
export interface Sample {
  readonly at: number
  readonly until: number
  readonly average: number
  readonly least: number
  readonly most: number
}

/** The rows of a history as samples; the running step ends now. */
export const samplesOf = (
  rows: ReadonlyArray<PresenceHistoryRow>,
  step: StepName,
  now: number
): ReadonlyArray<Sample> =>
  rows.map(({ from, average, least, most }, nth) => {
    const at = Date.parse(from)
    // A day has 23 to 25 hours: it ends where the next one begins.
    const next = rows[nth + 1]
    const end = next === undefined ? at + STEPS[step] : Date.parse(next.from)
    return { at, until: Math.max(Math.min(end, now), at), average, least, most }
  })

/**
 * The samples of the time that the feed has existed, where it began with the first of them: that step has a part before the
 * beginning, in which no one was counted. Where its minutes are known, those after the first one take its place.
 */
export const sinceBeginning = (
  samples: ReadonlyArray<Sample>,
  minutes: ReadonlyArray<Sample> = []
): ReadonlyArray<Sample> => {
  const known = [...minutes.slice(1), ...samples.slice(1)]
  return known.length > 0 ? known : minutes.length > 0 ? minutes : samples
}

/** The average of samples, each weighted by its time; of samples without any time the last one's. */
export const averageOf = (samples: ReadonlyArray<Sample>): number => {
  let [sum, time] = [0, 0]
  for (const { at, until, average } of samples) {
    sum += average * (until - at)
    time += until - at
  }
  return time === 0 ? (samples.at(-1)?.average ?? 0) : sum / time
}

/**
 * Samples moved by so many days, each to the same time of the clock. Those without such a time on their new day are left out: the
 * hour that a change of the clock skips there, and the second of the hour that it repeats on their own day.
 */
export const moveDays = (samples: ReadonlyArray<Sample>, days: number, zone: string): ReadonlyArray<Sample> =>
  samples.flatMap((sample) => {
    const at = sameTime(sample.at, days, zone)
    return sameTime(at, -days, zone) === sample.at ? [{ ...sample, at, until: at + sample.until - sample.at }] : []
  })

/** The least distance of two ticks in pixels. */
const TICK_DISTANCE_PX = 56

/** Distances of ticks: in hours within a day, then in days. */
const TICK_HOURS = [1, 2, 3, 6, 12]
const TICK_DAYS = [1, 2, 7, 14, 28]

/** Round times of the clock of a time zone between two moments, as many as have room in this width. */
export const ticksOf = (from: number, to: number, width: number, zone: string): ReadonlyArray<number> => {
  const most = Math.max(Math.floor(width / TICK_DISTANCE_PX), 1)
  const hours = TICK_HOURS.find((hours) => (to - from) / (hours * HOUR) <= most)
  const ticks: Array<number> = []
  if (hours === undefined) {
    const days = TICK_DAYS.find((days) => (to - from) / (days * DAY) <= most) ?? TICK_DAYS.at(-1)!
    for (let { date, start } = dayOf(dateOf(to, zone), zone); start >= from;) {
      ticks.unshift(start)
      ;({ date, start } = dayOf(addDays(date, -days), zone))
    }
    return ticks
  }
  for (let date = dateOf(from, zone); date <= dateOf(to, zone); date = addDays(date, 1)) {
    for (let hour = 0; hour < 24; hour += hours) {
      const at = instantOf(`${date}T${String(hour).padStart(2, "0")}:00`, zone)
      // An hour that a change of the clock leaves out is that after it, which has a tick of its own.
      if (at >= from && at <= to && at > (ticks.at(-1) ?? 0)) ticks.push(at)
    }
  }
  return ticks
}

/** Whether a moment is the beginning of a day of a time zone. */
export const isMidnight = (at: number, zone: string): boolean => dayOf(dateOf(at, zone), zone).start === at

/** The next number above that is 1, 2, 4, 6 or 8 times a power of ten: its half is a whole number from 2 on. */
export const roundUp = (n: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(n, 1)))
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((round) => round >= n)!
}

export const mostOf = (samples: ReadonlyArray<Sample>): number =>
  samples.reduce((most, sample) => Math.max(most, sample.most), 0)

/** The round number at the top of a chart that has room for all of these. */
export const topOf = (...counts: ReadonlyArray<number>): number => roundUp(Math.max(4, ...counts))

/** What a chart shows, from one moment to another. */
interface Charted {
  readonly from: number
  readonly to: number
  readonly samples: ReadonlyArray<Sample>
  /** Samples of a week before, moved to the days that are shown. */
  readonly compared?: ReadonlyArray<Sample> | undefined
  /** What is usual in the hours to come. */
  readonly usual?: ReadonlyArray<Sample>
  readonly top: number
}

/** A chart in pixels: positions in it, and the data of SVG paths. */
export const chartOf = (
  { from, to, samples, compared = [], usual = [], top }: Charted,
  width: number,
  height: number
) => {
  const round = (n: number): number => Math.round(n * 10) / 10
  const x = (at: number) => round(Math.min(Math.max(((at - from) / (to - from)) * width, 0), width))
  const y = (n: number) => round(height - (n / top) * height)
  // Each sample is a step of its own, level from its beginning to its end.
  const stairs = (samples: ReadonlyArray<Sample>, value: (sample: Sample) => number) =>
    samples
      .filter(({ at, until }) => until >= from && at <= to)
      .flatMap((sample) => [sample.at, sample.until].map((at) => `${x(at)} ${y(value(sample))}`))
  const pathOf = (points: ReadonlyArray<string>) => (points.length === 0 ? "" : `M${points.join("L")}`)
  const lineOf = (samples: ReadonlyArray<Sample>) => pathOf(stairs(samples, ({ average }) => average))
  const bandOf = (samples: ReadonlyArray<Sample>) => {
    const upper = stairs(samples, ({ most }) => most)
    const lower = stairs(samples, ({ least }) => least).reverse()
    return upper.length === 0 ? "" : `${pathOf([...upper, ...lower])}Z`
  }
  const line = lineOf(samples)
  return {
    x,
    y,
    /** The average as a line that ends with the live count, where there is one. */
    lineTo: (now: number, inside: number | undefined) =>
      line === "" || inside === undefined ? line : `${line}L${x(now)} ${y(inside)}`,
    /** The area between the least and the most. */
    band: bandOf(samples),
    compared: lineOf(compared),
    usual: { band: bandOf(usual), middle: lineOf(usual) }
  }
}

/** The index of the sample of a moment; that of the last one for moments after it. */
export const sampleAt = (samples: ReadonlyArray<Sample>, at: number): number => {
  const next = samples.findIndex((sample) => sample.at > at)
  return next === -1 ? samples.length - 1 : Math.max(next - 1, 0)
}
