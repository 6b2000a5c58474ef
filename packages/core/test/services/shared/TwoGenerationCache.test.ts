/** The properties of the two-generation cache: which entries it keeps, and that it never exceeds its bounds. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { TwoGenerationCache } from "../../../src/services/shared/TwoGenerationCache.ts"
import { trials } from "../../trials.ts"

const CAPACITY = 12
const KEYS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/** An entry whose value is its cost is set, or looked up (0); or a turn is made after it. */
const uses = Arbitrary.array(
  Arbitrary.schema(
    Schema.Struct({
      key: Schema.Literals(KEYS),
      cost: Schema.Literals([0, 0, 0, 1, 2, 3, 5, 13]),
      turns: Schema.Literals([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    })
  ),
  { minLength: 30, maxLength: 60 }
)

describe("TwoGenerationCache", () => {
  it.prop(
    "finds what was set last, always the entries that were used last, and none that was not used for two turns",
    { uses },
    ({ uses }) => {
      const cache = new TwoGenerationCache<number, number>(CAPACITY, (cost) => cost)
      const values = new Map<number, number>()
      const used: Array<{ readonly key: number; readonly cost: number }> = []
      const turnedAt: Array<number> = []
      for (const { key, cost, turns } of uses) {
        if (cost > 0) {
          cache.set(key, cost)
          values.set(key, cost)
          used.push({ key, cost })
        } else {
          const found = cache.get(key)
          const last = used.findLastIndex((use) => use.key === key)
          const turnsSince = turnedAt.filter((at) => at > last).length
          const costSince = used.slice(last).reduce((sum, use) => sum + use.cost, 0)
          if (last >= 0 && turnsSince === 0 && costSince <= CAPACITY) assert.strictEqual(found, values.get(key))
          if (turnsSince >= 2) assert.isUndefined(found)
          if (found !== undefined) {
            assert.strictEqual(found, values.get(key))
            used.push({ key, cost: found })
          }
        }
        if (turns === 0) continue
        cache.turn()
        turnedAt.push(used.length)
      }
    },
    trials()
  )

  it.prop(
    "never holds more than two generations",
    { uses },
    ({ uses }) => {
      const cache = new TwoGenerationCache<number, number>(CAPACITY, (cost) => cost)
      let largest = 0
      for (const { key, cost } of uses) {
        if (cost === 0) cache.get(key)
        else cache.set(key, cost)
        largest = Math.max(largest, cost)
      }
      const held = KEYS.map((key) => cache.get(key) ?? 0).reduce((sum, cost) => sum + cost, 0)
      assert.isAtMost(held, 2 * CAPACITY + largest)
    },
    trials()
  )

  it("counts entries where no cost is given, and none twice", () => {
    const cache = new TwoGenerationCache<string, number>(3)
    cache.set("a", 1)
    for (let nth = 0; nth < 10; nth++) cache.set("b", nth)
    assert.deepStrictEqual([cache.get("a"), cache.get("b")], [1, 9])
    for (const key of ["c", "d", "e", "f"]) cache.set(key, 1)
    assert.deepStrictEqual(
      ["a", "b", "c", "d", "e", "f"].map((key) => cache.get(key)),
      [undefined, undefined, undefined, 1, 1, 1]
    )
  })
})
