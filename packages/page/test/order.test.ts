/** What lists of places and of organizations show, and in which order. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import { EMPTY, type Level } from "../src/browser/live/counts.ts"
import { fullnessOf, listedPlaces, ORDERS, placesAt, urgencyOf } from "../src/browser/organizations/order.ts"

const place = Arbitrary.map(
  Arbitrary.all([integer(0, 20), integer(0, 20), anyOf(["Hall", "Library", "hall B"])]),
  ([inside, capacity, name]) => ({
    name,
    // Zero stands for none here: a capacity is 1 at least.
    count: { ...EMPTY, inside, capacity: capacity === 0 ? undefined : capacity }
  })
)
const places = Arbitrary.array(place, { maxLength: 8 })

describe("the places of the list", () => {
  it.prop("are those whose name has what is searched", { places, order: anyOf([...ORDERS]) }, ({ places, order }) => {
    assert.sameMembers([...listedPlaces(places, "", order)], [...places])
    assert.sameMembers(
      [...listedPlaces(places, " HALL", order)],
      places.filter(({ name }) => name.toLowerCase().includes("hall"))
    )
    assert.deepStrictEqual(listedPlaces(places, "nothing", order), [])
  })

  it.prop("are sorted by name, or the fullest first and those without a capacity last", { places }, ({ places }) => {
    const names = listedPlaces(places, "", "name").map(({ name }) => name)
    assert.deepStrictEqual(
      names,
      [...names].sort((a, b) => a.localeCompare(b))
    )
    const full = listedPlaces(places, "", "fullness").map((one) => fullnessOf(one) ?? -1)
    assert.deepStrictEqual(
      full,
      [...full].sort((a, b) => b - a)
    )
    assert.deepStrictEqual(listedPlaces(places, "", "given"), places)
  })
})

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
