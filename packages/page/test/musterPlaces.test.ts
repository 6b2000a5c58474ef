/** Which places a muster's people are to be searched in. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import { EMPTY } from "../src/browser/live/counts.ts"
import { placesToSearch } from "../src/browser/musters/musterPlaces.ts"

type State = "missing" | "safe" | "left"
const states: Arbitrary.Arbitrary<State> = anyOf(["missing", "safe", "left"])
const counts = Arbitrary.array(integer(0, 5), { minLength: 1, maxLength: 6 })
const people = Arbitrary.array(Arbitrary.all({ at: integer(0, 5), state: states }), { maxLength: 12 })
const placesOf = (counts: ReadonlyArray<number>) =>
  counts.map((inside, placeId) => ({
    placeId,
    name: `Place ${placeId}`,
    count: { ...EMPTY, inside }
  }))

const isFullestFirst = (found: ReadonlyArray<{ readonly count: number }>) =>
  found.every(({ count }, n) => count > 0 && (n === 0 || found[n - 1]!.count >= count))

describe("the places to search", () => {
  it.prop("are those with people inside in an anonymous muster, the fullest first", { counts }, ({ counts }) => {
    const found = placesToSearch({}, placesOf(counts), "Whole")
    assert.isTrue(isFullestFirst(found))
    assert.sameMembers(
      found.map(({ count }) => count),
      counts.filter((inside) => inside > 0)
    )
  })

  it.prop("are those of missing people where people are known", { counts, people }, ({ counts, people }) => {
    const listed = people.map(({ at, state }, n) => ({ orgAuthServerId: `${n}`, placeIds: [at], state }))
    const found = placesToSearch({ people: listed }, placesOf(counts), "Whole")
    assert.isTrue(isFullestFirst(found))
    const total = found.reduce((sum, { count }) => sum + count, 0)
    assert.strictEqual(total, people.filter(({ state }) => state === "missing").length)
    for (const id of counts.keys()) {
      const missing = people.filter(({ at, state }) => at === id && state === "missing").length
      assert.strictEqual(found.find(({ name }) => name === `Place ${id}`)?.count ?? 0, missing)
    }
  })
})
