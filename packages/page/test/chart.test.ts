/** The geometry of the history's chart, without a browser. */
import { assert, describe, it } from "vitest"
import { chartOf, RANGES, roundUp } from "../src/browser/history/chart.ts"

const now = Date.parse("2026-03-01T12:00:00.000Z")
const row = (from: string, least: number, most: number, average: number) => ({
  from,
  entered: 0,
  left: 0,
  least,
  most,
  average
})

describe("a chart of a history", () => {
  it("is a line of the averages in an area from the least to the most", () => {
    const rows = [row("2026-03-01T11:00:00.000Z", 0, 10, 5), row("2026-03-01T11:01:00.000Z", 4, 8, 6)]
    const chart = chartOf(rows, RANGES.hours, now, 180, 100)
    assert.deepInclude(chart, { top: 10, least: 0, most: 10, average: 5.5 })
    // A minute is a pixel wide.
    assert.strictEqual(chart.line, "M120 50L121 50L121 40L122 40")
    assert.strictEqual(chart.band, "M120 0L121 0L121 20L122 20L122 60L121 60L121 100L120 100Z")
    assert.deepStrictEqual(
      chart.ticks.map(({ x }) => x),
      [0, 60, 120, 180]
    )
  })

  it("ends now, also where the running step does not", () => {
    const chart = chartOf([row("2026-03-01T11:30:00.000Z", 1, 1, 1)], RANGES.week, now, 168, 100)
    assert.strictEqual(chart.line, "M167.5 75L168 75")
  })

  it("is empty without rows", () => {
    assert.deepInclude(chartOf([], RANGES.day, now, 100, 100), { line: "", band: "", most: 0, average: 0 })
  })

  it("rounds the greatest value up to a round number", () => {
    assert.deepStrictEqual([1, 2, 3, 7, 10, 11, 499, 500, 501].map(roundUp), [1, 2, 4, 8, 10, 20, 600, 600, 600])
  })
})
