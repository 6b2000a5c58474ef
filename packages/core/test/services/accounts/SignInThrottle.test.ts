/** The throttle of sign-ins by username and network, against crowds and attackers (decision 0014). */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { SIGN_IN_MEMORY_MS } from "../../../src/index.ts"
import { type SignInOutcome, SignInThrottle } from "../../../src/services/accounts/SignInThrottle.ts"
import { integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const START = 1_000_000
const OUTCOMES: ReadonlyArray<SignInOutcome> = ["failed", "failed", "failed", "succeeded", "not checked"]

interface Step {
  readonly username: string
  readonly network: string
  readonly pause: number
  readonly outcome: SignInOutcome
}

const steps = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.all([integer(0, 3), integer(0, 6), integer(0, 40_000), integer(0, OUTCOMES.length - 1)]),
    ([username, network, pause, outcome]): Step => ({
      username: `name ${username}`,
      network: `network ${network}`,
      pause,
      outcome: OUTCOMES[outcome]!
    })
  ),
  { minLength: 1, maxLength: 120 }
)

const attempt = (
  throttle: SignInThrottle,
  username: string,
  network: string,
  now: number,
  outcome: SignInOutcome = "failed"
) => {
  const wait = throttle.admit(username, network, now)
  if (wait === 0) throttle.settle(username, network, now, outcome)
  return wait
}

/** How many guesses networks have for one username in a day, when each asks as soon as it may and joins at a time of its own. */
const guessesInADay = (joins: ReadonlyArray<number>): number => {
  const throttle = new SignInThrottle()
  /** The networks that ask at a moment, in seconds. */
  const at: Array<Array<number>> = Array.from({ length: 86_401 }, () => [])
  for (const [network, second] of joins.entries()) at[second]!.push(network)
  let guesses = 0
  for (let second = 0; second < 86_400; second++) {
    for (let next = 0; next < at[second]!.length; next++) {
      const network = at[second]![next]!
      const wait = attempt(throttle, "victim", `network ${network}`, START + second * 1000)
      if (wait === 0) guesses++
      at[Math.min(86_400, second + Math.ceil(wait / 1000))]!.push(network)
    }
  }
  return guesses
}

describe("attempts to sign in", () => {
  it.prop(
    "are admitted at once from a network that has not failed for the username, whatever others did",
    [steps],
    ([history]) => {
      const throttle = new SignInThrottle()
      let now = START
      for (const { username, network, pause, outcome } of history) {
        now += pause
        attempt(throttle, username, network, now, outcome)
        const wait = throttle.admit(username, "a new network", now)
        assert.strictEqual(wait, 0)
        throttle.settle(username, "a new network", now, "not checked")
      }
    },
    trials()
  )

  it.prop(
    "for one username are counted as if there were no others",
    [steps],
    ([history]) => {
      const together = new SignInThrottle()
      const alone = new Map<string, SignInThrottle>()
      let now = START
      for (const { username, network, pause, outcome } of history) {
        now += pause
        if (!alone.has(username)) alone.set(username, new SignInThrottle())
        const expected = attempt(alone.get(username)!, username, network, now, outcome)
        assert.strictEqual(attempt(together, username, network, now, outcome), expected)
      }
    },
    trials()
  )

  it.prop(
    "that were not checked count as if they had not been made",
    [steps],
    ([history]) => {
      const [one, other] = [new SignInThrottle(), new SignInThrottle()]
      let now = START
      for (const { username, network, pause, outcome } of history) {
        now += pause
        attempt(one, username, network, now, "not checked")
        assert.strictEqual(
          attempt(one, username, network, now, outcome),
          attempt(other, username, network, now, outcome)
        )
        assert.strictEqual(one.size, other.size)
      }
    },
    trials()
  )

  it.prop(
    "are 2,880 in a day for one username, and a few for each network beside, however many networks guess",
    [Arbitrary.array(integer(0, 80_000), { minLength: 1, maxLength: 40 })],
    ([joins]) => assert.isAtMost(guessesInADay(joins), 2_880 + 52 + 3 * joins.length),
    trials(20)
  )

  it("are as many as decision 0014 says", () => {
    const all = (networks: number) => guessesInADay(Array.from({ length: networks }, () => 0))
    assert.deepStrictEqual([1, 100, 1_000].map(all), [1_449, 3_000, 4_000])
  })

  it("wait while others of the same network are being checked, so that a crowd has no more than one by one", () => {
    const throttle = new SignInThrottle()
    const crowd = (network: string) =>
      Array.from({ length: 50 }, () => throttle.admit("victim", network, START)).filter((wait) => wait === 0).length
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5].map((n) => crowd(`network ${n}`)),
      [5, 5, 5, 5, 2]
    )
  })

  it("begin anew after a sign-in, and a network that signed in is delayed by its own failures alone", () => {
    const throttle = new SignInThrottle()
    for (let n = 0; n < 4; n++) attempt(throttle, "ann", "home", START)
    assert.strictEqual(attempt(throttle, "ann", "home", START, "succeeded"), 0)
    for (let n = 0; n < 100; n++) attempt(throttle, "ann", `network ${n}`, START)
    for (let n = 0; n < 5; n++) assert.strictEqual(attempt(throttle, "ann", "home", START), 0)
    assert.strictEqual(attempt(throttle, "ann", "home", START), 1_000)
    assert.strictEqual(attempt(throttle, "ann", "home", START + 1_000), 0)
    for (let n = 0; n < 2; n++) assert.strictEqual(attempt(throttle, "ann", "phone", START), 0)
    assert.strictEqual(attempt(throttle, "ann", "phone", START), 101 * 30_000)
  })

  it("are forgotten a day after the last one, and for no longer delay than theirs when the clock is set back", () => {
    const throttle = new SignInThrottle()
    for (const name of ["ann", "bob"]) for (let n = 0; n < 5; n++) attempt(throttle, name, "a network", START)
    assert.strictEqual(attempt(throttle, "ann", "a network", START - 500_000), 1_000)
    attempt(throttle, "another", "network", START + SIGN_IN_MEMORY_MS - 1)
    assert.strictEqual(throttle.size, 3)
    attempt(throttle, "another", "network", START + SIGN_IN_MEMORY_MS)
    assert.strictEqual(throttle.size, 1)
  })

  it("that were made least recently are forgotten, where there are too many", () => {
    const throttle = new SignInThrottle(100)
    for (let n = 0; n < 5; n++) attempt(throttle, "victim", "a network", START)
    for (let n = 0; n < 99; n++) attempt(throttle, `made up ${n}`, "a network", START)
    assert.strictEqual(attempt(throttle, "victim", "a network", START), 1_000)
    for (let n = 0; n < 100; n++) attempt(throttle, `another ${n}`, "a network", START)
    assert.strictEqual(throttle.size, 100)
    assert.strictEqual(attempt(throttle, "victim", "a network", START), 0)
  })
})
