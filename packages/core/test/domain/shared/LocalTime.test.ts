/** Times of day that come once a day, whatever the clocks do. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime } from "effect"
import { formatTimestamp, nextTimeOfDay, Timestamp } from "../../../src/index.ts"
import { anyOf, integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const at = (text: string): Timestamp => Timestamp(Date.parse(text))

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const localOf = (instant: number, timeZone: string) => {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
    hourCycle: "h23"
  }).format(instant)
  const [day, time] = parts.split(", ") as [string, string]
  return { day: day.split("/").reverse().join("-"), time }
}

const timeOf = (local: number): string => new Date(local).toISOString().slice(11, 16)

interface ChangeOfClocks {
  readonly timeZone: string
  readonly instant: number
  /** The offsets from UTC on both sides, in milliseconds. */
  readonly before: number
  readonly after: number
}

/** Each way in which the clocks of some time zone were or will be changed in 30 years: from when on a day, and from and to which offset. */
const changesOfClocks = (): Iterable<ChangeOfClocks> => {
  const changes = new Map<string, ChangeOfClocks>()
  const [first, last] = [Date.UTC(2006, 0, 1), Date.UTC(2036, 0, 1)]
  for (const timeZone of Intl.supportedValuesOf("timeZone")) {
    const zone = DateTime.zoneMakeNamedUnsafe(timeZone)
    const offsetAt = (instant: number) => DateTime.zonedOffset(DateTime.makeZonedUnsafe(instant, { timeZone: zone }))
    let offset = offsetAt(first)
    for (let start = first; start < last; start += 28 * DAY) {
      const end = start + 28 * DAY
      const after = offsetAt(end)
      if (after === offset) continue
      let [low, high] = [start, end]
      while (high - low > MINUTE) {
        const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE
        if (offsetAt(middle) === offset) low = middle
        else high = middle
      }
      const change = { timeZone, instant: high, before: offset, after: offsetAt(high) }
      const timeOfDay = (change.instant + change.before) % DAY
      changes.set([timeOfDay, change.before, change.after].join(" "), change)
      offset = after
    }
  }
  return changes.values()
}

/** Where clocks are or were changed at midnight, by half an hour, within weeks, or across the date line; and plain ones of all continents. */
const ZONES = [
  "Africa/Cairo",
  "Africa/Casablanca",
  "Africa/Johannesburg",
  "Africa/Lagos",
  "Africa/Tripoli",
  "America/Asuncion",
  "America/Caracas",
  "America/Chicago",
  "America/Havana",
  "America/Nuuk",
  "America/Port-au-Prince",
  "America/Santiago",
  "America/Sao_Paulo",
  "America/Scoresbysund",
  "America/St_Johns",
  "America/Tijuana",
  "Antarctica/Casey",
  "Antarctica/Troll",
  "Asia/Amman",
  "Asia/Beirut",
  "Asia/Damascus",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Pyongyang",
  "Asia/Tehran",
  "Asia/Tokyo",
  "Atlantic/Azores",
  "Australia/Eucla",
  "Australia/Lord_Howe",
  "Australia/Sydney",
  "Europe/Dublin",
  "Europe/Istanbul",
  "Europe/Rome",
  "Europe/Volgograd",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Pacific/Fakaofo",
  "Pacific/Norfolk",
  "UTC"
]

/**
 * What ICU reads on a clock, as a number that rises with the date and the time: the local time as if it were UTC. It knows nothing of offsets.
 */
const readerOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
    hourCycle: "h23"
  })
  const known = new Map<number, number>()
  return (instant: number): number => {
    const earlier = known.get(instant)
    if (earlier !== undefined) return earlier
    // 29/03/2026, 02:30
    const text = format.format(instant)
    const part = (from: number, to: number) => Number(text.slice(from, to))
    const local = Date.UTC(part(6, 10), part(3, 5) - 1, part(0, 2), part(12, 14), part(15, 17))
    known.set(instant, local)
    return local
  }
}

/** A date that a time zone has: its first and last minute by the clock. */
interface LocalDate {
  readonly first: number
  readonly last: number
  /** Whether it begins at midnight, and ends 24 hours later. */
  readonly isPlain: boolean
}

/**
 * The first minute from `from` on for which `holds`: the clock is read each quarter of an hour, and each minute of the quarter before the first
 * that it holds at. What comes for a minute and goes again, comes at a quarter.
 */
const firstMinute = (from: number, holds: (minute: number) => boolean): number => {
  let quarter = from
  while (!holds(quarter)) quarter += 15 * MINUTE
  let minute = quarter
  while (minute > from && holds(minute - MINUTE)) minute -= MINUTE
  return minute
}

/** Each date of 30 years that a time zone has, by reading its clock: where it was not set, a day after the date before begins the next one. */
const datesOf = (read: (instant: number) => number): ReadonlyArray<LocalDate> => {
  const dayOf = (instant: number) => Math.floor(read(instant) / DAY)
  const dates: Array<LocalDate> = []
  const beginning = Date.UTC(2006, 0, 2)
  let first = firstMinute(beginning, (minute) => dayOf(minute) !== dayOf(minute - MINUTE))
  let local = read(first)
  while (first < Date.UTC(2036, 0, 1)) {
    const day = Math.floor(local / DAY)
    const isPlain = local % DAY === 0 && read(first + DAY) === local + DAY
    const next = isPlain ? first + DAY : firstMinute(first, (minute) => dayOf(minute) > day)
    dates.push({ first, last: next - MINUTE, isPlain })
    first = next
    local = isPlain ? local + DAY : read(first)
  }
  return dates
}

/** The first minute of a date at which the clock reads a time of day or a later one; the end of the date where none does. */
const firstAt = ({ first, last }: LocalDate, timeOfDay: string, read: (instant: number) => number): number => {
  const [hour, minute] = timeOfDay.split(":").map(Number) as [number, number]
  const wanted = Math.floor(read(first) / DAY) * DAY + hour * HOUR + minute * MINUTE
  return firstMinute(first, (at) => at > last || read(at) >= wanted)
}

describe("the next time of day", () => {
  it.each([
    ["on the same day", "04:00", "UTC", "2026-06-01T03:59:59.999Z", "2026-06-01T04:00:00.000Z"],
    ["after the moment itself", "04:00", "UTC", "2026-06-01T04:00:00.000Z", "2026-06-02T04:00:00.000Z"],
    [
      "where the day does not have the time",
      "02:30",
      "Europe/Rome",
      "2026-03-29T00:00:00Z",
      "2026-03-29T01:00:00.000Z"
    ],
    [
      "where the day has the time twice: the first",
      "02:30",
      "Europe/Rome",
      "2026-10-24T23:00:00Z",
      "2026-10-25T00:30:00.000Z"
    ],
    ["where a day is left out", "04:00", "Pacific/Apia", "2011-12-29T20:00:00Z", "2011-12-30T14:00:00.000Z"],
    ["where the day ends before the time", "23:30", "America/Nuuk", "2026-03-28T01:30:00Z", "2026-03-29T01:00:00.000Z"]
  ])("%s", (_, timeOfDay, timeZone, after, expected) => {
    assert.strictEqual(formatTimestamp(nextTimeOfDay(timeOfDay, timeZone, at(after))), expected)
  })

  it.prop(
    "comes once a day, at the local time or the next one that the day has",
    {
      hour: integer(0, 23),
      minute: integer(0, 59),
      timeZone: anyOf(["UTC", "Europe/Rome", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kolkata"]),
      start: Arbitrary.map(integer(0, 365 * 24 * 60), (minutes) =>
        Timestamp(at("2026-01-01T00:00:00Z") + minutes * MINUTE)
      )
    },
    ({ hour, minute, timeZone, start }) => {
      const timeOfDay = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`
      const days = new Set<string>()
      for (let [last, n] = [start, 0]; n < 5; n++) {
        const next = nextTimeOfDay(timeOfDay, timeZone, last)
        assert.isAbove(next, last)
        assert.isAtMost(next - last, 26 * HOUR)
        const { day, time } = localOf(next, timeZone)
        assert.isFalse(days.has(day), `${day} has one`)
        days.add(day)
        // Later than the time of day only where the clocks were set forward past it.
        if (time !== timeOfDay) assert.isBelow(localOf(next - MINUTE, timeZone).time.localeCompare(timeOfDay), 0)
        last = next
      }
    },
    trials(300)
  )

  it("comes once on every date, whenever the clocks of any time zone are changed", () => {
    const wrong: Array<string> = []
    for (const { timeZone, instant, before, after } of changesOfClocks()) {
      // Local times of both sides of the change as if they were UTC.
      const from = Math.floor((instant + before) / DAY) * DAY
      const [skipped, resumed] = [instant + before, instant + after]
      const times = ["00:00", "12:00", "23:59", timeOf(skipped), timeOf(resumed), timeOf((skipped + resumed) / 2)]
      for (const timeOfDay of new Set(times)) {
        const [hour, minute] = timeOfDay.split(":").map(Number) as [number, number]
        const expected = [0, 1, 2].flatMap((days) => {
          const midnight = from + days * DAY
          if (skipped <= midnight && midnight + DAY <= resumed) return []
          const local = midnight + hour * HOUR + minute * MINUTE
          return local - before < instant ? [local - before] : [Math.max(instant, local - after)]
        })
        let last = expected[0]! - 1
        for (const reset of expected) {
          const next = nextTimeOfDay(timeOfDay, timeZone, Timestamp(last))
          if (next !== reset)
            wrong.push(`${timeZone} ${timeOfDay}: ${formatTimestamp(next)}, not ${formatTimestamp(Timestamp(reset))}`)
          last = reset
        }
      }
    }
    assert.deepStrictEqual(wrong, [])
  })

  it.each(ZONES)("comes once on each date of 30 years in %s", (timeZone) => {
    const read = readerOf(timeZone)
    const dates = datesOf(read)
    // All dates around one that is not plain, and some others.
    const nearby = (n: number) => dates.slice(Math.max(0, n - 2), n + 2)
    const asked = dates.flatMap((_, n) =>
      n > 0 && (n % 200 === 0 || !nearby(n).every(({ isPlain }) => isPlain)) ? n : []
    )
    const wrong: Array<string> = []
    for (const timeOfDay of ["00:00", "00:30", "02:30", "23:30"]) {
      for (const n of asked) {
        const [before, expected] = [firstAt(dates[n - 1]!, timeOfDay, read), firstAt(dates[n]!, timeOfDay, read)]
        for (const after of [before, expected - 1]) {
          const next = nextTimeOfDay(timeOfDay, timeZone, Timestamp(after))
          if (next !== expected)
            wrong.push(`${timeOfDay}: ${formatTimestamp(next)}, not ${new Date(expected).toJSON()}`)
        }
      }
    }
    assert.deepStrictEqual(wrong.slice(0, 10), [])
    assert.isAtLeast(dates.length, 30 * 365)
  })
})
