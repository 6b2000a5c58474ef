/** Lists of people in requests that a path can hold, and lengths of time. */
import { assert, describe, it } from "vitest"
import { lengthOf } from "../src/browser/stays/names.ts"
import { partsOf } from "../src/browser/stays/requests.ts"

describe("a list of people in parts", () => {
  it("has each of them once, in parts that the interface takes", () => {
    const lists = [
      [],
      ["ada"],
      Array.from({ length: 250 }, (_, n) => `person-${n}`),
      Array.from({ length: 120 }, (_, n) => `uid=${n},ou=${"ü".repeat(200)},dc=example`)
    ]
    for (const list of lists) {
      const parts = partsOf(list)
      assert.deepStrictEqual(parts.flat(), list)
      for (const part of parts) {
        assert.isTrue(part.length >= 1 && part.length <= 100)
        assert.isAtMost(part.map(encodeURIComponent).join(",").length, 8_000)
      }
    }
    assert.deepStrictEqual(
      partsOf(lists[2]!).map(({ length }) => length),
      [100, 100, 50]
    )
  })
})

describe("a length of time", () => {
  it.each([
    [0, "0:00:00"],
    [59.9, "0:00:59"],
    [3_661, "1:01:01"],
    [360_000, "100:00:00"]
  ])("%d seconds is %s", (seconds, text) => assert.strictEqual(lengthOf(seconds), text))
})
