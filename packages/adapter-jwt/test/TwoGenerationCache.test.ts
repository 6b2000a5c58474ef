/** The properties of the two-generation cache: which keys it retains, and that it never exceeds its bounds. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as TwoGenerationCache from "../src/TwoGenerationCache.ts"
import { trials } from "./trials.ts"

const BOUNDS = { keys: 6, characters: 60 }

/** Texts of different lengths, of which the longest is over half the characters. */
const texts = [1, 1, 1, 2, 2, 5, 7, 10, 15, 20, 29, 30, 31].map((length, i) => `${i}`.padEnd(length, "x"))

const uses = Arbitrary.array(
  Arbitrary.schema(
    Schema.Struct({ text: Schema.Literals(texts), kept: Schema.Literals([0, 0, 1, 1, 1, 8]), about: Schema.Int })
  ),
  { minLength: 30, maxLength: 40 }
)

const length = (some: Iterable<string>) => [...some].reduce((sum, text) => sum + text.length, 0)

describe("TwoGenerationCache", () => {
  it.prop(
    "finds only what was kept last, and always the last used texts of half the bounds",
    { uses },
    ({ uses }) => {
      const cache = TwoGenerationCache.make<number>(BOUNDS)
      const kept = new Map<string, number>()
      /** In the order of their last use. */
      const used = new Set<string>()
      for (const { text, kept: times, about } of uses) {
        const last = [...used].reverse()
        const isRecent = used.has(text) && last.indexOf(text) < 3 && length(last.slice(0, last.indexOf(text) + 1)) <= 30
        for (let i = 0; i < times; i++) cache.set(text, about)
        if (times > 0) kept.set(text, about)
        else {
          const found = cache.get(text)
          if (isRecent) assert.strictEqual(found, kept.get(text))
          if (found === undefined) continue
          assert.strictEqual(found, kept.get(text))
        }
        if (text.length > 30) continue
        used.delete(text)
        used.add(text)
      }
    },
    trials()
  )

  it.prop(
    "never has more than the bounds",
    { uses },
    ({ uses }) => {
      const cache = TwoGenerationCache.make<number>(BOUNDS)
      for (const { text, kept: times, about } of uses) {
        for (let i = 0; i < times; i++) cache.set(text, about)
        if (times === 0) cache.get(text)
      }
      const there = texts.filter((text) => cache.get(text) !== undefined)
      assert.isAtMost(there.length, BOUNDS.keys)
      assert.isAtMost(length(there), BOUNDS.characters)
    },
    trials()
  )

  it.prop(
    "retains the entries that match, forgets the others, and has their capacity for new ones",
    { uses },
    ({ uses }) => {
      const cache = TwoGenerationCache.make<number>(BOUNDS)
      for (const { text, about } of uses) cache.set(text, about)
      const before = new Map(texts.map((text) => [text, cache.get(text)]))
      cache.retain((about) => about % 2 === 0)
      for (const [text, about] of before) {
        const isKept = about !== undefined && about % 2 === 0
        if (!isKept) assert.isUndefined(cache.get(text))
      }
      cache.retain(() => false)
      for (const text of ["a", "b".repeat(14), "c".repeat(15)]) cache.set(text, 1)
      for (const text of ["a", "b".repeat(14), "c".repeat(15)]) assert.strictEqual(cache.get(text), 1)
    },
    trials()
  )

  it("keeps none where the bounds leave no capacity", () => {
    for (const bounds of [
      { keys: 0, characters: 60 },
      { keys: 6, characters: 0 }
    ]) {
      const cache = TwoGenerationCache.make<number>(bounds)
      cache.set("a", 1)
      assert.isUndefined(cache.get("a"))
    }
  })

  it("does not evict other texts for one that is too long", () => {
    const cache = TwoGenerationCache.make<number>(BOUNDS)
    cache.set("a", 1)
    for (let i = 0; i < 10; i++) cache.set(`${i}`.repeat(31), i)
    assert.strictEqual(cache.get("a"), 1)
    assert.isUndefined(cache.get("9".repeat(31)))
  })
})
