/** `LatencyWindow` decides by the last 32 batches whether batches mostly wait or mostly work. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { LatencyWindow } from "../src/batching/concurrency.ts"

/** Durations of batches, and how much of each may be work for their members, in milliseconds. */
const QUICK = [
  [0, 0.03],
  [1, 0.03],
  [1.5, 0.6],
  [8, 7.7]
] as const
const SLOW = [
  [1.1, 0.03],
  [1.7, 0.6],
  [9, 7.7]
] as const

describe("the latency of batches", () => {
  it.prop(
    "is slow where no more than four of the last 32 took what their work takes, and quick until that is known",
    {
      any: Arbitrary.array(Arbitrary.schema(Schema.Literals(["quick", "slow"])), { maxLength: 60 }),
      // Without it hardly any run would be slow.
      slow: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
    },
    ({ any, slow }) => {
      const latency = new LatencyWindow()
      const all = [...any, ...Array.from({ length: slow }, () => "slow" as const)]
      for (const [i, one] of all.entries()) {
        const known = one === "quick" ? QUICK : SLOW
        const [milliseconds, work] = known[i % known.length]!
        latency.record(milliseconds, work)
        const last = all.slice(Math.max(0, i - 31), i + 1)
        assert.strictEqual(latency.isSlow, 32 - last.filter((of) => of === "slow").length <= 4)
      }
    },
    { arbitrary: { runs: 300 } }
  )
})
