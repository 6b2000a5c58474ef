/** Instants, and their text in RFC 3339. It is read and written by hand: strictly, and fast enough for every movement. */
import type * as Brand from "effect/Brand"
import * as Option from "effect/Option"

/** An instant: whole milliseconds since 1970-01-01T00:00:00Z, within the years 0 to 9999 that RFC 3339 can write. */
export type Timestamp = number & Brand.Brand<"Timestamp">

/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z. */
const EARLIEST = -62167219200000
const LATEST = 253402300799999

/** The instant of a clock's milliseconds since 1970; a fraction of a millisecond is dropped. */
export const Timestamp = (milliseconds: number): Timestamp =>
  Math.min(LATEST, Math.max(EARLIEST, Math.floor(milliseconds))) as Timestamp

/** The milliseconds of a day. */
const DAY = 86_400_000

/** How far the clock of a phone may run ahead of the service's (spec: stays#future-timestamp). */
export const LARGEST_LEAD = 5 * 60_000

/** How far in the past a movement may lie: ten years, however many leap days they have (spec: stays#old-timestamp). */
export const LARGEST_LAG_MS = 3_653 * DAY

/**
 * How far the clocks of servers may be apart, in milliseconds. A time that is further ahead is of a clock that was wrong.
 */
export const LARGEST_CLOCK_DIFFERENCE_MS = 60_000

/** Whether a time that was stored as at most `period` milliseconds ahead is of a clock that was ahead. */
export const isAhead = (at: Timestamp, now: Timestamp, period = 0): boolean =>
  at > now + period + LARGEST_CLOCK_DIFFERENCE_MS

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

const daysIn = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : month === 4 || month === 6 || month === 9 || month === 11
      ? 30
      : 31

/** Milliseconds since 1970 of a date in UTC. `Date.UTC` reads the years 0 to 99 as 1900 to 1999. */
const millisecondsOf = (year: number, month: number, day: number, hour: number, minute: number, second: number) => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  return date.getTime()
}

/** A leap second is only ever the last second of a month in UTC: `:60` is read as the instant after it. */
const endsMonth = (milliseconds: number): boolean => {
  const date = new Date(milliseconds)
  return date.getUTCDate() === 1 && milliseconds % DAY === 0
}

/**
 * Reads a strict RFC 3339 timestamp: seconds and offset present, a date that exists. Digits finer than milliseconds are
 * dropped.
 */
export const parseTimestamp = (text: string): Option.Option<Timestamp> => {
  const match = RFC3339.exec(text)
  if (match === null) return Option.none()
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Option.none()
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return Option.none()
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[8] === "-" ? -1 : 1)
  const seconds = millisecondsOf(year, month, day, hour, minute, second) - offset
  if (second === 60 && !endsMonth(seconds)) return Option.none()
  const instant = seconds + (second === 60 ? 0 : Number((match[7] ?? "").slice(0, 3).padEnd(3, "0")))
  return instant >= EARLIEST && instant <= LATEST ? Option.some(instant as Timestamp) : Option.none()
}

const MINUTE = 60_000

/** `00:00:` to `23:59:`. */
const MINUTES_OF_DAY = Array.from({ length: 1440 }, (_, minute) =>
  new Date(minute * MINUTE).toISOString().slice(11, 17)
)
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"))
const MILLISECONDS = Array.from({ length: 1000 }, (_, number) => `.${String(number).padStart(3, "0")}Z`)

/** Makes the function that writes the day of an instant. It keeps the last one: most of what is written together is of one day. */
const makeDayOf = (separator: string) => {
  let day = NaN
  let text = ""
  return (timestamp: Timestamp): string => {
    const next = Math.floor(timestamp / DAY)
    if (next !== day) {
      day = next
      text = new Date(timestamp).toISOString().slice(0, 10) + separator
    }
    return text
  }
}
const utcDayOf = makeDayOf("T")
const localDayOf = makeDayOf(" ")

const minuteOf = (timestamp: Timestamp) => MINUTES_OF_DAY[Math.floor((timestamp - dayStart(timestamp)) / MINUTE)]!
const secondOf = (timestamp: Timestamp) => TWO_DIGITS[Math.floor((timestamp - dayStart(timestamp)) / 1000) % 60]!
const millisecondOf = (timestamp: Timestamp) => MILLISECONDS[(timestamp - dayStart(timestamp)) % 1000]!

/** Takes the next piece of a text. Pieces that are the same each time allocate nothing, where concatenations do. */
export type WriteText = (piece: string) => void

/** Writes an instant as the interface answers it: RFC 3339 in UTC with milliseconds, as `Date.toISOString` does. */
export const formatTimestamp = (timestamp: Timestamp): string =>
  `${utcDayOf(timestamp)}${minuteOf(timestamp)}${secondOf(timestamp)}${millisecondOf(timestamp)}`

/** Writes what {@link formatTimestamp} returns. */
export const writeTimestamp = (timestamp: Timestamp, write: WriteText): void => {
  write(utcDayOf(timestamp))
  write(minuteOf(timestamp))
  write(secondOf(timestamp))
  write(millisecondOf(timestamp))
}

/** Writes an instant in UTC with seconds, as spreadsheets read it: `2026-11-28 17:05:09`. */
export const writeSeconds = (timestamp: Timestamp, write: WriteText): void => {
  write(localDayOf(timestamp))
  write(minuteOf(timestamp))
  write(secondOf(timestamp))
}

/** The first instant of the day of a timestamp, in UTC. */
export const dayStart = (timestamp: Timestamp): Timestamp => (Math.floor(timestamp / DAY) * DAY) as Timestamp
