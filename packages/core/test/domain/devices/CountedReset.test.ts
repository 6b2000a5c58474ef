/** The daily reset of the people counted, across changes to and from summer time. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import { formatTimestamp, nextReset, resetAfterChange, Timestamp } from "../../../src/index.ts"
import { anyOf, integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const at = (text: string): Timestamp => Timestamp(Date.parse(text))

const MINUTE = 60_000
const HOUR = 60 * MINUTE

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
    ["where a day is left out", "04:00", "Pacific/Apia", "2011-12-29T20:00:00Z", "2011-12-30T14:00:00.000Z"]
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

  it("is kept by a change of other members, and set anew with the time or the time zone", () => {
    const policy = { countedResetAt: "04:00" }
    const [now, next] = [at("2026-06-01T05:00:00Z"), at("2026-06-01T04:00:00Z")]
    assert.strictEqual(resetAfterChange(policy, policy, next, now), next)
    assert.strictEqual(resetAfterChange({}, policy, undefined, now), at("2026-06-02T04:00:00Z"))
    assert.strictEqual(
      resetAfterChange(policy, { ...policy, timeZone: "Europe/Rome" }, next, now),
      at("2026-06-02T02:00:00Z")
    )
    assert.isUndefined(resetAfterChange(policy, {}, next, now))
  })
})
