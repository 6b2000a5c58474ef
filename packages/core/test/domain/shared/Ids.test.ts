/** The ids of the domain and the texts that are valid as ids: ranges, lengths in code points, and lone surrogates. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import {
  AdministratorId,
  characters,
  DeletionRequestId,
  LARGEST_ISSUED_ID,
  LARGEST_LONG,
  OperatorId,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  PlaceId,
  PlacePremises,
  premisesId,
  samePremises,
  StayId,
  Text,
  textOf,
  UserId
} from "../../../src/index.ts"
import { anyOf, integer, long, text, unstorableText } from "@sojourn/testing"
import { trials } from "../../trials.ts"

describe("a Long", () => {
  it("is a whole number from 0 to 2^63-1; those issued fit into every JSON client", () => {
    for (const id of [OrganizationId, PlaceId, StayId, DeletionRequestId]) {
      const isId = Schema.is(id)
      for (const good of [0n, 1n, 2n, LARGEST_ISSUED_ID, LARGEST_ISSUED_ID + 1n, LARGEST_LONG])
        assert.isTrue(isId(good))
      for (const bad of [-1n, LARGEST_LONG + 1n, 2n ** 64n, 1, "1", null, undefined]) assert.isFalse(isId(bad))
    }
    assert.strictEqual(LARGEST_ISSUED_ID, BigInt(Number.MAX_SAFE_INTEGER))
    assert.strictEqual(LARGEST_LONG, 2n ** 63n - 1n)
  })

  it.prop(
    "identifies premises of its kind: an organization and a place of one number are not the same",
    { one: long, other: long },
    ({ one, other }) => {
      const [organization, place] = [OrganizationPremises(OrganizationId.make(one)), PlacePremises(PlaceId.make(one))]
      assert.deepStrictEqual([premisesId(organization), premisesId(place)], [one, one])
      assert.isFalse(samePremises(organization, place))
      assert.strictEqual(samePremises(organization, OrganizationPremises(OrganizationId.make(other))), one === other)
      assert.strictEqual(samePremises(place, PlacePremises(PlaceId.make(other))), one === other)
    },
    trials()
  )
})

describe("a text", () => {
  const isText = Schema.is(Text)

  it.prop("may hold any character", { text: text(0, 64) }, ({ text }) => assert.isTrue(isText(text)), trials())

  it.prop(
    "holds no NUL and no half of a surrogate pair",
    { unstorableText },
    ({ unstorableText }) => {
      // Two halves that were put together by chance make a whole character.
      if (unstorableText.includes("\u0000") || !unstorableText.isWellFormed()) assert.isFalse(isText(unstorableText))
    },
    trials()
  )

  it.prop(
    "is as long as it has code points",
    { text: text(0, 64) },
    ({ text }) => assert.strictEqual(characters(text), [...text].length),
    trials()
  )

  it.prop(
    "of a number of characters is counted in code points, both ends included",
    {
      minimum: integer(0, 3),
      extra: integer(0, 3),
      parts: Arbitrary.array(anyOf(["a", "é", "漢", "😀", "e\u0301"]), { maxLength: 8 })
    },
    ({ minimum, extra, parts }) => {
      const text = parts.join("")
      const count = [...text].length
      const fits = count >= minimum && count <= minimum + extra
      assert.strictEqual(Schema.is(textOf(minimum, minimum + extra))(text), fits)
    },
    trials()
  )

  it("that is the id of a person has 1 to 256 characters", () => {
    for (const id of [UserId, AdministratorId, OperatorId, OrgAuthServerId]) {
      const isId = Schema.is(id)
      for (const good of ["a", " ", "a,b", "%2C", "/", "😀".repeat(256), "x".repeat(256)]) assert.isTrue(isId(good))
      for (const bad of ["", "x".repeat(257), "😀".repeat(257), "\u0000", "\ud800"]) assert.isFalse(isId(bad))
    }
  })

  it("that is none is refused with the words for what was expected", () => {
    assert.throws(
      () => Schema.decodeUnknownSync(Text)("\u0000"),
      /^Expected text without NUL and without lone surrogates$/
    )
    assert.throws(() => Schema.decodeUnknownSync(textOf(1, 256))(""), /^Expected text of 1 to 256 characters$/)
  })
})
