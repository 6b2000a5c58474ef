/** The selection of adapters by name for a test run, where an empty selection is an error. */
import { assert, describe, it } from "@effect/vitest"
import { selectAdapters, UnknownAdapter } from "../src/index.ts"

const registry = { memory: 1, postgres: 2 }

describe("a registry of adapters", () => {
  it("gives all of them, or those that are named, each once", () => {
    assert.deepStrictEqual(selectAdapters(registry, undefined), [
      ["memory", 1],
      ["postgres", 2]
    ])
    assert.deepStrictEqual(selectAdapters(registry, "postgres"), [["postgres", 2]])
    assert.deepStrictEqual(selectAdapters(registry, "postgres, memory,postgres"), [
      ["postgres", 2],
      ["memory", 1]
    ])
  })

  it("never gives an empty run: a name that it does not know is an error", () => {
    for (const names of ["", " ", ",", "Memory", "memory,", "memory,sqlite", "toString", "__proto__"]) {
      assert.throws(() => selectAdapters(registry, names), UnknownAdapter)
    }
    assert.throws(() => selectAdapters({}, undefined), UnknownAdapter)
    assert.throws(() => selectAdapters({}, "memory"), UnknownAdapter)
  })
})
