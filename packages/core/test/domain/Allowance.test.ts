import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import { type Allowance, type Spent, spend } from "../../src/index.ts"
import { integer } from "../../src/testing/index.ts"
import { trials } from "../trials.ts"

const allowances = Arbitrary.map(Arbitrary.all([integer(1, 5), integer(1, 50)]), ([most, window]) => ({ most, window }))
/** Steps of a clock, some of them backwards. */
const histories = Arbitrary.array(integer(-3, 20), { minLength: 1, maxLength: 60 })

/** When each request came, whether it was granted, and how long it was to wait. */
const run = (allowance: Allowance, steps: ReadonlyArray<number>) => {
  let spent: Spent | undefined
  let now = 1_000
  return steps.map((step) => {
    now += step
    const { spent: next, wait } = spend(allowance, spent, now)
    spent = next
    return { now, wait, spent: next }
  })
}

describe("an allowance", () => {
  it.prop(
    "grants no more than it holds within a window that a request begins, and all of it",
    [allowances, histories],
    ([allowance, steps]) => {
      let began = -Infinity
      let used = 0
      for (const { now, wait } of run(
        allowance,
        steps.map((step) => Math.max(0, step))
      )) {
        if (now >= began + allowance.window) {
          began = now
          used = 0
        }
        assert.strictEqual(wait === 0, used < allowance.most)
        if (wait === 0) used++
        else assert.strictEqual(now + wait, began + allowance.window)
      }
    },
    trials()
  )

  it("begins another window at the moment that one is over, and not before", () => {
    const allowance = { most: 1, window: 10 }
    const spent = { used: 1, endsAt: 100 }
    assert.deepStrictEqual(spend(allowance, spent, 99), { spent, wait: 1 })
    assert.deepStrictEqual(spend(allowance, spent, 100), { spent: { used: 1, endsAt: 110 }, wait: 0 })
  })

  it.prop(
    "never lets anybody wait for longer than a window, whatever the clock does",
    [allowances, histories],
    ([allowance, steps]) => {
      for (const { wait, spent } of run(allowance, steps)) {
        assert.isTrue(wait >= 0 && wait <= allowance.window)
        assert.isTrue(spent.used <= allowance.most)
      }
    },
    trials()
  )
})
