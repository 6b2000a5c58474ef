/** The bound on webhook deliveries that begin at once, with a test clock. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Ref } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { COUNTED_FOR, makeAttemptLimiter, MAX_ATTEMPTS } from "../../../src/services/webhooks/AttemptLimiter.ts"

const ALMOST = Duration.subtract(COUNTED_FOR, Duration.millis(1))

describe("the limit on attempts", () => {
  it.effect("lets attempts begin up to the most, and further ones once others have an answer", () =>
    Effect.gen(function* () {
      const limit = makeAttemptLimiter()
      const begun = yield* Ref.make(0)
      const attempt = limit(
        Effect.andThen(
          Ref.update(begun, (n) => n + 1),
          Effect.sleep("10 millis")
        )
      )
      const all = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: MAX_ATTEMPTS + 5 }, () => attempt),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("9 millis")
      assert.strictEqual(yield* Ref.get(begun), MAX_ATTEMPTS)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Ref.get(begun), MAX_ATTEMPTS + 5)
      yield* TestClock.adjust("10 millis")
      assert.strictEqual((yield* Fiber.join(all)).length, MAX_ATTEMPTS + 5)
    })
  )

  it.effect("does not count an attempt that is waited for longer, and interrupts it with its caller", () =>
    Effect.gen(function* () {
      const limit = makeAttemptLimiter()
      const ended = yield* Ref.make(0)
      const silent = limit(Effect.onInterrupt(Effect.never, () => Ref.update(ended, (n) => n + 1)))
      const dead = yield* Effect.forEach(Array.from({ length: MAX_ATTEMPTS }), () => Effect.forkChild(silent))
      const quick = yield* Effect.forkChild(limit(Effect.succeed("delivered")))
      yield* TestClock.adjust(ALMOST)
      assert.isUndefined(quick.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(quick), "delivered")
      assert.strictEqual(yield* Ref.get(ended), 0)
      yield* Fiber.interruptAll(dead)
      assert.strictEqual(yield* Ref.get(ended), MAX_ATTEMPTS)
    })
  )

  it.effect("returns why an attempt failed", () =>
    Effect.gen(function* () {
      const limit = makeAttemptLimiter()
      assert.strictEqual(yield* Effect.flip(limit(Effect.fail("refused"))), "refused")
    })
  )
})
