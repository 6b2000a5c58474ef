/** Which places a muster's people are to be searched in: their numbers never contradict how many are missing. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import { type MusterPlace, placesToSearch } from "../src/browser/musters/musterPlaces.ts"

type State = "missing" | "safe" | "left"
const states: Arbitrary.Arbitrary<State> = anyOf(["missing", "safe", "left"])
const counts = Arbitrary.array(integer(0, 5), { minLength: 1, maxLength: 6 })
const people = Arbitrary.array(Arbitrary.all({ at: integer(0, 5), too: integer(0, 5), state: states }), {
  maxLength: 12
})

const placesOf = (count: number, aroundOf: (nth: number) => ReadonlyArray<number> = () => []) =>
  Array.from({ length: count }, (_, placeId): MusterPlace => ({
    placeId,
    name: `Place ${placeId}`,
    level: 0,
    around: aroundOf(placeId)
  }))

describe("the places to search", () => {
  it.prop(
    "have no more people than are missing, and say where they do not add up",
    { counts, people, missing: integer(0, 20), isKnown: anyOf([true, false]) },
    ({ counts, people, missing: some, isKnown }) => {
      const listed = people.map(({ at, too, state }, n) => ({ orgAuthServerId: `${n}`, placeIds: [at, too], state }))
      const missing = isKnown ? people.filter(({ state }) => state === "missing").length : some
      // The last place is around the others.
      const places = placesOf(counts.length, (nth) => (nth === counts.length - 1 ? [] : [counts.length - 1]))
      const found = placesToSearch({ missing, ...(isKnown && { people: listed }) }, places, counts)
      for (const place of found.places) assert.isAtMost(place.missing, missing)
      const sum = found.places.reduce((sum, place) => sum + place.missing, found.elsewhere)
      assert.strictEqual(found.isBound, sum > missing)
      assert.isAtLeast(sum, missing)
    }
  )

  it("count people of known places in the innermost ones, and the others elsewhere", () => {
    const places = placesOf(3, (nth) => (nth === 0 ? [1] : []))
    const person = (placeIds: ReadonlyArray<number>, state: State = "missing") => ({
      orgAuthServerId: placeIds.join(),
      placeIds,
      state
    })
    const people = [person([0, 1]), person([1]), person([]), person([99]), person([2], "safe")]
    const found = placesToSearch({ people, missing: 4 }, places)
    assert.deepStrictEqual(
      found.places.map(({ missing }) => missing),
      [1, 1, 0]
    )
    assert.deepInclude(found, { elsewhere: 2, isBound: false })
    assert.isTrue(placesToSearch({ people: [person([0, 2])], missing: 1 }, places).isBound)
  })

  it("count those of a floor beside those of its rooms where people are not known", () => {
    const places = placesOf(3, (nth) => (nth === 2 ? [] : [2]))
    const found = (missing: number) => placesToSearch({ missing }, places, [4, 3, 10])
    assert.deepStrictEqual(
      found(12).places.map(({ missing }) => missing),
      [4, 3, 3]
    )
    assert.deepInclude(found(12), { elsewhere: 2, isBound: false })
    assert.deepStrictEqual(
      found(2).places.map(({ missing }) => missing),
      [2, 2, 2]
    )
    assert.isTrue(found(2).isBound)
    for (const { missing } of found(0).places) assert.strictEqual(missing, 0)
    assert.isFalse(found(0).isBound)
  })
})
