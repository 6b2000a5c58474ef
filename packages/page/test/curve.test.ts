/** The curve of a muster ends with its numbers. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import { clearedAt, durationOf, missingCurve, withReading } from "../src/browser/musters/curve.ts"

const START = Date.parse("2026-05-04T13:30:00Z")
const iso = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const muster = { startedAt: iso(0), endedAt: iso(600) }

const people = Arbitrary.array(
  Arbitrary.all({
    since: integer(-100, 600),
    at: integer(-100, 600),
    state: anyOf(["missing", "safe", "left"] as const),
    isAdded: anyOf([true, false, false])
  }),
  { maxLength: 20 }
)

describe("the curve of a muster", () => {
  it.prop("begins at the start, never shows less than none, and ends with who is missing", { people }, ({ people }) => {
    const listed = people.map(({ since, at, state, isAdded }, n) => {
      const began = Math.min(since, at)
      const kept = isAdded ? ("safe" as const) : state
      return {
        orgAuthServerId: `${n}`,
        placeIds: [],
        ...(!isAdded && { since: iso(began) }),
        state: kept,
        ...(kept !== "missing" && { at: iso(at) })
      }
    })
    const curve = missingCurve({ ...muster, people: listed }, 0)
    assert.strictEqual(curve[0]!.at, START)
    for (const { missing } of curve) assert.isAtLeast(missing, 0)
    const missing = listed.filter(({ state }) => state === "missing").length
    assert.deepStrictEqual(curve.at(-1), { at: START + 600_000, missing })
    assert.strictEqual(clearedAt(curve) === undefined, missing > 0)
  })

  it("says since when no one is missing", () => {
    const person = (since: number, at: number) =>
      ({ orgAuthServerId: `${since}`, placeIds: [], since: iso(since), state: "safe", at: iso(at) }) as const
    const curve = missingCurve({ ...muster, people: [person(-60, 90), person(-30, 240)] }, 0)
    assert.deepStrictEqual(
      curve.map(({ missing }) => missing),
      [2, 1, 0, 0]
    )
    assert.strictEqual(clearedAt(curve), START + 240_000)
  })

  it("of readings has those that differ", () => {
    const seen = [5, 5, 3, 3, 4].reduce<ReturnType<typeof missingCurve>>(
      (curve, missing, at) => withReading(curve, { at, missing }),
      []
    )
    assert.deepStrictEqual(
      seen.map(({ at }) => at),
      [0, 2, 4]
    )
  })

  it("counts time as a stopwatch does", () => {
    assert.deepStrictEqual([-5, 0, 309_999, 3_909_000].map(durationOf), ["00:00", "00:00", "05:09", "1:05:09"])
  })
})
