import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readArguments } from "../overload/Arguments.ts"
import { overload } from "../overload/overload.ts"
import { faultsOf } from "../overload/report.ts"
import { readArguments as readSoak } from "../soak/Arguments.ts"
import type { Sample } from "../soak/Sample.ts"
import { soak } from "../soak/soak.ts"
import { report } from "../soak/report.ts"
import { isFlat, slopeOf, verdictOf } from "../soak/verdict.ts"

describe("overload", () => {
  it.live("loses nothing acknowledged, and answers all others with a refusal", () =>
    Effect.gen(function* () {
      const wanted = { times: [3], seconds: 1, connections: 400, flags: ["--max-in-flight", "128"] }
      const overloaded = yield* overload(wanted, () => {})
      assert.deepStrictEqual(faultsOf(overloaded), [])
      const { received } = overloaded.tried[0]!
      assert.isAbove(received.tracked.count, 0)
      assert.isAbove(received.refused.count, 0)
      assert.strictEqual(received.tracked.count + received.refused.count + received.unsent, received.due)
    })
  )

  it.effect("reads its arguments", () =>
    Effect.gen(function* () {
      const read = yield* readArguments(["2", "5", "--seconds", "3", "--", "--max-in-flight", "9"])
      assert.deepStrictEqual(read, { times: [2, 5], seconds: 3, connections: 2_000, flags: ["--max-in-flight", "9"] })
      assert.match((yield* Effect.flip(readArguments(["x"]))).message, /is no number above zero/)
    })
  )
})

const MINUTE = 60
const received = ({ unsent = 0, ...errors }: Readonly<Record<string, number>> = {}) =>
  ({ errors, unsent, refused: { count: 0 }, tracked: { count: 1 } }) as unknown as Sample["received"]
/** Ten minutes in which memory and descriptors are as the minute says. */
const minutes = (resident: (minute: number) => number, descriptors: (minute: number) => number, errors = {}) =>
  Array.from({ length: 10 }, (_, at): Sample => ({
    at: at * MINUTE,
    resident: resident(at),
    descriptors: descriptors(at),
    inside: undefined,
    metrics: new Map(),
    received: received(errors)
  }))

/** The verdict on memory and descriptors that are as the minute says. */
const judged = (resident = (_minute: number) => 300, descriptors = (_minute: number) => 20, errors = {}) =>
  verdictOf(minutes(resident, descriptors, errors))

describe("a soak", () => {
  it("is flat when the second half is, whatever the first was", () => {
    assert.isTrue(isFlat(judged((at) => 300 + (at < 5 ? at * 20 : 100))))
  })

  it("is not flat when memory grows, descriptors grow, or something fails", () => {
    assert.isFalse(isFlat(judged((at) => 300 + at * 2)))
    assert.isFalse(isFlat(judged(undefined, (at) => 20 + 3 * at)))
    assert.isFalse(isFlat(judged(undefined, undefined, { closed: 1 })))
  })

  it("is not well when a movement found no connection", () => {
    assert.deepStrictEqual(judged(undefined, undefined, { unsent: 2 }).faults, ["20 times never sent"])
  })

  it("knows the slope of a line", () => {
    assert.closeTo(slopeOf([1, 2, 3, 4].map((x) => [x, 5 * x + 1] as const)), 5, 1e-9)
  })

  it.live("tells what it saw, and that every movement is in the database", () =>
    Effect.gen(function* () {
      const soaked = yield* soak(
        { seconds: 3, every: 1, perSecond: 50, flags: [] },
        () => {},
        () => {}
      )
      assert.strictEqual(soaked.samples.length, 3)
      assert.strictEqual(soaked.acknowledged.entrances + soaked.acknowledged.exits, 150)
      assert.match(report(soaked).text, /150 acknowledged, all in the database: yes/)
    })
  )

  it.effect("reads its arguments", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* readSoak([]), { seconds: 1_800, every: 60, perSecond: undefined })
      assert.deepInclude(yield* readSoak(["20s", "--rate", "7"]), { seconds: 20, every: 1, perSecond: 7 })
      assert.match((yield* Effect.flip(readSoak(["soon"]))).message, /no length of time/)
    })
  )
})
