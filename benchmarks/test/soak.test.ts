/** A soak in seconds, and its verdict on made-up samples. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf, type Sample, slopeOf, soak } from "../soak/soak.ts"

const OUTCOME: Sample["outcome"] = { requests: 1, p50: 1, p99: 1, refused: 0, unsent: 0, errors: {} }

/** Ten minutes, in each of which the sample is as `of` says. */
const minutes = (of: (minute: number) => Partial<Sample>): ReadonlyArray<Sample> =>
  Array.from({ length: 10 }, (_, minute) => ({
    at: minute * 60,
    outcome: OUTCOME,
    resident: 300,
    heap: 100,
    descriptors: 20,
    ...of(minute)
  }))

describe("a soak", () => {
  it("is flat when the second half is, whatever the first was", () => {
    assert.deepStrictEqual(faultsOf(minutes((at) => ({ resident: 300 + Math.min(at, 5) * 20 }))), [])
  })

  it("is not flat when memory or descriptors grow", () => {
    assert.match(faultsOf(minutes((at) => ({ resident: 300 + at * 2 }))).join(), /^memory grows by 1\d\.\d %/)
    assert.match(faultsOf(minutes((at) => ({ descriptors: 20 + at * 3 }))).join(), /^12 descriptors more/)
  })

  it("counts errors, refusals and movements that were never sent", () => {
    const wrong = minutes(() => ({ outcome: { ...OUTCOME, refused: 1, unsent: 2, errors: { closed: 3 } } }))
    assert.deepStrictEqual(faultsOf(wrong), ["30 times closed", "10 times refused", "20 times never sent"])
  })

  it("knows the slope of a line", () => {
    assert.closeTo(slopeOf([1, 2, 3, 4].map((x) => [x, 5 * x + 1] as const)), 5, 1e-9)
  })

  it.live("loses no movement", () =>
    Effect.gen(function* () {
      const soaked = yield* soak({ seconds: 3, every: 1, perSecond: 50 }, () => {})
      assert.strictEqual(soaked.samples.length, 3)
      assert.strictEqual(soaked.acknowledged.entrances + soaked.acknowledged.exits, 150)
      assert.deepStrictEqual(soaked.faults, [])
    })
  )
})
