import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Recent from "../src/Recent.ts"
import { trials } from "./trials.ts"

const BOUNDS = { texts: 6, characters: 60 }

/** Texts of different lengths, of which the longest is over half the characters. */
const texts = [1, 1, 1, 2, 2, 5, 7, 10, 15, 20, 29, 30, 31].map((length, i) => `${i}`.padEnd(length, "x"))

const uses = Arbitrary.array(
  Arbitrary.schema(
    Schema.Struct({ text: Schema.Literals(texts), kept: Schema.Literals([0, 0, 1, 1, 1, 8]), about: Schema.Int })
  ),
  { minLength: 30, maxLength: 40 }
)

const length = (some: Iterable<string>) => [...some].reduce((sum, text) => sum + text.length, 0)

describe("Recent", () => {
  it.prop(
    "finds nothing but what was kept last, and the last used texts of half the bounds in any case",
    { uses },
    ({ uses }) => {
      const recent = Recent.make<number>(BOUNDS)
      const kept = new Map<string, number>()
      /** In the order of their last use. */
      const used = new Set<string>()
      for (const { text, kept: times, about } of uses) {
        const last = [...used].reverse()
        const isRecent = used.has(text) && last.indexOf(text) < 3 && length(last.slice(0, last.indexOf(text) + 1)) <= 30
        for (let i = 0; i < times; i++) recent.keep(text, about)
        if (times > 0) kept.set(text, about)
        else {
          const found = recent.find(text)
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
      const recent = Recent.make<number>(BOUNDS)
      for (const { text, kept: times, about } of uses) {
        for (let i = 0; i < times; i++) recent.keep(text, about)
        if (times === 0) recent.find(text)
      }
      const there = texts.filter((text) => recent.find(text) !== undefined)
      assert.isAtMost(there.length, BOUNDS.texts)
      assert.isAtMost(length(there), BOUNDS.characters)
    },
    trials()
  )

  it.prop(
    "retains what is so, forgets the others, and has their room for new ones",
    { uses },
    ({ uses }) => {
      const recent = Recent.make<number>(BOUNDS)
      for (const { text, about } of uses) recent.keep(text, about)
      const before = new Map(texts.map((text) => [text, recent.find(text)]))
      recent.retain((about) => about % 2 === 0)
      for (const [text, about] of before) {
        const isKept = about !== undefined && about % 2 === 0
        if (!isKept) assert.isUndefined(recent.find(text))
      }
      recent.retain(() => false)
      for (const text of ["a", "b".repeat(14), "c".repeat(15)]) recent.keep(text, 1)
      for (const text of ["a", "b".repeat(14), "c".repeat(15)]) assert.strictEqual(recent.find(text), 1)
    },
    trials()
  )

  it("keeps none where the bounds leave no room", () => {
    for (const bounds of [
      { texts: 0, characters: 60 },
      { texts: 6, characters: 0 }
    ]) {
      const recent = Recent.make<number>(bounds)
      recent.keep("a", 1)
      assert.isUndefined(recent.find("a"))
    }
  })

  it("does not forget others for a text that is too long", () => {
    const recent = Recent.make<number>(BOUNDS)
    recent.keep("a", 1)
    for (let i = 0; i < 10; i++) recent.keep(`${i}`.repeat(31), i)
    assert.strictEqual(recent.find("a"), 1)
    assert.isUndefined(recent.find("9".repeat(31)))
  })
})
