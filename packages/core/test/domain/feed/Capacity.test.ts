/** The capacity levels of premises: where each begins, and the margin below which it is left. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import {
  type Capacity,
  type CapacityLevel,
  CapacityNumber,
  DEFAULT_WARN_AT,
  levelMargin,
  levelOf,
  nextLevel,
  warningFrom,
  WarnAt
} from "../../../src/index.ts"
import { anyOf, capacity, capacityNumber, insideNear, integer, millionths, oneOf } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const LEVELS = ["normal", "warning", "full", "over"] as const

const rank = (level: CapacityLevel): number => LEVELS.findIndex((one) => one === level)

/** The number of people from which on a level is reached, in whole numbers alone. */
const beginning = (level: CapacityLevel, { capacity, warnAt }: Capacity): number => {
  if (level === "over") return capacity + 1
  if (level === "full") return capacity
  if (level !== "warning") return -Infinity
  const parts = BigInt(Math.round(warnAt * 1_000_000)) * BigInt(capacity)
  return Number((parts + 999_999n) / 1_000_000n)
}

const LARGEST = 10_000_000

/** A capacity, and numbers of people inside, as they follow each other. */
const crowds = Arbitrary.flatMap(capacity, (capacity) =>
  Arbitrary.all({
    capacity: Arbitrary.Constant(capacity),
    crowd: Arbitrary.array(oneOf(insideNear(capacity), integer(0, LARGEST)), { minLength: 2, maxLength: 12 })
  })
)

/** The level after each number of people, beginning with `levelOf` of the first. */
const levelsOf = (capacity: Capacity, crowd: ReadonlyArray<number>): ReadonlyArray<CapacityLevel> => {
  const levels = [levelOf(capacity, crowd[0] ?? 0)]
  for (const inside of crowd.slice(1)) levels.push(nextLevel(capacity, levels.at(-1) ?? "none", inside))
  return levels
}

describe("a capacity", () => {
  it("is a whole number from 1 to 10,000,000, and warns above 0 and up to 1", () => {
    const accepts = (schema: Schema.Decoder<number>) => (value: unknown) =>
      Result.isSuccess(Schema.decodeUnknownResult(schema)(value))
    const numbers = [0, 1, 10_000_000, 10_000_001, 1.5, -1, NaN, Infinity, "1", null]
    assert.deepStrictEqual(numbers.filter(accepts(CapacityNumber)), [1, 10_000_000])
    const parts = [0, Number.MIN_VALUE, 0.8, 1, 1 + Number.EPSILON, -0.5, NaN, Infinity, "0.8", null]
    assert.deepStrictEqual(parts.filter(accepts(WarnAt)), [Number.MIN_VALUE, 0.8, 1])
    assert.strictEqual(DEFAULT_WARN_AT, 0.8)
  })

  it.prop(
    "warns from its part on, rounded up, as the part is written",
    { capacity: capacityNumber, part: millionths },
    ({ capacity, part }) => {
      const exact = (BigInt(part) * BigInt(capacity) + 999_999n) / 1_000_000n
      assert.strictEqual(warningFrom({ capacity, warnAt: part / 1_000_000 }), Number(exact))
    },
    trials(1000)
  )

  it("warns from 1 on at the smallest part, and from the capacity on at the whole", () => {
    assert.strictEqual(warningFrom({ capacity: 1, warnAt: Number.MIN_VALUE }), 1)
    assert.strictEqual(warningFrom({ capacity: LARGEST, warnAt: 1 }), LARGEST)
  })

  it("leaves its levels 5 % below their beginnings, and at least 1", () => {
    const margins = [1, 19, 20, 39, 40, 100, 10_000_000].map((capacity) => levelMargin({ capacity, warnAt: 0.8 }))
    assert.deepStrictEqual(margins, [1, 1, 1, 1, 2, 5, 500_000])
  })
})

describe("a level", () => {
  it.prop(
    "begins exactly where the capacity says, and the highest that has begun is the level",
    { crowds },
    ({ crowds: { capacity, crowd } }) => {
      for (const inside of crowd) {
        const begun = LEVELS.findLast((level) => inside >= beginning(level, capacity))
        assert.strictEqual(levelOf(capacity, inside), begun)
        assert.strictEqual(nextLevel(capacity, "none", inside), begun)
      }
    },
    trials()
  )

  it.prop(
    "is none without a capacity, whatever it was",
    { current: anyOf(["none", ...LEVELS]), inside: integer(0, LARGEST) },
    ({ current, inside }) => {
      assert.strictEqual(levelOf(undefined, inside), "none")
      assert.strictEqual(nextLevel(undefined, current, inside), "none")
    },
    trials()
  )

  it.prop(
    "is reached by one change however far it jumps, and left only at its beginning minus the margin",
    { crowds },
    ({ crowds: { capacity, crowd } }) => {
      const levels = levelsOf(capacity, crowd)
      for (const [n, inside] of crowd.entries()) {
        const current = levels[n - 1] ?? "normal"
        const isHeld = (level: CapacityLevel) =>
          rank(level) <= rank(current) && inside > beginning(level, capacity) - levelMargin(capacity)
        const expected = LEVELS.findLast((level) => inside >= beginning(level, capacity) || isHeld(level))
        assert.strictEqual(levels[n], expected)
      }
    },
    trials()
  )

  it("goes by the example: 250 people, a warning at 0.8", () => {
    const capacity = { capacity: 250, warnAt: 0.8 }
    const crowd = [199, 200, 189, 188, 251, 250, 240, 239, 238, 237, 252, 0]
    assert.deepStrictEqual(levelsOf(capacity, crowd), [
      "normal",
      "warning",
      "warning",
      "normal",
      "over",
      "over",
      "over",
      "full",
      "warning",
      "warning",
      "over",
      "normal"
    ])
  })
})
