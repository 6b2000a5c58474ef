import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import { type Allowance, shareOf, type Spent, spend } from "../../src/index.ts"
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

describe("the share of an allowance", () => {
  it.prop(
    "is one request at least, and all shares hold the allowance and less than one request more for each further server",
    [allowances, integer(1, 20)],
    ([allowance, servers]) => {
      const share = shareOf(allowance, servers)
      assert.strictEqual(share.window, allowance.window)
      assert.isAtLeast(share.most, 1)
      assert.isAtLeast(share.most * servers, allowance.most)
      assert.isAtMost(share.most * servers, allowance.most + servers - 1)
    },
    trials()
  )

  it.prop(
    "keeps together to the bound, however a caller spreads requests over the servers",
    [allowances, Arbitrary.array(integer(0, 4), { minLength: 1, maxLength: 100 })],
    ([allowance, choices]) => {
      const servers = 5
      const spent: Array<Spent | undefined> = []
      let granted = 0
      for (const server of choices) {
        const { spent: next, wait } = spend(shareOf(allowance, servers), spent[server], 1_000)
        spent[server] = next
        if (wait === 0) granted++
      }
      assert.isAtMost(granted, allowance.most + servers - 1)
      if (choices.length >= allowance.most && new Set(choices).size === 1) {
        assert.strictEqual(granted, Math.min(choices.length, Math.ceil(allowance.most / servers)))
      }
    },
    trials()
  )

  it("that a further server made smaller refuses who has spent more than it holds, until the window is over", () => {
    const allowance = { most: 10, window: 100 }
    const spent = { used: 7, endsAt: 150 }
    assert.strictEqual(spend(shareOf(allowance, 2), spent, 100).wait, 50)
    assert.strictEqual(spend(shareOf(allowance, 1), spent, 100).wait, 0)
  })
})
