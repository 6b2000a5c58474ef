/** Paths to nested claims: their syntax, and the lookup in payloads with hostile names. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as ClaimPath from "../src/ClaimPath.ts"
import { trials } from "./trials.ts"

const parse = (input: ClaimPath.ClaimPathInput) => ClaimPath.parse("claim", input)
const path = (input: ClaimPath.ClaimPathInput) => Result.getOrThrow(parse(input))

/** Names as hostile and as usual tokens have them, often with what the syntax escapes. */
const Name = Schema.Union([
  Schema.Literals(["__proto__", "constructor", "a/b", "~", "~1", "/", "https://example.org/roles", "toString", "0"]),
  Schema.NonEmptyString
])
const Path = Schema.NonEmptyArray(Name)

const nest = (names: ClaimPath.ClaimPath, value: unknown): ClaimPath.Payload =>
  // JSON makes own members of all names, as a token does.
  JSON.parse(
    names.map((name) => `{${JSON.stringify(name)}:`).join("") + JSON.stringify(value) + "}".repeat(names.length)
  ) as ClaimPath.Payload

describe("ClaimPath", () => {
  it("a text is one name at the top, or a JSON pointer", () => {
    assert.deepStrictEqual(path("roles"), ["roles"])
    assert.deepStrictEqual(path("https://example.org/roles"), ["https://example.org/roles"])
    assert.deepStrictEqual(path("realm_access.roles"), ["realm_access.roles"])
    assert.deepStrictEqual(path("/realm_access/roles"), ["realm_access", "roles"])
    assert.deepStrictEqual(path("/resource_access/sojourn.api/roles"), ["resource_access", "sojourn.api", "roles"])
    assert.deepStrictEqual(path("/~1a~1b/~0/~01"), ["/a/b", "~", "~1"])
    assert.deepStrictEqual(path("a~b"), ["a~b"])
    assert.deepStrictEqual(path(["/", "~1"]), ["/", "~1"])
  })

  it("a path that names no claim is refused with the name of its option", () => {
    for (const input of ["", "/", "//a", "/a/", "/a//b", "/~", "/a/~2", [], [""], ["a", ""]]) {
      const wrong = parse(input)
      assert.isTrue(Result.isFailure(wrong) && wrong.failure.reason.startsWith("claim "), JSON.stringify(input))
    }
  })

  it.prop(
    "a claim is found where it is, by any name",
    [Path, Schema.Union([Schema.String, Schema.Boolean, Schema.Null, Schema.Array(Schema.String)])],
    ([names, value]) => {
      assert.deepStrictEqual(ClaimPath.read(nest(names, value), names), value)
      assert.isUndefined(ClaimPath.read(nest(names, value), [`${names[0]}x`]))
      assert.notStrictEqual(typeof ClaimPath.read({}, names), "function")
      assert.isUndefined(ClaimPath.read({}, names))
    },
    trials()
  )

  it.prop(
    "values without members contain no claim",
    [Path, Name, Schema.Union([Schema.String, Schema.Int, Schema.Null, Schema.Boolean, Schema.Array(Schema.String)])],
    ([names, last, value]) => {
      assert.isNull(ClaimPath.read(nest(names, value), [...names, last]))
    },
    trials()
  )

  it("the members of texts, arrays and prototypes are none", () => {
    assert.isNull(ClaimPath.read({ roles: ["a"] }, ["roles", "0"]))
    assert.isNull(ClaimPath.read({ roles: ["a"] }, ["roles", "length"]))
    assert.isNull(ClaimPath.read({ roles: "a" }, ["roles", "length"]))
    assert.isUndefined(ClaimPath.read({}, ["__proto__", "toString"]))
    assert.isUndefined(ClaimPath.read({}, ["constructor", "name"]))
    assert.isUndefined(ClaimPath.read(Object.create({ roles: "a" }) as ClaimPath.Payload, ["roles"]))
  })
})
