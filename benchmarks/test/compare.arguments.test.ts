import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readArguments, USAGE } from "../compare/Arguments.ts"
import { CANDIDATES } from "../compare/Candidate.ts"
import { SHORT, USUAL } from "../compare/Comparison.ts"

const namesOf = (candidates: ReadonlyArray<{ readonly name: string }>) => candidates.map(({ name }) => name)

describe("the arguments of compare", () => {
  it.effect("may be left out", () =>
    Effect.gen(function* () {
      const { comparison, out } = yield* readArguments([])
      assert.strictEqual(out, ".")
      assert.deepInclude(comparison, USUAL)
      assert.deepStrictEqual(
        comparison.candidates,
        CANDIDATES.filter(({ isVariant }) => !isVariant)
      )
      assert.deepStrictEqual(comparison.scenarios, ["pairs", "counter", "accesses"])
    })
  )

  it.effect("choose candidates, scenarios, connections, rounds and seconds", () =>
    Effect.gen(function* () {
      const args = [
        "--only",
        "bare,sojourn,sojourn-no-group-commit",
        "--scenario",
        "counter",
        "--connections",
        "2,300",
        "--rounds",
        "7"
      ]
      const more = [
        "--seconds",
        "0.5",
        "--no-starts",
        "--no-peer-token-cache",
        "--commit-delay",
        "2",
        "--wire-delay",
        "1"
      ]
      const { comparison } = yield* readArguments([...args, ...more])
      assert.deepStrictEqual(namesOf(comparison.candidates), ["sojourn", "sojourn-no-group-commit", "bare"])
      assert.deepStrictEqual(comparison.scenarios, ["counter"])
      assert.deepStrictEqual(comparison.connections, [2, 300])
      assert.deepInclude(comparison, {
        rounds: 7,
        seconds: 0.5,
        starts: 0,
        isPeerTokenCacheOn: false,
        commitDelay: 2,
        wireDelay: 1
      })
    })
  )

  it.effect("may ask for the short form, and still choose in it", () =>
    Effect.gen(function* () {
      const { comparison } = yield* readArguments(["--short", "--rounds", "1"])
      assert.deepInclude(comparison, { ...SHORT, rounds: 1 })
    })
  )

  for (const args of [
    ["--only", "unknown"],
    ["--scenario", "pairs,naps"],
    ["--connections", "0"],
    ["--connections", "1,"],
    ["--rounds", "0"],
    ["--seconds", "-1"],
    ["--commit-delay", "101"],
    ["--wire-delay", "0.5"],
    ["pairs"],
    ["--quick"]
  ]) {
    it.effect(`refuse ${args.join(" ")} with the usage`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(readArguments(args))
        assert.include(message, USAGE)
      })
    )
  }
})
