/** The daily reset of the people counted, across changes to and from summer time. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime } from "effect"
import { formatTimestamp, nextReset, resetAfterChange, Timestamp } from "../../../src/index.ts"
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

describe("the next reset", () => {
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
    assert.strictEqual(formatTimestamp(nextReset(timeOfDay, timeZone, at(after))), expected)
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
        const next = nextReset(timeOfDay, timeZone, last)
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
          const next = nextReset(timeOfDay, timeZone, Timestamp(last))
          if (next !== reset)
            wrong.push(`${timeZone} ${timeOfDay}: ${formatTimestamp(next)}, not ${formatTimestamp(Timestamp(reset))}`)
          last = reset
        }
      }
    }
    assert.deepStrictEqual(wrong, [])
  })

  it("is kept by a change of other members, and set anew with the time or the time zone", () => {
    const policy = { countedResetAt: "04:00" }
    const [now, next] = [at("2026-06-01T05:00:00Z"), at("2026-06-01T04:00:00Z")]
    assert.strictEqual(resetAfterChange({ before: policy, after: policy, next, now }), next)
    assert.strictEqual(
      resetAfterChange({ before: {}, after: policy, next: undefined, now }),
      at("2026-06-02T04:00:00Z")
    )
    assert.strictEqual(
      resetAfterChange({ before: policy, after: { ...policy, timeZone: "Europe/Rome" }, next, now }),
      at("2026-06-02T02:00:00Z")
    )
    assert.isUndefined(resetAfterChange({ before: policy, after: {}, next, now }))
  })
})
