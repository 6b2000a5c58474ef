import { assert, it } from "@effect/vitest"
import { Effect, Metric } from "effect"

it.effect("importing the package registers no metric", () =>
  Effect.gen(function* () {
    yield* Effect.promise(() => import("@sojourn/adapter-http"))
    assert.deepStrictEqual(yield* Metric.snapshot, [])
  })
)
