/** The parser of lists in paths: identifiers of people, which may hold commas themselves, and exit tokens. */
import { assert, describe, it } from "@effect/vitest"
import type { OrgAuthServerId } from "@sojourn/core"
import { orgAuthServerId, text } from "@sojourn/testing"
import { Arbitrary, Result } from "effect"
import { exitTokens, LARGEST_LIST, lastSegment, orgAuthServerIds, withParts } from "../src/wire/stays/pathList.ts"

const TRIALS = { arbitrary: { runs: 500 } }

const print = (ids: ReadonlyArray<string>): string => ids.map(encodeURIComponent).join(",")
const people = (segment: string) => Result.getOrThrow(orgAuthServerIds(segment))
const isRefused = (list: Result.Result<unknown, unknown>) => Result.isFailure(list)

describe("identifiers of people in a path", () => {
  it.prop(
    "what was printed is read back, whatever characters the identifiers hold",
    { ids: Arbitrary.array(orgAuthServerId, { minLength: 1, maxLength: LARGEST_LIST }) },
    ({ ids }) => assert.deepStrictEqual(people(print(ids)), ids),
    TRIALS
  )

  it.prop(
    "reading is the same for small and capital digits of escapes, and for escapes of what needs none",
    { id: orgAuthServerId },
    ({ id }) => {
      const everyByte = [...new TextEncoder().encode(id)]
        .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
        .join("")
      assert.deepStrictEqual(people(everyByte), [id])
      assert.deepStrictEqual(people(everyByte.toUpperCase()), [id])
    },
    TRIALS
  )

  it.prop(
    "any text whatsoever is read or refused, and never throws",
    { segment: text(0, 60) },
    ({ segment }) => {
      for (const parse of [orgAuthServerIds, exitTokens]) assert.isBoolean(Result.isSuccess(parse(segment)))
    },
    TRIALS
  )

  it("plain commas separate, escaped ones belong to the identifier", () => {
    assert.deepStrictEqual(people("a,b%2Cc,d%2cf"), ["a", "b,c", "d,f"] as Array<OrgAuthServerId>)
    assert.deepStrictEqual(people("a%252Cb"), ["a%2Cb"] as Array<OrgAuthServerId>)
    assert.deepStrictEqual(people("uid%3Dada%2Cou%3Dpeople,uid=alan"), [
      "uid=ada,ou=people",
      "uid=alan"
    ] as Array<OrgAuthServerId>)
  })

  it("a plus sign is a plus sign", () => assert.deepStrictEqual(people("a+b"), ["a+b"] as Array<OrgAuthServerId>))

  it("100 are read, 101 are refused, as written", () => {
    const list = (count: number) => Array.from({ length: count }, () => "a").join(",")
    assert.lengthOf(people(list(100)), 100)
    assert.isTrue(isRefused(orgAuthServerIds(list(101))))
    assert.lengthOf(people(Array.from({ length: 500 }, () => "a").join("%2C")), 1)
  })

  it.each(["", ",", "a,", ",a", "a,,b"])("an empty element is refused: %j", (segment) => {
    assert.isTrue(isRefused(orgAuthServerIds(segment)))
    assert.isTrue(isRefused(exitTokens(segment)))
  })

  it.each(["%", "%2", "%zz", "%ff", "%ed%a0%80", "a%00", "%c0%80"])(
    "a bad escape or a NUL is refused: %s",
    (segment) => {
      assert.isTrue(isRefused(orgAuthServerIds(segment)))
      assert.isTrue(isRefused(orgAuthServerIds(`a,${segment}`)))
      assert.isTrue(isRefused(exitTokens(segment)))
    }
  )
})

describe("an element that still holds a comma, of an administrator's list", () => {
  const parts = (...ids: ReadonlyArray<string>) =>
    withParts(ids as ReadonlyArray<OrgAuthServerId>) as ReadonlyArray<string>

  it("stands for itself and for its parts", () => {
    assert.sameMembers([...parts("a,b")], ["a,b", "a", "b"])
    assert.sameMembers([...parts("a", "b,c")], ["a", "b,c", "b", "c"])
  })

  it("empty parts inside it are nothing", () => {
    assert.sameMembers([...parts("a,,b,")], ["a,,b,", "a", "b"])
    assert.sameMembers([...parts(",")], [","])
  })

  it("what cannot be an identifier is left out", () => {
    const long = "x".repeat(200)
    assert.sameMembers([...parts(`${long},${long}`)], [long, long])
    assert.sameMembers([...parts("x".repeat(257))], [])
  })

  it.prop(
    "an identifier without commas stands for itself alone, and every identifier stands at least for itself",
    { id: orgAuthServerId },
    ({ id }) => {
      assert.include(withParts([id]), id)
      if (!id.includes(",")) assert.deepStrictEqual(withParts([id]), [id])
    },
    TRIALS
  )
})

describe("exit tokens in a path", () => {
  const token = Arbitrary.map(Arbitrary.array(orgAuthServerId, { minLength: 1, maxLength: 30 }), (ids) =>
    ids.map((id) => id.replaceAll(",", "-"))
  )

  it.prop(
    "are split at commas, plain or escaped",
    { tokens: token },
    ({ tokens }) => {
      const written = tokens.map(encodeURIComponent)
      for (const comma of [",", "%2C", "%2c"]) {
        assert.deepStrictEqual(Result.getOrThrow(exitTokens(written.join(comma))), tokens)
      }
    },
    TRIALS
  )

  it("101 of them are refused, however their commas are written", () => {
    for (const comma of [",", "%2C"]) {
      assert.isTrue(isRefused(exitTokens(Array.from({ length: 101 }, () => "a").join(comma))))
      assert.isFalse(isRefused(exitTokens(Array.from({ length: 100 }, () => "a").join(comma))))
    }
  })
})

describe("the last segment of a path", () => {
  it.each([
    ["/access/place/1/anonymous/a,b", "a,b"],
    ["/access/place/1/anonymous/a%2Fb?c=/d,e", "a%2Fb"],
    ["/a/", ""],
    ["/a/b?", "b"],
    ["/a/b??x", "b"]
  ])("of %s is %j", (url, segment) => assert.strictEqual(lastSegment(url), segment))
})
