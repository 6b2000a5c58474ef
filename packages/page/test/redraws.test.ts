/** How often the page is drawn while a stream is busy, by a clock of its own. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { makeRedraws } from "../src/browser/live/redraws.ts"

describe("redraws", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Changes 250 times a second for 4 seconds; returns how often that was drawn, and what was drawn last. */
  const busy = (places: number) => {
    const drawn: Array<number> = []
    let change = 0
    const redraw = makeRedraws(
      () => places,
      () => drawn.push(change)
    )
    while (change < 1_000) {
      change++
      redraw()
      vi.advanceTimersByTime(4)
    }
    vi.runAllTimers()
    return { times: drawn.length, last: drawn.at(-1) }
  }

  it("follow a change at once when nothing was drawn for a while, with any number of places", () => {
    let drawn = 0
    const redraw = makeRedraws(
      () => 5_000,
      () => drawn++
    )
    redraw()
    vi.advanceTimersByTime(50)
    assert.strictEqual(drawn, 1)
    redraw()
    vi.advanceTimersByTime(50)
    assert.strictEqual(drawn, 1)
    vi.advanceTimersByTime(5_000)
    assert.strictEqual(drawn, 2)
    redraw()
    vi.advanceTimersByTime(50)
    assert.strictEqual(drawn, 3)
  })

  it("are fewer with many places, at least one a second, and end with the last change", () => {
    const [few, many, most] = [busy(12), busy(2_000), busy(1_000_000)]
    assert.deepStrictEqual([few.last, many.last, most.last], [1_000, 1_000, 1_000])
    assert.isAtLeast(few.times, 70)
    assert.isAtMost(many.times, 10)
    assert.isAtLeast(most.times, 4)
  })
})
