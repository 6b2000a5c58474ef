/** `RequestPermit` on its own: whatever happens to requests, each counts in one phase until its response is closed. */
import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { type PhaseCounts, RequestPermit } from "../../src/http/RequestPermit.ts"

const none = (): PhaseCounts => ({ receiving: 0, inFlight: 0, atDirectory: 0, streaming: 0, answering: 0, answered: 0 })

const Step = Schema.Struct({
  does: Schema.Literals(["begin", "suspend", "resume", "beginStream", "beginAnswer", "end", "release"]),
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
})

describe("permits of requests", () => {
  it.prop(
    "count each request in its phase, and none whose response was closed, after any sequence of events",
    { steps: Arbitrary.schema(Schema.Array(Step)) },
    ({ steps }) => {
      const counts = none()
      const permits = Array.from({ length: 4 }, () => new RequestPermit({} as ServerResponse, counts))
      const released = new Set<RequestPermit>()
      for (const { does, which } of steps) {
        const permit = permits[which]!
        // A response is closed once.
        if (does === "release" && released.has(permit)) continue
        const before = permit.phase
        permit[does]()
        if (does === "release") released.add(permit)
        if (before === "answered") assert.strictEqual(permit.phase, "answered", "an answered request stays so")
        const expected = none()
        for (const each of permits) if (!released.has(each)) expected[each.phase]++
        assert.deepStrictEqual(counts, expected)
      }
      for (const permit of permits) if (!released.has(permit)) permit.release()
      assert.deepStrictEqual(counts, none())
    },
    { arbitrary: { runs: 500 } }
  )

  it("go through receiving, in flight, waiting for a directory, in flight again, and answered", () => {
    const permit = new RequestPermit({} as ServerResponse, none())
    const phases = [permit.phase]
    for (const step of ["begin", "suspend", "resume", "end"] as const) {
      permit[step]()
      phases.push(permit.phase)
    }
    assert.deepStrictEqual(phases, ["receiving", "inFlight", "atDirectory", "inFlight", "answered"])
  })
})
