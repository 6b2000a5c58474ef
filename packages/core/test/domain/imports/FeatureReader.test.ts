/** The features of a collection, whatever pieces its text comes in. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { makeFeatureReader } from "../../../src/index.ts"
import { anyOf, integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const read = (text: string, length: number) => {
  const { read, end } = makeFeatureReader()
  const features: Array<string> = []
  for (let at = 0; at < text.length; at += length) features.push(...read(text.slice(at, at + length)))
  return { features, rest: end() }
}

const feature = anyOf<unknown>([
  { type: "Feature", id: 'a"}]\\', properties: { name: "features", list: [1, [2, { "]": "[" }]] } },
  { features: [{}] },
  "text, with ] and }",
  null,
  -1.5e3,
  []
])

describe("a reader of features", () => {
  it.prop(
    "yields the text of each feature, and the rest of the collection",
    {
      features: Arbitrary.array(feature, { maxLength: 5 }),
      before: anyOf<object>([{}, { name: '"features": [' }, { crs: { features: [1] } }]),
      isIndented: anyOf([true, false]),
      length: integer(1, 12)
    },
    ({ features, before, isIndented, length }) => {
      const collection = { ...before, type: "FeatureCollection", features, bbox: [1, 2] }
      const found = read(JSON.stringify(collection, undefined, isIndented ? 2 : 0), length)
      assert.deepStrictEqual(
        found.features.map((one) => JSON.parse(one)),
        features
      )
      assert.deepStrictEqual(found.rest, { ...collection, features: features.map(() => 0) })
    },
    trials()
  )

  it.each([
    ["", "Expected a valid JSON body"],
    ["[]", "Expected a GeoJSON FeatureCollection"],
    ["null", "Expected a GeoJSON FeatureCollection"],
    ['{"type":"Feature","features":[]}', "Expected a GeoJSON FeatureCollection"],
    ['{"type":"FeatureCollection"}', "Expected a GeoJSON FeatureCollection"],
    ['{"type":"FeatureCollection","features":{}}', "Expected a GeoJSON FeatureCollection"],
    ['{"type":"FeatureCollection","features":[{},,{}]}', "Expected a valid JSON body"],
    ['{"type":"FeatureCollection","features":[{}', "Expected a valid JSON body"],
    ['{"type":"FeatureCollection","features":[{}]}}', "Expected a valid JSON body"],
    ['{"type":"FeatureCollection","features":[],"features":[]}', "The collection has its features twice."],
    [
      `{"type":"FeatureCollection","x":"${"x".repeat(1_100_000)}","features":[]}`,
      "The collection has more than a megabyte beside its features."
    ]
  ])("refuses %.60s", (text, fault) => {
    assert.deepStrictEqual(read(text, 100_000).rest, { fault })
  })
})
