import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Pace } from "../src/lane/Pace.ts"

/** Batches by their members and the milliseconds that they took, some of which is no more than work. */
const QUICK = [
  [1, 0],
  [1, 1],
  [20, 1.5],
  [256, 8]
] as const
const SLOW = [
  [1, 1.1],
  [20, 1.7],
  [256, 9]
] as const

describe("the pace of batches", () => {
  it.prop(
    "is slow where no more than four of the last 32 took what their work takes, and quick until that is known",
    {
      any: Arbitrary.array(Arbitrary.schema(Schema.Literals(["quick", "slow"])), { maxLength: 60 }),
      // Else hardly any run would ever be slow.
      slow: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
    },
    ({ any, slow }) => {
      const pace = new Pace()
      const all = [...any, ...Array.from({ length: slow }, () => "slow" as const)]
      for (const [i, one] of all.entries()) {
        const known = one === "quick" ? QUICK : SLOW
        const [members, milliseconds] = known[i % known.length]!
        pace.took(milliseconds, members)
        const last = all.slice(Math.max(0, i - 31), i + 1)
        assert.strictEqual(pace.isSlow, 32 - last.filter((of) => of === "slow").length <= 4)
      }
    },
    { arbitrary: { runs: 300 } }
  )
})
