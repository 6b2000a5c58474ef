/** The daily moment at which the people counted in an organization become none, at its local time. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { StayPolicy } from "../policies/StayPolicy.ts"
import { Timestamp } from "../shared/Timestamp.ts"

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

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The date so many days after another one: by the calendar alone, as local times of the days between may not exist. */
const addDays = ({ year, month, day }: Day, days: number): Day =>
  DateTime.toPartsUtc(DateTime.add(DateTime.makeUnsafe({ year, month, day }), { days }))

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
  const offset = DateTime.zonedOffset(earlier)
  let [before, after] = [DateTime.toEpochMillis(earlier), DateTime.toEpochMillis(at(hour, minute, "later"))]
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS
    const isBefore = DateTime.zonedOffset(DateTime.makeZonedUnsafe(middle, { timeZone: zone })) === offset
    if (isBefore) before = middle
    else after = middle
  }
  return after
}

/**
 * The first reset after an instant, by the policy's time of day and time zone. On a day without that time it is the first time after it; on
 * a day that has it twice, the first.
 */
export const nextReset = (timeOfDay: string, timeZone: string | undefined, after: Timestamp): Timestamp => {
  const [hour, minute] = timeOfDay.split(":").map(Number) as [number, number]
  const zone = DateTime.zoneMakeNamedUnsafe(timeZone ?? DEFAULT_TIME_ZONE)
  const today = DateTime.toParts(DateTime.makeZonedUnsafe(after, { timeZone: zone }))
  for (const days of [-1, 0, 1, 2]) {
    const instant = instantOf(addDays(today, days), hour, minute, zone)
    if (instant !== undefined && instant > after) return Timestamp(instant)
  }
  throw new TypeError(`no day near ${after} has ${timeOfDay} in ${timeZone}`)
}

/** Longer than any two resets are apart, also where a day is left out: in milliseconds. */
export const LONGEST_BETWEEN_RESETS_MS = 50 * 60 * MINUTE_MS

/** Whether the next reset that is stored was computed by a clock that was ahead: then it is computed anew, and nothing is reset. */
export const isResetAhead = (next: Timestamp, now: Timestamp): boolean => next > now + LONGEST_BETWEEN_RESETS_MS

/**
 * The next reset of an organization after a change of its policy: that of the policy before, unless its time or its time zone changed. None
 * where the policy has no time.
 */
export const resetAfterChange = ({
  before,
  after,
  next,
  now
}: {
  readonly before: Pick<StayPolicy, "countedResetAt" | "timeZone">
  readonly after: Pick<StayPolicy, "countedResetAt" | "timeZone">
  readonly next: Timestamp | undefined
  readonly now: Timestamp
}): Timestamp | undefined => {
  if (after.countedResetAt === undefined) return undefined
  const isSame = before.countedResetAt === after.countedResetAt && before.timeZone === after.timeZone
  return isSame ? next : nextReset(after.countedResetAt, after.timeZone, now)
}
