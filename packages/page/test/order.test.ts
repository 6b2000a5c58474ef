/** Which places the list of the overview shows, and in which order. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import { fullnessOf, listedPlaces, ORDERS } from "../src/browser/organizations/order.ts"

const listOf = <A>(one: Arbitrary.Arbitrary<A>) =>
  Arbitrary.flatMap(integer(0, 8), (length) => Arbitrary.all(Array.from({ length }, () => one)))
const place = Arbitrary.flatMap(integer(0, 20), (inside) =>
  Arbitrary.flatMap(integer(0, 20), (capacity) =>
    Arbitrary.map(anyOf(["Hall", "Library", "hall B"]), (name) => ({
      name,
      count: {
        inside,
        entered: inside,
        left: 0,
        level: "none" as const,
        // Zero stands for none here: a capacity is 1 at least.
        capacity: capacity === 0 ? undefined : capacity
      }
    }))
  )
)
const places = listOf(place)

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
