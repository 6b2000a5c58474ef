/** The rate limiter of key loads: the burst, the limit for one name, and clocks that are set back. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as LoadRateLimiter from "../src/LoadRateLimiter.ts"
import { trials } from "./trials.ts"

const START = Date.UTC(2026, 2, 1, 8)

/** A limiter that takes another name each time. */
const anonymous = (burst: number, every: number) => {
  const { take } = LoadRateLimiter.make(burst, every)
  let names = 0
  return (now: number) => take(`${names++}`, now)
}

describe("LoadRateLimiter", () => {
  it("allows a burst, and then one per period", () => {
    const take = anonymous(3, 10)
    assert.deepStrictEqual([take(START), take(START), take(START), take(START)], [true, true, true, false])
    assert.isFalse(take(START + 9))
    assert.isTrue(take(START + 10))
    assert.isFalse(take(START + 19))
    assert.isTrue(take(START + 25))
    assert.isTrue(take(START + 30))
    assert.isFalse(take(START + 39))
  })

  it("allows one name once per period, without effect on others", () => {
    const { take } = LoadRateLimiter.make(3, 10)
    assert.isTrue(take("a", START))
    for (let i = 0; i < 100; i++) assert.isFalse(take("a", START + 9))
    assert.isTrue(take("b", START + 9))
    assert.isTrue(take("c", START + 9))
    assert.isTrue(take("a", START + 10))
    assert.isFalse(take("d", START + 10))
  })

  it.prop(
    "in any interval it allows at most the burst and one per period",
    [Schema.Array(Schema.Tuple([Schema.Literals(["a", "b", "c", "d", "e"]), Schema.Literals([0, 1, 9, 10, 11, 40])]))],
    ([steps]) => {
      const { take } = LoadRateLimiter.make(3, 10)
      const taken: Array<readonly [string, number]> = []
      let now = START
      for (const [name, step] of steps) {
        now += step
        if (!take(name, now)) continue
        for (const [other, at] of taken) assert.isTrue(other !== name || now - at >= 10)
        taken.push([name, now])
        for (const [i, [, since]] of taken.entries()) {
          assert.isAtMost(taken.length - i, 3 + Math.floor((now - since) / 10) + 1)
        }
      }
    },
    trials()
  )

  it("a clock that was set back allows again after one time", () => {
    const { take } = LoadRateLimiter.make(1, 10)
    assert.isTrue(take("a", START))
    assert.isFalse(take("b", START - 1_000))
    assert.isTrue(take("a", START - 990))
  })
})
