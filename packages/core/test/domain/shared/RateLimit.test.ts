/** The rate limit and the share that each of several servers grants, with clocks that go backwards. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { type RateLimit, shareOf, type RateLimitUsage, consume } from "../../../src/index.ts"
import { integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const limits = Arbitrary.map(Arbitrary.all([integer(1, 5), integer(1, 50)]), ([most, window]) => ({ most, window }))
/** Steps of a clock, some of them backwards. */
const histories = Arbitrary.array(integer(-3, 20), { minLength: 1, maxLength: 60 })

/** When each request came, whether it was granted, and how long it was to wait. */
const run = (limit: RateLimit, steps: ReadonlyArray<number>) => {
  let usage: RateLimitUsage | undefined
  let now = 1_000
  return steps.map((step) => {
    now += step
    const { usage: next, wait } = consume(limit, usage, now)
    usage = next
    return { now, wait, usage: next }
  })
}

describe("a rate limit", () => {
  it.prop(
    "grants no more than it holds within a window that a request begins, and all of it",
    [limits, histories],
    ([limit, steps]) => {
      let began = -Infinity
      let used = 0
      for (const { now, wait } of run(
        limit,
        steps.map((step) => Math.max(0, step))
      )) {
        if (now >= began + limit.window) {
          began = now
          used = 0
        }
        assert.strictEqual(wait === 0, used < limit.most)
        if (wait === 0) used++
        else assert.strictEqual(now + wait, began + limit.window)
      }
    },
    trials()
  )

  it("begins another window at the moment that one is over, and not before", () => {
    const limit = { most: 1, window: 10 }
    const usage = { used: 1, endsAt: 100 }
    assert.deepStrictEqual(consume(limit, usage, 99), { usage, wait: 1 })
    assert.deepStrictEqual(consume(limit, usage, 100), { usage: { used: 1, endsAt: 110 }, wait: 0 })
  })

  it.prop(
    "never lets a caller wait for longer than a window, whatever the clock does",
    [limits, histories],
    ([limit, steps]) => {
      for (const { wait, usage } of run(limit, steps)) {
        assert.isTrue(wait >= 0 && wait <= limit.window)
        assert.isTrue(usage.used <= limit.most)
      }
    },
    trials()
  )
})

describe("the share of a rate limit", () => {
  it.prop(
    "is one request at least, and all shares hold the limit and less than one request more for each further server",
    [limits, integer(1, 20)],
    ([limit, servers]) => {
      const share = shareOf(limit, servers)
      assert.strictEqual(share.window, limit.window)
      assert.isAtLeast(share.most, 1)
      assert.isAtLeast(share.most * servers, limit.most)
      assert.isAtMost(share.most * servers, limit.most + servers - 1)
    },
    trials()
  )

  it("that a further server made smaller refuses a caller who used more than it, until the window is over", () => {
    const limit = { most: 10, window: 100 }
    const usage = { used: 7, endsAt: 150 }
    assert.strictEqual(consume(shareOf(limit, 2), usage, 100).wait, 50)
    assert.strictEqual(consume(shareOf(limit, 1), usage, 100).wait, 0)
  })
})
