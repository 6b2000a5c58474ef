import { assert, describe, it } from "@effect/vitest"
// Before what uses schemas: it compiles those that were not used before.
import { NothingMatches, run } from "../micro/run.ts"
import { Effect } from "effect"
import { readArguments, USAGE } from "../micro/Arguments.ts"
import { interpretedSubjects, subjects, wrongAnswers } from "../micro/subjects.ts"
import { costTable, pairCost } from "../micro/table.ts"

/** So quick that the figures say nothing. */
const HASTY = { rounds: 1, milliseconds: 0.01, batch: 8 }

describe("micro", () => {
  it.live("measures every rule, compiled and interpreted, on what it answers rightly", () =>
    Effect.gen(function* () {
      const costs = yield* run("", HASTY)
      assert.deepStrictEqual(
        costs.map(({ name }) => name),
        [...subjects(), ...interpretedSubjects()].map(({ name }) => name)
      )
      assert.strictEqual(new Set(costs.map(({ name }) => name)).size, costs.length)
      for (const { name, nanoseconds, least, most, bytes } of costs) {
        assert.isAbove(nanoseconds, 0, name)
        assert.isTrue(least <= nanoseconds && nanoseconds <= most, name)
        assert.isTrue(bytes === undefined || bytes >= 0, name)
      }
      const told = costTable(costs)
      for (const { name } of costs) assert.include(told, name)
      assert.match(pairCost(costs) ?? "", /costs the core \d/)
    })
  )

  it.live("measures what is asked for alone, and refuses what is not there", () =>
    Effect.gen(function* () {
      const costs = yield* run("exit token", HASTY)
      assert.isNotEmpty(costs)
      for (const { name } of costs) assert.include(name, "exit token")
      assert.isUndefined(pairCost(costs))
      assert.instanceOf(yield* Effect.flip(run("no such rule", HASTY)), NothingMatches)
    })
  )

  it("notices a rule that answers otherwise than it must", () => {
    const [right] = subjects()
    assert.deepStrictEqual(wrongAnswers([right!, { name: "wrong", once: () => 1, isRight: () => false }]), ["wrong"])
  })

  it.effect("takes a filter of several words, and refuses flags with the usage", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* readArguments([]), "")
      assert.strictEqual(yield* readArguments(["exit", "token"]), "exit token")
      const { message } = yield* Effect.flip(readArguments(["--all"]))
      assert.include(message, USAGE)
    })
  )
})
