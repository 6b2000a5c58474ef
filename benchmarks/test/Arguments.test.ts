import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readArguments, USAGE } from "../growth/Arguments.ts"
import { USUAL } from "../growth/grow.ts"

describe("the arguments of growth", () => {
  it.effect("are sizes, which may be left out", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readArguments([]), USUAL.sizes)
      assert.deepStrictEqual(yield* readArguments(["10,200"]), [10, 200])
    })
  )

  for (const args of [["many"], ["0"], ["200,10"], ["10,10"], ["10", "20"], ["--database"], ["10,"]]) {
    it.effect(`refuse ${args.join(" ")} with the usage`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(readArguments(args))
        assert.include(message, USAGE)
      })
    )
  }
})
