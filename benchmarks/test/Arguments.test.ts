import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readArguments, USAGE } from "../growth/Arguments.ts"
import { USUAL } from "../growth/grow.ts"

describe("the arguments of growth", () => {
  it.effect("may be left out", () =>
    Effect.gen(function* () {
      const { sizes, databaseUrl } = yield* readArguments([])
      assert.deepStrictEqual(sizes, USUAL.sizes)
      assert.isTrue(Option.isNone(databaseUrl))
    })
  )

  it.effect("are sizes and an address, which is never printed", () =>
    Effect.gen(function* () {
      const read = yield* readArguments(["10,200", "--database-url", "postgresql://me:secret@host/db"])
      assert.deepStrictEqual(read.sizes, [10, 200])
      assert.strictEqual(Redacted.value(Option.getOrThrow(read.databaseUrl)), "postgresql://me:secret@host/db")
      assert.notInclude(JSON.stringify(read), "secret")
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
