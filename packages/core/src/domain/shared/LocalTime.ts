/** Local times of a time zone: how they are written, when a time of day comes, and where local hours and days begin. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Timestamp, writeSeconds, type WriteText } from "./Timestamp.ts"

/** A time of day: `HH:MM`, from `00:00` to `23:59`. */
export const TimeOfDay = Schema.String.check(
  Schema.makeFilter((text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text), { expected: "a time such as 04:00" })
)

/** The IANA name of a time zone that the runtime knows. */
export const TimeZoneName = Schema.String.check(
  Schema.makeFilter(
    (text: string) => /^[A-Za-z]/.test(text) && text.length <= 64 && Option.isSome(DateTime.zoneMakeNamed(text)),
    {
      expected: "the IANA name of a time zone"
    }
  )
)

/** The time zone of an organization whose policy names none. */
export const DEFAULT_TIME_ZONE = "UTC"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The date so many days after another one: by the calendar alone, as local times of the days between may not exist. */
const addDays = ({ year, month, day }: Day, days: number): Day =>
  DateTime.toPartsUtc(DateTime.add(DateTime.makeUnsafe({ year, month, day }), { days }))

/** The offset from UTC at an instant, in milliseconds. */
const offsetAt = (instant: number, zone: DateTime.TimeZone): number =>
  DateTime.zonedOffset(DateTime.makeZonedUnsafe(instant, { timeZone: zone }))

/** The first instant after `before` with another offset, to the minute; at `after` it is another one. */
const changeBetween = (before: number, after: number, zone: DateTime.TimeZone): number => {
  const offset = offsetAt(before, zone)
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS
    if (offsetAt(middle, zone) === offset) before = middle
    else after = middle
  }
  return after
}

/**
 * The first instant of a day at which its local time is at least `hour:minute`; where the clocks are set forward past the end of the day, the
 * instant at which they are. None where the time zone leaves the day out.
 */
const instantOf = (
  { year, month, day }: Day,
  hour: number,
  minute: number,
  zone: DateTime.TimeZone
): number | undefined => {
  const at = (hour: number, minute: number, disambiguation: DateTime.Disambiguation) =>
    DateTime.makeZonedUnsafe(
      { year, month, day, hour, minute },
      { timeZone: zone, adjustForTimeZone: true, disambiguation }
    )
  if (DateTime.toParts(at(12, 0, "earlier")).day !== day) return undefined
  const earlier = at(hour, minute, "earlier")
  const read = DateTime.toParts(earlier)
  if (read.hour === hour && read.minute === minute) return DateTime.toEpochMillis(earlier)
  // The clocks are set forward between both.
  return changeBetween(DateTime.toEpochMillis(earlier), DateTime.toEpochMillis(at(hour, minute, "later")), zone)
}

/**
 * The first instant after another one at which it is a time of day, once on each date (spec: policies#once-a-day). On a date without that
 * time it is the first time after it, on a date that has it twice the first.
 */
export const nextTimeOfDay = (timeOfDay: string, timeZone: string | undefined, after: Timestamp): Timestamp => {
  const [hour, minute] = timeOfDay.split(":").map(Number) as [number, number]
  const zone = DateTime.zoneMakeNamedUnsafe(timeZone ?? DEFAULT_TIME_ZONE)
  const today = DateTime.toParts(DateTime.makeZonedUnsafe(after, { timeZone: zone }))
  for (const days of [-1, 0, 1, 2]) {
    const instant = instantOf(addDays(today, days), hour, minute, zone)
    if (instant !== undefined && instant > after) return Timestamp(instant)
  }
  throw new TypeError(`no day near ${after} has ${timeOfDay} in ${timeZone}`)
}

/** Longer than a time of day and its next one are apart, also where a day is left out: in milliseconds. */
export const LONGEST_DAY_MS = 50 * HOUR_MS

/** The length of a local hour and day on which the clocks are not changed. */
const LENGTH_MS = { hour: HOUR_MS, day: DAY_MS } as const

/** The beginning of the next local hour or day after one that begins at `start`. */
const nextStart = (step: keyof typeof LENGTH_MS, timeZone: string, zone: DateTime.TimeZone, start: number): number => {
  const [length, offset] = [LENGTH_MS[step], offsetAt(start, zone)]
  const sinceBeginning = (((start + offset) % length) + length) % length
  const next = start + length - sinceBeginning
  if (offsetAt(next, zone) === offset) return next
  return step === "hour" ? changeBetween(start, next, zone) : nextTimeOfDay("00:00", timeZone, Timestamp(start))
}

/**
 * When the local hours or days begin that hold the time from `from` to before `to`, and last when the one after them does: at most `most`
 * and one more. A day begins at `00:00` by the rule {@link nextTimeOfDay}, and has 23, 24 or 25 hours. A change of the clocks within an hour begins
 * another one.
 */
export const localStarts = (
  step: keyof typeof LENGTH_MS,
  timeZone: string,
  { from, to, most }: { readonly from: Timestamp; readonly to: Timestamp; readonly most: number }
): ReadonlyArray<Timestamp> => {
  const zone = DateTime.zoneMakeNamedUnsafe(timeZone)
  const starts: Array<Timestamp> = []
  let start = nextTimeOfDay("00:00", timeZone, Timestamp(from - LONGEST_DAY_MS))
  let next = Timestamp(nextStart(step, timeZone, zone, start))
  // None comes after the last instant that can be written.
  while (start < to && next > start && starts.length <= most) {
    if (next > from) starts.push(start)
    start = next
    next = Timestamp(nextStart(step, timeZone, zone, start))
  }
  return [...starts, start]
}

/** How many hours are known at most: those of 40 days. */
const MAX_HOURS = 1_000

/**
 * Makes the function that writes local times as `2026-11-28 17:05:09`, with which a spreadsheet can compute. It looks an offset up once for
 * each hour in which the clocks do not change: the platform takes microseconds for each.
 */
export const makeWriteLocalTime = (timeZone: string): ((timestamp: Timestamp, write: WriteText) => void) => {
  const zone = DateTime.zoneMakeNamedUnsafe(timeZone)
  const offsets = new Map<number, number>()
  const offsetOf = (timestamp: Timestamp): number => {
    const hour = Math.floor(timestamp / HOUR_MS)
    const known = offsets.get(hour)
    if (known !== undefined) return known
    const offset = offsetAt(hour * HOUR_MS, zone)
    if (offset !== offsetAt((hour + 1) * HOUR_MS - 1, zone)) return offsetAt(timestamp, zone)
    if (offsets.size >= MAX_HOURS) offsets.clear()
    offsets.set(hour, offset)
    return offset
  }
  return (timestamp, write) => writeSeconds(Timestamp(timestamp + offsetOf(timestamp)), write)
}

/** Makes the function that returns local times as {@link makeWriteLocalTime} writes them. */
export const makeLocalTime = (timeZone: string): ((timestamp: Timestamp) => string) => {
  const writeLocalTime = makeWriteLocalTime(timeZone)
  return (timestamp) => {
    let text = ""
    writeLocalTime(timestamp, (piece) => (text += piece))
    return text
  }
}
