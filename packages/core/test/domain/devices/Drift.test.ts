/** The drift of a device is answered as counts are: with a publishing interval, as of its last multiple. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { changeDrift, correctDrift, correctedUntil, type Drift, NO_DRIFT, publishedDrift } from "../../../src/index.ts"
import { after, anyOf, integer, maybe, NOW } from "@sojourn/testing"
import { trials } from "../../trials.ts"

describe("drift", () => {
  const changes = Arbitrary.array(Arbitrary.all([integer(0, 3_000), integer(-5, 5)]), { minLength: 1, maxLength: 30 })

  it.prop(
    "is the sum of the changes up to the last multiple of the interval, and of all changes without one",
    { changes, interval: maybe(anyOf([2_000, 7_000, 60_000])), ahead: integer(0, 10_000) },
    ({ changes, interval, ahead }) => {
      let at = NOW
      let drift: Drift = NO_DRIFT
      const made: Array<readonly [at: number, change: number]> = []
      for (const [wait, change] of changes) {
        at = after(at, wait)
        drift = changeDrift(drift, change, interval, at)
        made.push([at, change])
      }
      const now = after(at, ahead)
      const until = interval === undefined ? now : Math.floor(now / interval) * interval
      const sum = made.reduce((total, [when, change]) => total + (when <= until ? change : 0), 0)
      assert.strictEqual(publishedDrift(drift, interval, now), sum)
      const corrected = correctDrift(drift, interval, now)
      assert.strictEqual(publishedDrift(corrected, interval, now), sum)
      // What was not answered by then never is.
      assert.strictEqual(corrected.now, sum)
    },
    trials()
  )

  it("is what a correction leaves of it until the next multiple", () => {
    assert.isUndefined(correctedUntil(undefined, NOW))
    assert.strictEqual(correctedUntil(10_000, NOW), NOW)
    assert.strictEqual(correctedUntil(10_000, after(NOW, 1)), after(NOW, 10_000))
    assert.strictEqual(correctedUntil(10_000, after(NOW, 10_000)), after(NOW, 10_000))
  })
})
