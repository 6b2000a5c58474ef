/** The detection of duplicate member names in JSON, on generated values and on names with escapes. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { hasDuplicates } from "../src/DuplicateMembers.ts"
import { trials } from "./trials.ts"

const judge = (json: string) => hasDuplicates(json, JSON.parse(json))

const Name = Schema.Union([Schema.Literals(["a", "b", '"', "\\", ":", '":', "\\u0061", "__proto__"]), Schema.String])
const Value = Schema.Union([
  Schema.String,
  Schema.Int,
  Schema.Null,
  Schema.Array(Schema.Record(Name, Name)),
  Schema.Record(Name, Schema.Record(Name, Name))
])
const Members = Schema.Record(Name, Value)

describe("duplicate members", () => {
  it.prop(
    "what JSON.stringify writes has no duplicates",
    [Members],
    ([members]) => {
      assert.isFalse(judge(JSON.stringify(members)))
      assert.isFalse(judge(JSON.stringify([members, members], undefined, 2)))
    },
    trials(100)
  )

  it.prop(
    "a duplicate member is found at any place, with any value",
    [Members, Name, Value, Value],
    ([members, name, first, second]) => {
      const member = (value: unknown) => `${JSON.stringify(name)}:${JSON.stringify(value)}`
      const twice = `{${member(first)},${member(second)}}`
      assert.isTrue(judge(twice))
      assert.isTrue(judge(`[1,${JSON.stringify(members)},${twice}]`))
      assert.isTrue(judge(`{"outer":{"inner":${twice}}}`))
    },
    trials(100)
  )

  it("one name in two spellings is one name", () => {
    assert.isTrue(judge(String.raw`{"sub":1,"s\u0075b":2}`))
    assert.isFalse(judge(String.raw`{"sub":1,"s\\u0075b":2}`))
  })

  it("a deep value is judged as any other", () => {
    assert.isFalse(judge('{"a":'.repeat(5_000) + "1" + "}".repeat(5_000)))
    assert.isTrue(judge('{"a":'.repeat(5_000) + '{"b":1,"b":1}' + "}".repeat(5_000)))
  })
})
