/** Readings beside movements for seconds: what is counted is what was sent. No time is judged. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Outcome } from "../load/Job.ts"
import { faultsOf, measureReadings, tableOf } from "../readings/readings.ts"

describe("readings", () => {
  it.live("everyone who was sent is counted, and no movement is lost", () =>
    Effect.gen(function* () {
      const measured = yield* measureReadings({
        organizations: 2,
        devicesEach: 5,
        readings: 50,
        movements: 50,
        seconds: 2
      })
      assert.deepStrictEqual(faultsOf(measured), [])
      assert.isAbove(measured.counted, 0)
      assert.strictEqual(measured.counted, measured.expected)
      assert.match(tableOf(measured), /\| readings +\| +100 \|/)
    })
  )

  it("reports each fault", () => {
    const outcome = (errors: Outcome["errors"]) => ({ errors }) as Outcome
    const measured = {
      readings: outcome({}),
      movements: outcome({}),
      counted: 3,
      expected: 3,
      losses: [],
      processor: { server: 1, postgres: 1 }
    }
    assert.deepStrictEqual(faultsOf(measured), [])
    assert.deepStrictEqual(faultsOf({ ...measured, counted: 2, losses: ["lost"], readings: outcome({ closed: 1 }) }), [
      "2 people are counted, and 3 were sent",
      "lost",
      "1 times closed"
    ])
  })
})
