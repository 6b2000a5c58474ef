/** Windows of time, and the local times of what is in them. */
import { assert, describe, it } from "@effect/vitest"
import { integer, nearNow, oneOf, timestamp } from "@sojourn/testing"
import { LONGEST_WINDOW_MS, makeLocalTime, requireWindow, timeInside, Timestamp } from "../../../src/index.ts"
import { trials, verdict } from "../../trials.ts"

describe("a window", () => {
  it.prop(
    "is not empty, and at most 366 days long",
    { from: timestamp, length: oneOf(integer(-2, 2), integer(LONGEST_WINDOW_MS - 2, LONGEST_WINDOW_MS + 2)) },
    ({ from, length }) => {
      const to = Timestamp(from + length)
      const isValid = to > from && to - from <= LONGEST_WINDOW_MS
      assert.strictEqual(verdict(requireWindow({ from, to })), isValid ? "accepted" : "TimeWindowInvalid")
    },
    trials()
  )
})

describe("the time of a stay inside a window", () => {
  it.prop(
    "is none outside, all of it in one that holds it, and the sum over the parts of a window",
    {
      entrance: nearNow,
      length: integer(0, 100_000),
      from: nearNow,
      first: integer(0, 100_000),
      second: integer(0, 9)
    },
    ({ entrance, length, from, first, second }) => {
      const stay = { entrance, exit: Timestamp(entrance + length) }
      const middle = Timestamp(from + first)
      const to = Timestamp(middle + second)
      const inside = timeInside(stay, { from, to })
      assert.isTrue(inside >= 0 && inside <= length && inside <= to - from)
      assert.strictEqual(inside, timeInside(stay, { from, to: middle }) + timeInside(stay, { from: middle, to }))
      if (stay.exit <= from || stay.entrance >= to) assert.strictEqual(inside, 0)
      if (stay.entrance >= from && stay.exit <= to) assert.strictEqual(inside, length)
    },
    trials()
  )
})

describe("a local time", () => {
  const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Monrovia"]

  it.prop(
    "is what the platform says, to the second",
    { at: oneOf(nearNow, integer(Date.parse("1971-06-01"), Date.parse("2040-01-01"))) },
    ({ at }) => {
      for (const timeZone of ZONES) {
        const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
        assert.strictEqual(makeLocalTime(timeZone)(Timestamp(at)), format.format(at), timeZone)
      }
    },
    trials()
  )

  it.each([
    ["2026-10-25T00:59:59.999Z", "2026-10-25 02:59:59"],
    ["2026-10-25T01:00:00.000Z", "2026-10-25 02:00:00"],
    ["2026-03-29T00:59:59.999Z", "2026-03-29 01:59:59"],
    ["2026-03-29T01:00:00.000Z", "2026-03-29 03:00:00"]
  ])("of %s in Berlin is %s", (at, local) => {
    assert.strictEqual(makeLocalTime("Europe/Berlin")(Timestamp(Date.parse(at))), local)
  })
})
