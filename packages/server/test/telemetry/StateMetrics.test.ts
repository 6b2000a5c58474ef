/** Metrics of what is stored, sampled while the storage is slow for a moment. */
import { layerStores } from "@sojourn/adapter-memory"
import { OpenStayStatistics, StoreError } from "@sojourn/core"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { layerStateMetrics } from "../../src/telemetry/StateMetrics.ts"

const valueOf = (name: string) =>
  Effect.map(Metric.snapshot, (metrics) => metrics.find(({ id, type }) => id === name && type === "Gauge")?.state)

it.effect("a count that fails after a minute delays neither readiness nor the next count", () =>
  Effect.gen(function* () {
    const stored = yield* OpenStayStatistics
    let isAway = true
    const failed = new StoreError({ operation: "count all open stays", cause: "away" })
    const statistics = OpenStayStatistics.of({
      read: (most) =>
        Effect.suspend(() =>
          isAway
            ? Effect.andThen(Effect.sleep("1 minute"), Effect.fail(failed))
            : Effect.map(stored.read(most), (counts) => ({ ...counts, open: 7, organizations: 1 }))
        )
    })
    yield* Layer.build(
      Layer.provide(
        layerStateMetrics({ isReady: Effect.sync(() => !isAway), organizations: 5 }),
        Layer.succeed(OpenStayStatistics, statistics)
      )
    )
    yield* TestClock.adjust("59 seconds")
    assert.deepStrictEqual(yield* valueOf("sojourn_ready"), { value: 0 })
    isAway = false
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(yield* valueOf("sojourn_ready"), { value: 1 })
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual(yield* valueOf("sojourn_open_stays"), { value: 7 })
  }).pipe(Effect.provide(layerStores))
)
