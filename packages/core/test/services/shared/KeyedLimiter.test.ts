/** Limits by key: the order and number of what runs, the bounds on what waits, and what an interruption frees. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeKeyedLimiter } from "../../../src/services/shared/KeyedLimiter.ts"

/** A limiter of two at once, three of a key and five of all, whose effects are recorded, and end when `gate` opens. */
const make = Effect.gen(function* () {
  const limited = makeKeyedLimiter({ concurrency: 2, mostOfKey: 3, most: 5 }, () => "refused")
  const gate = yield* Deferred.make<void>()
  const begun: Array<string> = []
  const run = (key: string, name: string) => {
    const effect = Effect.andThen(
      Effect.sync(() => void begun.push(name)),
      Deferred.await(gate)
    )
    return Effect.forkChild(limited(key, effect), { startImmediately: true })
  }
  return { begun, gate, run }
})

describe("a limiter by key", () => {
  it.effect("runs some of each key at once, the others in their order, and refuses more than wait", () =>
    Effect.gen(function* () {
      const { begun, gate, run } = yield* make
      const fibers = yield* Effect.forEach(
        [["a", "a1"] as const, ["a", "a2"] as const, ["a", "a3"] as const, ["a", "a4"] as const, ["b", "b1"] as const],
        ([key, name]) => run(key, name)
      )
      assert.deepStrictEqual(begun, ["a1", "a2", "b1"])
      assert.deepStrictEqual(yield* Fiber.await(fibers[3]!), Exit.fail("refused"))
      const last = [yield* run("c", "c1"), yield* run("d", "d1")]
      assert.deepStrictEqual(yield* Fiber.await(last[1]!), Exit.fail("refused"))
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [fibers[0]!, fibers[2]!, fibers[4]!, last[0]!]) yield* Fiber.join(fiber)
      assert.deepStrictEqual(begun, ["a1", "a2", "b1", "c1", "a3"])
      yield* Fiber.join(yield* run("d", "d2"))
    })
  )

  it.effect("admits the next one when one that runs or waits is interrupted", () =>
    Effect.gen(function* () {
      const { begun, run } = yield* make
      const [runs, , waits] = yield* Effect.forEach(["a1", "a2", "a3"], (name) => run("a", name))
      yield* Fiber.interrupt(waits!)
      yield* run("a", "a4")
      assert.deepStrictEqual(begun, ["a1", "a2"])
      yield* Fiber.interrupt(runs!)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["a1", "a2", "a4"])
    })
  )
})
