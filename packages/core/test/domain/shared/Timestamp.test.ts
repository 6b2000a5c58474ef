/** The parser and printer of RFC 3339 timestamps, compared with a calendar that is computed without `Date`. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Arbitrary, Option } from "effect"
import { formatTimestamp, parseTimestamp, Timestamp } from "../../../src/index.ts"
import { anyOf, EARLIEST, integer, LATEST, timestamp } from "@sojourn/testing"
import { trials, words } from "../../trials.ts"

const read = (text: string) => Option.getOrUndefined(parseTimestamp(text))

/** Days since 1970 in the proleptic Gregorian calendar, by counting years and months: no Date is asked. */
const daysSince1970 = (year: number, month: number, day: number): number => {
  const isLeap = (y: number) => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0
  const lengths = (y: number) => [31, isLeap(y) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const before = (y: number) =>
    365 * y + Math.floor((y + 3) / 4) - Math.floor((y + 99) / 100) + Math.floor((y + 399) / 400)
  const monthDays = lengths(year).slice(0, month - 1)
  return before(year) - before(1970) + monthDays.reduce((sum, days) => sum + days, 0) + day - 1
}

const pad = (value: number, digits = 2) => String(value).padStart(digits, "0")

/** The parts of a timestamp, in range or just out of it. */
const parts = Arbitrary.all({
  year: anyOf([2026, 2024, 2000, 1900, 2100, 2400, 2500, 1, 0, 99, 1969, 1970, 9999]),
  month: integer(0, 13),
  day: integer(0, 32),
  hour: integer(0, 24),
  minute: integer(0, 60),
  second: integer(0, 61),
  fraction: anyOf(["", ".0", ".5", ".25", ".123", ".1239999", ".000000001", ".999999999999999999"]),
  sign: anyOf(["Z", "z", "+", "-"]),
  offsetHour: integer(0, 24),
  offsetMinute: integer(0, 60),
  separator: anyOf(["T", "t"])
})

const ACCEPTED: ReadonlyArray<readonly [text: string, instant: number]> = [
  ["2026-03-01T08:00:00.000Z", 1772352000000],
  ["2026-03-01T08:00:00-00:00", 1772352000000],
  ["2026-03-01T08:00:00+23:59", 1772265660000],
  ["2026-03-01T08:00:00.123456Z", 1772352000123],
  ["2026-03-01T08:00:00.9999999999999999999999999Z", 1772352000999],
  ["0000-01-01T00:00:00Z", -62167219200000],
  ["9999-12-31T23:59:59.999Z", 253402300799999],
  ["2016-12-31T23:59:60Z", 1483228800000],
  ["2016-12-31T23:59:60.75Z", 1483228800000],
  ["2017-01-01T00:59:60+01:00", 1483228800000],
  ["2015-06-30T16:59:60-07:00", 1435708800000]
]

/** Each is written almost as RFC 3339 wants it, or is read by some lenient parser. */
const REFUSED: ReadonlyArray<string> = [
  ...words(`
    2024-01-15 2024-01-15T10:00:00 2024-01-15T10:00Z 2024-01-15T10Z 2024-02-30T10:00:00Z 2024-04-31T10:00:00Z
    2024-01-00T10:00:00Z 2024-00-15T10:00:00Z 2024-01-15T10:00:61Z 2024-01-15T10:00:00+0530 2024-01-15T10:00:00+5:30
    2024-01-15T10:00:00+05 2024-1-15T10:00:00Z 2024-01-15T9:00:00Z 2024-01-15T10:00:00,5Z 2024-W03-1T10:00:00Z
    2024-015T10:00:00Z 2023-02-29T10:00:00Z 1900-02-29T10:00:00Z 2100-02-29T10:00:00Z 2500-02-29T10:00:00Z 2024-13-01T10:00:00Z
    2024-01-15T24:00:00Z 2024-01-15T10:60:00Z 2024-01-15T10:00:00+25:00 2024-01-15T10:00:00+24:00
    2024-01-15T10:00:00+05:60 2024-01-15T10:00:00-99:99 1705312800000 1705312800 +002024-01-15T10:00:00Z
    -002024-01-15T10:00:00Z +2024-01-15T10:00:00Z -2024-01-15T10:00:00Z 24-01-15T10:00:00Z 02024-01-15T10:00:00Z
    10000-01-01T00:00:00Z 2024-01-15T10:00:00.Z now 2024-01-15_10:00:00Z 2024-01-15T10:00:00UTC 2024-01-15T10:00:00GMT
    2024-01-15T10:00:00Z+00:00 20240115T100000Z 2024-01-15T100000Z 2024/01/15T10:00:00Z 2024-01-15T10.00.00Z
    2024-01-15T10:00:00.5.5Z 2024-01-15T10:00:00.-5Z 2024-01-15T10:00:00.5e1Z 2024-01-15T10:00:60Z
    2024-01-15T23:59:60Z 2016-12-31T23:58:60Z 2016-12-30T23:59:60Z 2016-12-31T23:59:60+01:00 2017-01-01T00:00:60+01:00
    2016-12-31T23:60:60Z 2016-12-31T24:59:60Z 0000-01-01T00:00:00+00:01 9999-12-31T23:59:59-00:01 9999-12-31T23:59:60Z
    null NaN Infinity 2024-01-15T10:00:00+1:00 2024-01-15T10:00:00+01:0 2024-01-15T10:00:00+01:000
    2024-01-15T10:00:00--01:00
  `),
  " 2024-01-15T10:00:00Z",
  "2024-01-15T10:00:00Z ",
  "Mon, 15 Jan 2024 10:00:00 GMT",
  "",
  "2024-01-15 10:00:00Z",
  "2024-01-15T10:00:00 Z",
  "2024-01-15T10:00:00\u221205:00",
  "2024-01-15T10:00:00Z\n",
  "\n2024-01-15T10:00:00Z",
  "2024-01-15T10:00:00Z\u0000",
  "٢٠٢٤-01-15T10:00:00Z",
  "２０２４-01-15T10:00:00Z"
]

describe("a timestamp is strict RFC 3339", () => {
  it.each(ACCEPTED)("%s is an instant", (text, instant) => assert.strictEqual(read(text), instant))

  it.each(REFUSED.map((text) => [JSON.stringify(text), text]))("%s is none", (_, text) =>
    assert.strictEqual(read(text), undefined)
  )

  it.prop(
    "a date that exists, with seconds and an offset, is the instant that counting days gives; any other is none",
    { parts },
    ({ parts: { year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute, separator } }) => {
      const zone = sign === "+" || sign === "-" ? `${sign}${pad(offsetHour)}:${pad(offsetMinute)}` : sign
      const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}${separator}${pad(hour)}:${pad(minute)}:${pad(second)}${fraction}${zone}`
      const monthExists = month >= 1 && month <= 12
      const nextMonth = month === 12 ? daysSince1970(year + 1, 1, 1) : daysSince1970(year, month + 1, 1)
      const dateExists = monthExists && day >= 1 && daysSince1970(year, month, day) < nextMonth
      const zoneExists = zone.length === 1 || (offsetHour <= 23 && offsetMinute <= 59)
      const isLeapSecond = second === 60
      const expected = () => {
        if (!dateExists || hour > 23 || minute > 59 || second > 60 || !zoneExists) return undefined
        const offset = zone.length === 1 ? 0 : (sign === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute)
        const minutes = daysSince1970(year, month, day) * 1440 + hour * 60 + minute - offset
        const firstOfMonth = new Date((minutes + 1) * 60_000).getUTCDate() === 1 && (minutes + 1) % 1440 === 0
        if (isLeapSecond && !firstOfMonth) return undefined
        const milliseconds = isLeapSecond ? 0 : Math.floor(Number(`0${fraction || ".0"}`) * 1000)
        // Binary fractions: 0.999999999999999999 is 1 to a number, and 999 to digits that are dropped.
        const instant = minutes * 60_000 + second * 1000 + Math.min(999, milliseconds)
        return instant < EARLIEST || instant > LATEST ? undefined : instant
      }
      assert.strictEqual(read(text), expected(), text)
    },
    trials(2000)
  )

  it.prop(
    "instants are written as a Date writes them, and read as they were, whatever was written before",
    { timestamp, other: timestamp, later: integer(0, 2 * 86_400_000) },
    ({ timestamp, other, later }) => {
      for (const instant of [timestamp, Timestamp(timestamp + later), other, timestamp, Timestamp(other - later)]) {
        assert.strictEqual(formatTimestamp(instant), new Date(instant).toISOString())
        assert.strictEqual(read(formatTimestamp(instant)), instant)
      }
    },
    trials(1000)
  )

  it("the first instant that a process writes may be of the first day of 1970", async () => {
    vi.resetModules()
    const ofANewProcess = await import("../../../src/domain/shared/Timestamp.ts")
    assert.strictEqual(ofANewProcess.formatTimestamp(Timestamp(1)), "1970-01-01T00:00:00.001Z")
  })

  it.prop(
    "a character taken out, put in or changed leaves a timestamp of the same grammar, or none",
    { timestamp, at: integer(0, 23), cut: integer(0, 1), put: anyOf(["", ..."0159:-+.TtZz ,\n٣"]) },
    ({ timestamp, at, cut, put }) => {
      const text = formatTimestamp(timestamp)
      const changed = text.slice(0, at) + put + text.slice(at + cut)
      const instant = read(changed)
      if (instant === undefined) return
      assert.match(
        changed,
        /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$/
      )
      assert.strictEqual(read(formatTimestamp(instant)), instant)
    },
    trials(2000)
  )
})

describe("an instant of a clock", () => {
  it("drops fractions of a millisecond, before 1970 as well, and stays within the years 0 to 9999", () => {
    const cases = [
      [1.9, 1],
      [-0.1, -1],
      [1772352000000.999, 1772352000000],
      [Infinity, 253402300799999],
      [-Infinity, -62167219200000],
      [253402300800000, 253402300799999]
    ] as const
    for (const [clock, instant] of cases) assert.strictEqual<number>(Timestamp(clock), instant)
  })
})
