/** The laws of the port `RateLimitStore`: what every adapter grants, delays and refuses. */
import { type RateLimit, RateLimitStore } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { unused } from "../shared/fixtures.ts"
import { times, concurrently } from "../shared/outcome.ts"
import { HOUR } from "../shared/policies.ts"
import { type Laws, suite } from "../shared/suite.ts"

/** Consumes one request. Returns the wait. */
const consume = (name: string, limit: RateLimit) =>
  Effect.map(
    RateLimitStore.use((store) => store.consume(name, limit)),
    ({ wait }) => wait
  )

/** Consumes `count` requests concurrently. Returns how many were granted, and the longest wait. */
const consumeAtOnce = (count: number, name: string, limit: RateLimit) =>
  Effect.map(concurrently(times(count, () => consume(name, limit))), (waits) => ({
    granted: waits.filter((wait) => wait === 0).length,
    wait: Math.max(...waits)
  }))

const laws: Laws<RateLimitStore> = (it) => {
  it("grants sequential requests up to the limit", function* () {
    const limit = { most: 3, window: HOUR }
    const name = unused("name")
    const waits = yield* Effect.all(times(5, () => consume(name, limit)))
    assert.deepStrictEqual(
      waits.map((wait) => wait === 0),
      [true, true, true, false, false]
    )
    for (const wait of waits.slice(3)) assert.isTrue(wait > 0 && wait <= HOUR, `a wait of ${wait}`)
  })

  it("returns how many requests were granted in the window, and when it ends", function* () {
    const limit = { most: 2, window: HOUR }
    const name = unused("name")
    const decisions = yield* Effect.all(times(3, () => RateLimitStore.use((store) => store.consume(name, limit))))
    assert.deepStrictEqual(
      decisions.map(({ usage }) => usage.used),
      [1, 2, 2]
    )
    assert.strictEqual(new Set(decisions.map(({ usage }) => usage.endsAt)).size, 1)
  })

  it("grants 100 concurrent requests up to the limit", function* () {
    const limit = { most: 37, window: HOUR }
    const name = unused("name")
    const first = yield* consumeAtOnce(100, name, limit)
    assert.strictEqual(first.granted, 37)
    assert.strictEqual((yield* consumeAtOnce(100, name, limit)).granted, 0)
  })

  it("keeps names apart", function* () {
    const limit = { most: 2, window: HOUR }
    const several = times(50, () => unused("name"))
    const granted = yield* concurrently(several.map((name) => consumeAtOnce(5, name, limit)))
    for (const each of granted) assert.strictEqual(each.granted, 2)
  })

  it("grants the whole limit again after the wait that it answered", function* () {
    const limit = { most: 1, window: 500 }
    const name = unused("name")
    for (let round = 0; round < 3; round++) {
      let wait = yield* consume(name, limit)
      // Where a store takes its time the window may be over before the second request.
      for (let tries = 0; wait === 0 && tries < 100; tries++) wait = yield* consume(name, limit)
      assert.isTrue(wait > 0 && wait <= limit.window, `a wait of ${wait}`)
      // A timer may fire a millisecond early.
      yield* Effect.sleep(wait + 1)
      assert.strictEqual(yield* consume(name, limit), 0)
    }
  })
}

/** The laws of `RateLimitStore`. */
export const rateLimitStoreLaws = suite("RateLimitStore", [laws])
