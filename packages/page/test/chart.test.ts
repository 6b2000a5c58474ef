/** The geometry of the history's chart, and its averages, without a browser. */
import { assert, describe, it } from "@effect/vitest"
import { integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import { busiestHours } from "../src/browser/history/usual.ts"
import {
  averageOf,
  chartOf,
  isMidnight,
  moveDays,
  mostOf,
  RANGES,
  roundUp,
  type Sample,
  sampleAt,
  samplesOf,
  sinceBeginning,
  ticksOf,
  topOf
} from "../src/browser/history/chart.ts"
import { localOf, sameTime } from "../src/browser/shared/localTime.ts"

const MINUTE = 60_000
/** Not a whole number of hours from UTC. */
const ZONE = "America/St_Johns"
const now = Date.parse("2026-03-01T12:00:00.000Z")
const row = (from: string, least: number, most: number, average: number) => ({
  from,
  entered: 0,
  left: 0,
  least,
  most,
  average
})
const charted = (samples: ReadonlyArray<Sample>, length: number) => ({
  from: now - length,
  to: now,
  samples,
  compared: [],
  usual: [],
  top: topOf(mostOf(samples))
})
const sample = (at: number, until: number, average: number): Sample => ({
  at,
  until,
  average,
  least: average,
  most: average
})

const samples = Arbitrary.map(
  Arbitrary.array(Arbitrary.all({ minutes: integer(1, 60), count: integer(0, 50) }), { minLength: 1, maxLength: 8 }),
  (steps) => {
    let at = now
    return steps.map(({ minutes, count }) => sample(at, (at += minutes * MINUTE), count))
  }
)

describe("a chart of a history", () => {
  it("is a line of the averages in an area from the least to the most, which ends with the live count", () => {
    const rows = [row("2026-03-01T11:00:00.000Z", 0, 10, 5), row("2026-03-01T11:01:00.000Z", 4, 8, 6)]
    const chart = chartOf(charted(samplesOf(rows, "minute", now), 180 * MINUTE), 180, 100)
    // A minute is a pixel wide.
    assert.strictEqual(chart.lineTo(now, undefined), "M120 50L121 50L121 40L122 40")
    assert.strictEqual(chart.lineTo(now, 7), "M120 50L121 50L121 40L122 40L180 30")
    assert.strictEqual(chart.band, "M120 0L121 0L121 20L122 20L122 60L121 60L121 100L120 100Z")
  })

  it("ends now, also where the running step does not", () => {
    const rows = [row("2026-03-01T11:30:00.000Z", 1, 1, 1)]
    const chart = chartOf(charted(samplesOf(rows, "hour", now), RANGES.week.length), 168, 100)
    assert.strictEqual(chart.lineTo(now, 1), "M167.5 75L168 75L168 75")
  })

  it("has what is usual as an area and the middle in it", () => {
    const usual = [{ at: now - 30 * MINUTE, until: now, least: 1, average: 2, most: 4 }]
    const chart = chartOf({ ...charted([], 60 * MINUTE), usual }, 60, 100)
    assert.deepStrictEqual(chart.usual, { band: "M30 0L60 0L60 75L30 75Z", middle: "M30 50L60 50" })
  })

  it("has steps that last until the next one, as days of 23 and 25 hours do", () => {
    const rows = ["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"].map((from) => row(from, 0, 0, 0))
    const [day] = samplesOf(rows, "day", Infinity)
    assert.strictEqual(day!.until - day!.at, 25 * 60 * MINUTE)
  })

  it("has room for all that it shows", () => {
    assert.strictEqual(topOf(0), 4)
    assert.strictEqual(topOf(3, 35, 11), 40)
    assert.strictEqual(mostOf([sample(now, now, 3), sample(now, now, 70), sample(now, now, 4)]), 70)
  })

  it("is empty without rows", () => {
    const chart = chartOf(charted([], RANGES.day.length), 100, 100)
    assert.deepStrictEqual([chart.lineTo(now, 3), chart.band], ["", ""])
    assert.strictEqual(averageOf([]), 0)
  })

  it("rounds the greatest value up to a round number", () => {
    assert.deepStrictEqual([1, 2, 3, 7, 10, 11, 499, 500, 501].map(roundUp), [1, 2, 4, 8, 10, 20, 600, 600, 600])
  })

  it("has ticks at round times of the clock, as many as have room", () => {
    for (const { length } of Object.values(RANGES)) {
      for (const width of [200, 400, 900]) {
        const ticks = ticksOf(now - length, now, width, ZONE)
        assert.isAtLeast(ticks.length, 1)
        assert.isAtMost(ticks.length, width / 56 + 1)
        for (const [nth, tick] of ticks.entries()) {
          assert.isTrue(tick >= now - length && tick <= now)
          if (nth > 0) assert.isAbove(tick, ticks[nth - 1]!)
          assert.strictEqual(localOf(tick, ZONE).slice(13), ":00")
          if (length > RANGES.day.length * 7) assert.isTrue(isMidnight(tick, ZONE))
        }
      }
    }
  })
})

describe("the average of a history", () => {
  it.prop("is between the least and the most, and that of its parts by their times", { samples }, ({ samples }) => {
    const average = averageOf(samples)
    const counts = samples.map((one) => one.average)
    assert.isTrue(average >= Math.min(...counts) - 1e-9 && average <= Math.max(...counts) + 1e-9)
    // Cutting each sample in two changes nothing.
    const halves = samples.flatMap((one) => {
      const middle = (one.at + one.until) / 2
      return [
        { ...one, until: middle },
        { ...one, at: middle }
      ]
    })
    assert.closeTo(averageOf(halves), average, 1e-9)
  })

  it.prop("leaves out the step in which the feed began, or its part before that", { samples }, ({ samples }) => {
    const before = sample(now - 60 * MINUTE, now, 0)
    assert.strictEqual(averageOf(sinceBeginning([before, ...samples])), averageOf(samples))
    const minutes = [sample(now - 2 * MINUTE, now - MINUTE, 1), sample(now - MINUTE, now, 7)]
    assert.closeTo(averageOf(sinceBeginning([before, ...samples], minutes)), averageOf([minutes[1]!, ...samples]), 1e-9)
    assert.deepStrictEqual(sinceBeginning([before]), [before])
  })

  it.prop("of a busy hour is that of all its samples", { samples }, ({ samples }) => {
    const hours = busiestHours(samples, ZONE)
    assert.deepStrictEqual([hours.length, ...new Set(hours.map(({ length }) => length))], [7, 24])
    const known = hours.flat().filter((one) => one !== undefined)
    const counts = samples.map((one) => one.average)
    assert.isTrue(known.every((one) => one >= Math.min(...counts) - 1e-9 && one <= Math.max(...counts) + 1e-9))
    const first = new Date(`${localOf(samples[0]!.at, ZONE)}Z`)
    assert.isDefined(hours[first.getUTCDay()]![first.getUTCHours()])
  })
})

describe("a moment of a history", () => {
  it.prop("has the sample in which it is", { samples, part: integer(0, 100) }, ({ samples, part }) => {
    const [first, last] = [samples[0]!, samples.at(-1)!]
    const at = first.at + ((last.until - first.at) * part) / 100
    const found = samples[sampleAt(samples, at)]!
    assert.isTrue(found.at <= at && (at < found.until || found === last))
  })
})

describe("samples of another day, where the clock changes", () => {
  /** Half hours from one moment on, of which each has its number as its count. */
  const halfHours = (from: string, length: number) =>
    Array.from({ length }, (_, nth) => {
      const at = Date.parse(from) + nth * 30 * MINUTE
      return sample(at, at + 30 * MINUTE, nth)
    })
  const textsOf = (samples: ReadonlyArray<Sample>) =>
    samples.map(({ at, average }) => {
      const local = localOf(at, "Europe/Rome")
      return `${local.slice(8, 10)}. ${local.slice(11)} ${average}`
    })

  it("leave out the hour that their new day skips, and the second of the hour that their own day repeats", () => {
    // The clock goes from 2 to 3 on 29 March 2026, and from 3 to 2 on 25 October.
    assert.deepStrictEqual(textsOf(moveDays(halfHours("2026-03-28T00:30:00Z", 5), 1, "Europe/Rome")), [
      "29. 01:30 0",
      "29. 03:00 3",
      "29. 03:30 4"
    ])
    assert.deepStrictEqual(textsOf(moveDays(halfHours("2026-10-25T00:00:00Z", 6), 1, "Europe/Rome")), [
      "26. 02:00 0",
      "26. 02:30 1",
      "26. 03:00 4",
      "26. 03:30 5"
    ])
  })

  it.prop(
    "follow each other, at the same times of the clock",
    { start: integer(0, 2 * 365 * 24), days: Arbitrary.map(integer(0, 1), (week) => (week === 1 ? 7 : 1)) },
    ({ start, days }) => {
      const zone = "America/New_York"
      const moved = moveDays(halfHours(new Date(now + start * 60 * MINUTE).toISOString(), 60), days, zone)
      assert.isAtLeast(moved.length, 58)
      for (const [nth, { at, until, average }] of moved.entries()) {
        const own = now + start * 60 * MINUTE + average * 30 * MINUTE
        assert.strictEqual(localOf(at, zone).slice(11), localOf(own, zone).slice(11))
        assert.strictEqual(at, sameTime(own, days, zone))
        assert.isAtMost(until, moved[nth + 1]?.at ?? until)
      }
    }
  )
})
