/** What comes first in a list of organizations and above the map. */
import { assert, describe, it } from "vitest"
import { EMPTY, type Level } from "../src/browser/live/counts.ts"
import { placesAt, urgencyOf } from "../src/browser/organizations/order.ts"

const count = (inside: number, level: Level) => ({ ...EMPTY, inside, capacity: 10, level })

describe("what needs attention", () => {
  it("are the places of a level, the fullest first", () => {
    const places = [12, 9, 15, 11].map((inside) => ({ count: count(inside, inside > 10 ? "over" : "warning") }))
    assert.deepStrictEqual(
      placesAt(places, "over").map(({ count }) => count.inside),
      [15, 12, 11]
    )
    assert.deepStrictEqual(placesAt(places, "full"), [])
  })

  it("puts musters before what is over, full, silent and nearly full", () => {
    const quiet = { over: 0, full: 0, silent: 0 }
    const order = [
      { ...quiet, muster: "drill" },
      { ...quiet, whole: count(11, "over") },
      { ...quiet, over: 1 },
      { ...quiet, whole: count(10, "full") },
      { ...quiet, full: 2 },
      { ...quiet, silent: 1 },
      { ...quiet, whole: count(9, "warning") },
      { ...quiet, whole: count(1, "normal") }
    ].map(urgencyOf)
    assert.deepStrictEqual(
      order,
      order.map((_, nth) => nth)
    )
  })
})
