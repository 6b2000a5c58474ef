/** The geometry of the history's chart, without a component, so that it is tested without a browser. */
import type { PresenceHistoryRow } from "@sojourn/client"

/** A length of time that a chart shows, and its steps, in milliseconds. */
export interface Range {
  readonly length: number
  readonly step: "minute" | "hour" | "day"
  /** How many days before the line with which it is compared began, for each such line. */
  readonly comparedDays: ReadonlyArray<1 | 7>
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

export const STEPS = { minute: MINUTE, hour: HOUR, day: DAY } as const

export const RANGES = {
  hours: { length: 3 * HOUR, step: "minute", comparedDays: [1, 7] },
  day: { length: DAY, step: "minute", comparedDays: [1, 7] },
  week: { length: 7 * DAY, step: "hour", comparedDays: [7] },
  quarter: { length: 90 * DAY, step: "day", comparedDays: [] }
} as const satisfies { readonly [name: string]: Range }

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
  step: Range["step"],
  now: number
): ReadonlyArray<Sample> =>
  rows.map(({ from, average, least, most }) => {
    const at = Date.parse(from)
    return { at, until: Math.max(Math.min(at + STEPS[step], now), at), average, least, most }
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

/** The same time of the clock so many days later, or earlier for a negative number. */
export const addDays = (at: number, days: number): number => {
  const date = new Date(at)
  return date.setDate(date.getDate() + days)
}

/**
 * Samples moved by so many days, each to the same time of the clock. Those without such a time on their new day are left out: the
 * hour that a change of the clock skips there, and the second of the hour that it repeats on their own day.
 */
export const moveDays = (samples: ReadonlyArray<Sample>, days: number): ReadonlyArray<Sample> =>
  samples.flatMap((sample) => {
    const at = addDays(sample.at, days)
    return addDays(at, -days) === sample.at ? [{ ...sample, at, until: at + sample.until - sample.at }] : []
  })

/** The least distance of two ticks in pixels. */
const TICK_DISTANCE_PX = 56

/** Distances of ticks: in minutes within a day, then in days. */
const TICK_MINUTES = [5, 10, 15, 30, 60, 120, 180, 360, 720]
const TICK_DAYS = [1, 2, 7, 14, 28]

/** The beginning of the day of a moment, by the clock of the browser. */
const midnightOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Round times of the clock between two moments, as many as have room in this width. */
export const ticksOf = (from: number, to: number, width: number): ReadonlyArray<number> => {
  const most = Math.max(Math.floor(width / TICK_DISTANCE_PX), 1)
  const minutes = TICK_MINUTES.find((minutes) => (to - from) / (minutes * MINUTE) <= most)
  const ticks: Array<number> = []
  if (minutes === undefined) {
    const days = TICK_DAYS.find((days) => (to - from) / (days * DAY) <= most) ?? TICK_DAYS.at(-1)!
    for (let day = midnightOf(to); day >= from; day = addDays(day, -days)) ticks.unshift(day)
    return ticks
  }
  for (let day = midnightOf(from); day <= to; day = addDays(day, 1)) {
    for (let minute = 0; minute < 24 * 60; minute += minutes) {
      const at = new Date(day).setHours(0, minute)
      // An hour that a change of the clock leaves out is that after it, which has a tick of its own.
      if (at >= from && at <= to && at > (ticks.at(-1) ?? 0)) ticks.push(at)
    }
  }
  return ticks
}

/** Whether a moment is the beginning of a day by the clock of the browser. */
export const isMidnight = (at: number): boolean => midnightOf(at) === at

/** The next number above that is 1, 2, 4, 6 or 8 times a power of ten: its half is a whole number from 2 on. */
export const roundUp = (n: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(n, 1)))
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((round) => round >= n)!
}

const round = (n: number): number => Math.round(n * 10) / 10

/** What a chart shows, from one moment to another. */
export interface Charted {
  readonly from: number
  readonly to: number
  readonly samples: ReadonlyArray<Sample>
  /** Samples of earlier days, moved to the days that are shown. */
  readonly compared: ReadonlyArray<ReadonlyArray<Sample>>
  readonly top: number
}

/** A chart in pixels. */
export interface Chart {
  /** The data of an SVG path: the average as a line that ends with the live count. */
  readonly lineTo: (inside: number) => string
  /** The data of an SVG path: the area between the least and the most. */
  readonly band: string
  readonly compared: ReadonlyArray<string>
  readonly x: (at: number) => number
  readonly y: (count: number) => number
}

export const mostOf = (samples: ReadonlyArray<Sample>): number =>
  samples.reduce((most, sample) => Math.max(most, sample.most), 0)

/** The round number at the top of a chart that has room for all of these. */
export const topOf = (...counts: ReadonlyArray<number>): number => roundUp(Math.max(4, ...counts))

export const chartOf = (charted: Charted, width: number, height: number): Chart => {
  const { from, to, samples, compared, top } = charted
  const x = (at: number) => round(Math.min(Math.max(((at - from) / (to - from)) * width, 0), width))
  const y = (n: number) => round(height - (n / top) * height)
  // Each sample is a step of its own, level from its beginning to its end.
  const stairs = (samples: ReadonlyArray<Sample>, value: (sample: Sample) => number) =>
    samples.flatMap((sample) =>
      sample.until < from || sample.at > to
        ? []
        : [`${x(sample.at)} ${y(value(sample))}`, `${x(sample.until)} ${y(value(sample))}`]
    )
  const pathOf = (points: ReadonlyArray<string>) => (points.length === 0 ? "" : `M${points.join("L")}`)
  const average = ({ average }: Sample) => average
  const upper = stairs(samples, (sample) => sample.most)
  const lower = stairs(samples, (sample) => sample.least).reverse()
  const line = pathOf(stairs(samples, average))
  return {
    lineTo: (inside) => (line === "" ? "" : `${line}L${x(to)} ${y(inside)}`),
    band: upper.length === 0 ? "" : `${pathOf([...upper, ...lower])}Z`,
    compared: compared.map((samples) => pathOf(stairs(samples, average))),
    x,
    y
  }
}

/** The index of the sample of a moment; that of the last one for moments after it. */
export const sampleAt = (samples: ReadonlyArray<Sample>, at: number): number => {
  const next = samples.findIndex((sample) => sample.at > at)
  return next === -1 ? samples.length - 1 : Math.max(next - 1, 0)
}

/** The average of each hour of each weekday, 0 for Sunday, by the clock of the browser; undefined where none is known. */
export const busiestHours = (samples: ReadonlyArray<Sample>): ReadonlyArray<ReadonlyArray<number | undefined>> => {
  const hours = new Map<number, Array<Sample>>()
  for (const sample of samples) {
    const date = new Date(sample.at)
    const key = date.getDay() * 24 + date.getHours()
    hours.set(key, [...(hours.get(key) ?? []), sample])
  }
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const found = hours.get(day * 24 + hour)
      return found === undefined ? undefined : averageOf(found)
    })
  )
}
