/** Local dates and times of a time zone, written as the fields of forms have them, and windows of whole days. */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The longest window of the interface, in days. */
export const MAX_DAYS = 366

/** The organization's time zone; the browser's where there is none, or none that the browser knows. */
export const zoneOf = (timeZone: string | undefined): string => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone
  } catch {
    return new Intl.DateTimeFormat().resolvedOptions().timeZone
  }
}

/** The formats that were made so far, by time zone: making one takes as long as hundreds of its uses. */
const madeFormats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const made =
    madeFormats.get(zone) ??
    new Intl.DateTimeFormat("en", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric"
    })
  madeFormats.set(zone, made)
  return made
}

/** A local time as if it were of UTC, to the minute, in milliseconds. */
const localMs = (instant: number, zone: string): number => {
  const parts = formatOf(zone).formatToParts(instant)
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"))
}

/** The local time at an instant: `2026-11-28T17:05`. */
export const localOf = (instant: number, zone: string): string =>
  new Date(localMs(instant, zone)).toISOString().slice(0, 16)

/** The first instant at which the clocks show a local time; where they skip it, the instant at which they do. */
export const instantOf = (local: string, zone: string): number => {
  const wanted = Date.parse(`${local}Z`)
  // Offsets change at most once in two days.
  const [before, after] = [-DAY_MS, DAY_MS].map((by) => wanted + by - localMs(wanted + by, zone)) as [number, number]
  const found = [wanted + before, wanted + after].sort((a, b) => a - b).find((one) => localMs(one, zone) === wanted)
  if (found !== undefined) return found
  let [low, high] = [wanted + after, wanted + before]
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
    if (localMs(middle, zone) < wanted) low = middle
    else high = middle
  }
  return high
}

/** The local date at an instant: `2026-11-28`. */
export const dateOf = (instant: number, zone: string): string => localOf(instant, zone).slice(0, 10)

/** A date so many days after another one. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/** A day of a time zone: `start` is its first instant, `end` the first after it. */
export interface Day {
  readonly date: string
  readonly start: number
  readonly end: number
}

export const dayOf = (date: string, zone: string): Day => ({
  date,
  start: instantOf(`${date}T00:00`, zone),
  end: instantOf(`${addDays(date, 1)}T00:00`, zone)
})

/** The same time of the clock so many days after an instant, to the minute. */
export const sameTime = (instant: number, days: number, zone: string): number => {
  const local = localOf(instant, zone)
  return instantOf(`${addDays(local.slice(0, 10), days)}${local.slice(10)}`, zone)
}

/** The first and the last day of a window. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The windows that have a name. */
export type NamedWindow = "today" | "yesterday" | "week" | "lastWeek" | "month"

/** The days of a named window that holds `today`, or is a day or a week before it. Weeks begin on `firstWeekday`, 0 for Sunday. */
export const daysOf = (window: NamedWindow, today: string, firstWeekday: number): Days => {
  if (window === "today") return { from: today, to: today }
  if (window === "yesterday") return daysOf("today", addDays(today, -1), firstWeekday)
  if (window === "month") {
    const from = `${today.slice(0, 8)}01`
    return { from, to: addDays(`${addDays(from, 31).slice(0, 8)}01`, -1) }
  }
  const sinceFirst = (new Date(today).getUTCDay() - firstWeekday + 7) % 7
  const from = addDays(today, -sinceFirst - (window === "lastWeek" ? 7 : 0))
  return { from, to: addDays(from, 6) }
}

/** A window as the interface takes it: `from` is its first instant, `to` the first after it. */
export interface Window {
  readonly from: string
  readonly to: string
}

/** The window of days in a time zone; undefined where they are none, or too many. */
export const windowOf = ({ from, to }: Days, zone: string): Window | undefined => {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (!(days >= 1 && days <= MAX_DAYS)) return undefined
  return {
    from: new Date(dayOf(from, zone).start).toISOString(),
    to: new Date(dayOf(to, zone).end).toISOString()
  }
}
