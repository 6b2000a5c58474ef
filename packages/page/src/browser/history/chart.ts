/** The geometry of the history's chart, without a component, so that it is tested without a browser. */
import type { HistoryRowJson } from "@sojourn/adapter-http/json"

/** A length of time that a chart shows, and its steps, in milliseconds. */
export interface Range {
  readonly length: number
  readonly step: "minute" | "hour" | "day"
  readonly ticks: number
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

const STEPS = { minute: MINUTE, hour: HOUR, day: DAY } as const

export const RANGES = {
  hours: { length: 3 * HOUR, step: "minute", ticks: 3 },
  day: { length: DAY, step: "minute", ticks: 4 },
  week: { length: 7 * DAY, step: "hour", ticks: 7 },
  quarter: { length: 90 * DAY, step: "day", ticks: 3 }
} as const satisfies { readonly [name: string]: Range }

export type RangeName = keyof typeof RANGES

/** A chart in pixels. */
interface Chart {
  /** The data of SVG paths: the average as a line, and the area between the least and the most. */
  readonly line: string
  readonly band: string
  /** The number at the top of the chart. */
  readonly top: number
  readonly ticks: ReadonlyArray<{ readonly x: number; readonly at: number }>
  readonly least: number
  readonly most: number
  readonly average: number
}

/** The next number above that is 1, 2, 4, 6 or 8 times a power of ten: its half is a whole number from 2 on. */
export const roundUp = (n: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(n, 1)))
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((round) => round >= n)!
}

const round = (n: number): number => Math.round(n * 10) / 10

/** A chart of the rows of a history that ends now. */
export const chartOf = (
  rows: ReadonlyArray<HistoryRowJson>,
  { length, step, ticks }: Range,
  now: number,
  width: number,
  height: number
): Chart => {
  const most = Math.max(0, ...rows.map((row) => row.most))
  const least = Math.min(most, ...rows.map((row) => row.least))
  const top = roundUp(Math.max(most, 4))
  const x = (at: number) => round(Math.min(Math.max(((at - now + length) / length) * width, 0), width))
  const y = (n: number) => round(height - (n / top) * height)
  // Each row is a step of its own, level from its beginning to its end.
  const stairs = (value: (row: HistoryRowJson) => number) =>
    rows.flatMap((row) => {
      const from = Date.parse(row.from)
      return [`${x(from)} ${y(value(row))}`, `${x(from + STEPS[step])} ${y(value(row))}`]
    })
  const upper = stairs((row) => row.most)
  const lower = stairs((row) => row.least).reverse()
  const line = stairs((row) => row.average)
  return {
    line: line.length === 0 ? "" : `M${line.join("L")}`,
    band: upper.length === 0 ? "" : `M${[...upper, ...lower].join("L")}Z`,
    top,
    ticks: Array.from({ length: ticks + 1 }, (_, nth) => {
      const at = now - length + (length * nth) / ticks
      return { x: x(at), at }
    }),
    least,
    most,
    average: rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row.average, 0) / rows.length
  }
}
