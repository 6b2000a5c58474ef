/** Local times of time zones in which clocks change, as the service has them, and windows of whole days. */
import { assert, describe, it } from "vitest"
import { nextTimeOfDay, Timestamp } from "@sojourn/core"
import { daysOf, instantOf, localOf, windowOf, zoneOf } from "../src/browser/shared/localTime.ts"

const ZONES = ["UTC", "Europe/Rome", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"]
const HOUR_MS = 3_600_000

describe("a local time", () => {
  it.each(ZONES)("of %s is the first instant that the service has for it", (zone) => {
    for (const day of [
      "2026-03-29",
      "2026-10-25",
      "2026-03-08",
      "2026-11-01",
      "2026-04-05",
      "2026-10-04",
      "2026-01-01"
    ]) {
      for (const time of ["00:00", "01:30", "02:00", "02:15", "02:30", "03:00", "12:07", "23:59"]) {
        const found = instantOf(`${day}T${time}`, zone)
        // The one that comes after half a day before it is the one of that date.
        assert.strictEqual(found, nextTimeOfDay(time, zone, Timestamp(found - 12 * HOUR_MS)), `${day} ${time}`)
        assert.isAtLeast(Date.parse(`${localOf(found, zone)}Z`), Date.parse(`${day}T${time}Z`))
      }
    }
  })

  it("is written as fields have it", () => {
    assert.strictEqual(localOf(Date.parse("2026-11-28T23:05:09Z"), "Europe/Rome"), "2026-11-29T00:05")
  })

  it("is of a zone that the runtime knows", () => {
    assert.strictEqual(zoneOf("Europe/Rome"), "Europe/Rome")
    assert.strictEqual(zoneOf("Nowhere/Land"), zoneOf(undefined))
  })
})

describe("a window", () => {
  it("of a name has the days of its week or month", () => {
    // A Wednesday.
    assert.deepStrictEqual(daysOf("week", "2026-12-02", 1), { from: "2026-11-30", to: "2026-12-06" })
    assert.deepStrictEqual(daysOf("week", "2026-12-02", 0), { from: "2026-11-29", to: "2026-12-05" })
    assert.deepStrictEqual(daysOf("week", "2026-11-30", 1), { from: "2026-11-30", to: "2026-12-06" })
    assert.deepStrictEqual(daysOf("lastWeek", "2026-12-02", 1), { from: "2026-11-23", to: "2026-11-29" })
    assert.deepStrictEqual(daysOf("today", "2026-12-01", 1), { from: "2026-12-01", to: "2026-12-01" })
    assert.deepStrictEqual(daysOf("yesterday", "2026-12-01", 1), { from: "2026-11-30", to: "2026-11-30" })
    assert.deepStrictEqual(daysOf("month", "2024-02-29", 1), { from: "2024-02-01", to: "2024-02-29" })
    assert.deepStrictEqual(daysOf("month", "2026-12-31", 1), { from: "2026-12-01", to: "2026-12-31" })
  })

  it("begins and ends at midnight, also where the clocks change meanwhile", () => {
    assert.deepStrictEqual(windowOf({ from: "2026-03-29", to: "2026-03-29" }, "Europe/Rome"), {
      from: "2026-03-28T23:00:00.000Z",
      to: "2026-03-29T22:00:00.000Z"
    })
  })

  it("has one day at least, and 366 at most", () => {
    const isWindow = (from: string, to: string) => windowOf({ from, to }, "UTC") !== undefined
    assert.isTrue(isWindow("2026-01-01", "2027-01-01"))
    assert.isFalse(isWindow("2026-01-01", "2027-01-02"))
    assert.isFalse(isWindow("2026-01-02", "2026-01-01"))
    assert.isFalse(isWindow("", "2026-01-01"))
  })
})
