/** The delay of a sign-in by the number of failures and of networks that fail. */
import { assert, describe, it } from "@effect/vitest"
import { SIGN_IN_MEMORY_MS, signInDelay } from "../../../src/index.ts"
import { integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const SECOND = 1_000

describe("the delay of a sign-in", () => {
  const CASES: ReadonlyArray<readonly [failures: number, networks: number, seconds: number]> = [
    [0, 1, 0],
    [4, 1, 0],
    [5, 1, 1],
    [6, 1, 2],
    [10, 1, 32],
    [11, 1, 60],
    [10_000, 1, 60],
    [11, 2, 60],
    [11, 3, 64],
    [12, 3, 90],
    [4, 4, 0],
    [12, 4, 120],
    [0, 5, 0],
    [1, 5, 0],
    [2, 5, 150],
    [2, 100, 3_000],
    [10_000, 100, 3_000],
    [0, 10_000, 0],
    [2, 10_000, 86_400]
  ]
  for (const [failures, networks, seconds] of CASES) {
    it(`is ${seconds} s after ${failures} failures of a network, while ${networks} networks fail`, () =>
      assert.strictEqual(signInDelay(failures, networks), seconds * SECOND))
  }

  it.prop(
    "is 0 for a network that has not failed, grows with failures and networks, and is at most a day",
    [integer(0, 60), integer(1, 5_000)],
    ([failures, networks]) => {
      const delay = signInDelay(failures, networks)
      assert.strictEqual(signInDelay(0, networks), 0)
      assert.isAtLeast(signInDelay(failures + 1, networks), delay)
      assert.isAtLeast(signInDelay(failures, networks + 1), delay)
      assert.isAtMost(delay, SIGN_IN_MEMORY_MS)
    },
    trials()
  )
})
