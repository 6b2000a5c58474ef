/** Who was inside at each minute of a day by the rows of its history, what hours usually have, and the server's clock. */
import { assert, describe, it } from "@effect/vitest"
import { historyRange, historyRows, Timestamp } from "@sojourn/core"
import { integer } from "@sojourn/testing"
import { Arbitrary, Result } from "effect"
import { insideAt, boundsBefore, netOf, seriesOf } from "../src/browser/history/series.ts"
import { after, usualOf } from "../src/browser/history/usual.ts"
import { offsetAfter } from "../src/browser/shared/clock.ts"
import { addDays, dayOf } from "../src/browser/shared/localTime.ts"

const [MINUTE, HOUR] = [60_000, 3_600_000]
const start = Timestamp(Date.parse("2026-07-14T00:00:00Z"))

/** People who come (or go, where there are any) one after the other, some of them in the ten minutes before `start`. */
const movements = Arbitrary.map(
  Arbitrary.array(Arbitrary.all({ wait: integer(1, 40_000), goes: integer(0, 2) }), { minLength: 1, maxLength: 80 }),
  (steps) => {
    let [at, inside] = [start - 10 * MINUTE, 0]
    return steps.map(({ wait, goes }) => {
      const [entered, left] = goes > 0 && inside > 0 ? [0, 1] : [1, 0]
      inside += entered - left
      return { at: Timestamp((at += wait)), entered, left, inside, exits: left, stayed: 0 }
    })
  }
)

/** The rows that the service answers of what happened. */
const rowsOf = (
  changes: ReadonlyArray<{
    at: Timestamp
    entered: number
    left: number
    inside: number
    exits: number
    stayed: number
  }>,
  step: "minute" | "hour",
  from: number,
  to: number
) => {
  const range = Result.getOrThrow(historyRange({ step, from: Timestamp(from), to: Timestamp(to) }))
  const beganAt = Timestamp(start - HOUR)
  const stored = { beganAt, buckets: [], changes, inside: changes.at(-1)!.inside }
  return historyRows(range, stored, Timestamp(to)).map((row) => ({ ...row, from: new Date(row.from).toISOString() }))
}

describe("a day of a history", () => {
  it.prop(
    "has who was inside at the end of each minute, whatever happened before and within",
    { movements },
    ({ movements }) => {
      const end = start + 60 * MINUTE
      const rows = rowsOf(movements, "minute", start, end)
      const trueAt = (at: number) => movements.findLast((one) => one.at < at)?.inside ?? 0
      const [least, most] = boundsBefore(rows)
      assert.isTrue(least <= trueAt(start) && trueAt(start) <= most)
      assert.strictEqual(netOf(rowsOf(movements, "hour", start - HOUR, start)), trueAt(start))
      const series = seriesOf(rows, "minute", trueAt(start))
      for (let at: number = start; at < end; at += MINUTE) {
        const expected = at === series.peak!.at ? series.peak!.most : trueAt(at + MINUTE)
        assert.strictEqual(insideAt(series, at), expected)
        assert.strictEqual(insideAt(series, at + MINUTE - 1), expected)
        assert.isAtMost(expected, series.peak!.most)
      }
      assert.strictEqual(series.peak!.most, Math.max(...rows.map((row) => row.most)))
      // A quiet minute shows it alone; of an hour of 80 movements at most there is one.
      assert.strictEqual(least, most)
    }
  )

  it("of which each minute has both directions leaves a choice, which what was before decides", () => {
    const row = { from: "2026-07-14T00:00:00Z", entered: 2, left: 2, least: 4, most: 6 }
    assert.deepStrictEqual(boundsBefore([row]), [4, 6])
    assert.deepStrictEqual(boundsBefore([row, { ...row, least: 2, most: 4 }]), [4, 4])
    assert.deepStrictEqual(boundsBefore([]), [0, Infinity])
  })

  it("of hours has the most of each, and 0 before the feed began", () => {
    const rows = [10, 11].map((hour) => ({
      from: `2026-07-14T${hour}:00:00Z`,
      entered: 3,
      left: 3,
      least: 0,
      most: hour
    }))
    const series = seriesOf(rows, "hour", 0)
    const at = (time: string) => insideAt(series, Date.parse(`2026-07-14T${time}:00Z`))
    assert.deepStrictEqual([at("09:59"), at("10:00"), at("10:59"), at("11:30")], [0, 10, 10, 11])
    assert.isUndefined(seriesOf([], "minute", 0).peak)
  })
})

const ZONE = "Europe/Rome"

/** Hour rows of days, in which each hour of the zone has the number that is made of the week and the time. */
const hoursOf = (dates: ReadonlyArray<string>, averageOf: (week: number, nth: number) => number) =>
  dates.flatMap((date, week) => {
    const { start, end } = dayOf(date, ZONE)
    const count = (end - start) / HOUR
    return Array.from({ length: count }, (_, nth) => ({
      from: new Date(start + nth * HOUR).toISOString(),
      average: averageOf(week, nth)
    }))
  })
const weeksBefore = (date: string, weeks: ReadonlyArray<number>) => weeks.map((week) => addDays(date, -7 * week))

describe("what is usual of a day", () => {
  it("is the least, the middle and the most of the same hours of the same weekday, of three weeks at least", () => {
    const date = "2026-07-14"
    const day = dayOf(date, ZONE)
    const known = usualOf(
      hoursOf(weeksBefore(date, [1, 2, 3, 8]), (week, nth) => nth + [10, 0, 40, 20][week]!),
      day,
      ZONE
    )
    assert.strictEqual(known.length, 24)
    assert.deepStrictEqual(known[13], {
      at: day.start + 13 * HOUR,
      until: day.start + 14 * HOUR,
      least: 13,
      average: 28,
      most: 53
    })
    assert.deepStrictEqual(
      usualOf(
        hoursOf(weeksBefore(date, [1, 8]), () => 1),
        day,
        ZONE
      ),
      []
    )
    // Other weekdays and earlier weeks are others.
    assert.deepStrictEqual(
      usualOf(
        hoursOf(
          [1, 2, 3, 4, 5, 6].map((days) => addDays(date, -days)),
          () => 1
        ),
        day,
        ZONE
      ),
      []
    )
    assert.deepStrictEqual(
      usualOf(
        hoursOf(weeksBefore(date, [9, 10, 11]), () => 1),
        day,
        ZONE
      ),
      []
    )
  })

  it("goes by the clock on days of 23 and 25 hours", () => {
    // The clock goes from 2 to 3 on 29 March 2026, and from 3 to 2 on 25 October.
    const spring = dayOf("2026-03-29", ZONE)
    const inSpring = usualOf(
      hoursOf(weeksBefore("2026-03-29", [1, 2, 3]), (_, nth) => nth),
      spring,
      ZONE
    )
    assert.deepStrictEqual(
      inSpring.map(({ average }) => average),
      [0, 1, ...Array.from({ length: 21 }, (_, nth) => nth + 3)]
    )
    const autumn = dayOf("2026-10-25", ZONE)
    const inAutumn = usualOf(
      hoursOf(weeksBefore("2026-10-25", [1, 2, 3]), (_, nth) => nth),
      autumn,
      ZONE
    )
    assert.deepStrictEqual(inAutumn.map(({ average }) => average).slice(0, 5), [0, 1, 2, 2, 3])
    assert.strictEqual(inAutumn.length, 25)
    // A week that skips an hour does not have it; one that repeats it has the mean of both.
    const later = usualOf(
      hoursOf(weeksBefore("2026-04-12", [1, 2, 3]), (_, nth) => nth),
      dayOf("2026-04-12", ZONE),
      ZONE
    )
    assert.strictEqual(later.length, 23)
    const mean = usualOf(
      hoursOf(weeksBefore("2026-11-08", [1, 2, 3]), (_, nth) => nth),
      dayOf("2026-11-08", ZONE),
      ZONE
    )
    assert.deepStrictEqual([mean[2]!.least, mean[2]!.most], [2, 2.5])
  })

  it("learns the time after a moment", () => {
    const hours = [0, 1].map((nth) => ({ at: nth * HOUR, until: (nth + 1) * HOUR, least: 0, average: 1, most: 2 }))
    assert.deepStrictEqual(
      after(hours, 1.5 * HOUR).map(({ at, until }) => [at, until]),
      [[1.5 * HOUR, 2 * HOUR]]
    )
  })
})

describe("the server's clock", () => {
  it.prop(
    "is known to a second and the time of a request, however wrong the browser's is, and left alone where that is right",
    {
      wrong: integer(-100_000_000, 100_000_000),
      requests: Arbitrary.array(
        Arbitrary.all({ at: integer(0, 1_000_000), there: integer(0, 900), back: integer(0, 900) }),
        {
          minLength: 1,
          maxLength: 10
        }
      )
    },
    ({ wrong, requests }) => {
      let offset = 0
      for (const { at, there, back } of requests) {
        const date = Math.floor((at + there) / 1_000) * 1_000
        offset = offsetAfter(offset, date, at - wrong, at + there + back - wrong)
        assert.isAtMost(Math.abs(offset - wrong), 1_000 + there + back)
        assert.strictEqual(offsetAfter(0, date, at, at + there + back), 0)
      }
    }
  )
})
